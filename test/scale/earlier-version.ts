import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MIGRATIONS } from "../../src/database/migrate.ts";

/** An earlier version, ready to run. */
export interface EarlierVersion {
  readonly ref: string;
  /** Its program `signet`. */
  readonly program: string;
  /** Whether it starts on the tables of later versions. */
  readonly acceptsNewerTables: boolean;
  remove(): void;
}

/**
 * The version to update from: the last tag, or the last commit before the newest migration if there is none.
 *
 * @returns undefined without the history of git, such as in a shallow clone.
 */
export function findEarlierRef(): string | undefined {
  const tag = git("describe", "--tags", "--abbrev=0");
  if (tag !== undefined) return tag;
  const file = `src/database/migrations/${Object.keys(MIGRATIONS).at(-1)}.ts`;
  const added = git("log", "-1", "--format=%H", "--diff-filter=A", "--", file);
  return added && git("rev-parse", "--verify", "--quiet", `${added}^`);
}

/**
 * Checks a commit out into a temporary folder. Its packages are those of this folder if they have the same versions.
 *
 * @returns undefined if it needs other packages, and must not install them.
 */
export function checkOut(ref: string, { install }: { readonly install: boolean }): EarlierVersion | undefined {
  const folder = mkdtempSync(join(tmpdir(), "signet-earlier-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  execFileSync("bash", ["-c", 'git archive "$1" | tar -x -C "$2"', "bash", ref, folder]);
  if (hasPackages(folder)) symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  else if (install) execFileSync("npm", ["ci", "--omit=dev"], { cwd: folder, stdio: "ignore" });
  else {
    remove();
    return undefined;
  }
  const migrate = readFileSync(join(folder, "src/database/migrate.ts"), "utf8");
  return {
    ref,
    program: join(folder, "bin/signet.js"),
    acceptsNewerTables: migrate.includes("acceptNewerMigrations"),
    remove,
  };
}

/** Whether this folder has the packages of another one. */
function hasPackages(folder: string): boolean {
  const { dependencies } = readJson(join(folder, "package.json")) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join("node_modules", name, "package.json");
    return existsSync(file) && (readJson(file) as { version: string }).version === version;
  });
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Git's output; undefined if it fails or prints nothing. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() || undefined;
  } catch {
    return undefined;
  }
}
