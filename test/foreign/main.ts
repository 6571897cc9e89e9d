/**
 * Runs programs that other people wrote against a separate service: `npm run test:clients` the samples of
 * docs/clients.md, `npm run test:examples` the examples of docs/guides, `npm run test:keycloak` Keycloak, `npm run test:foreign` the
 * other ones. They accept names of programs.
 *
 * Each program runs in a copy of the repository, with only the variables that docs/clients.md names, and Keycloak also with
 * those of the service; it must leave the copy unchanged. A program whose tools are not installed is skipped, and the output
 * has the command that failed. Exits with 1 if a program fails.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CLIENTS, EXAMPLES, KEYCLOAK, OTHERS, type Program } from "./programs.ts";
import { runScript } from "./run-script.ts";
import { startService } from "./start-service.ts";

/** Compiling a client with its libraries takes a minute on two idle cores. */
const TIMEOUT_MS = 900_000;

/** Kept, as Go, Maven, pip and npm keep their caches, so that the next run does not compile the libraries again. */
const CARGO_TARGET_DIR = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "signet-tests", "cargo");

const GROUPS: Readonly<Record<string, readonly Program[]>> = {
  ...{ clients: CLIENTS, examples: EXAMPLES, keycloak: KEYCLOAK, others: OTHERS },
};

const [group = "", ...names] = process.argv.slice(2);
const programs = GROUPS[group] ?? [];
const unknown = names.filter((name) => !programs.some((program) => program.name === name));
if (unknown.length > 0) throw new Error(`unknown: ${unknown}; expected ${programs.map(({ name }) => name)}`);

const folder = mkdtempSync(join(tmpdir(), "signet-foreign-"));
const copy = join(folder, "repository");
copyRepository();
const dataDir = join(folder, "data");
const service = await startService(dataDir);
try {
  for (const program of programs) if (names.length === 0 || names.includes(program.name)) await run(program);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run({ name, script, needs, prints, hasCommands = false }: Program): Promise<void> {
  const missing = needs.find((command) => !succeeds(command));
  if (missing !== undefined) {
    console.log(`${name}: skipped, because this fails: ${missing}`);
    return;
  }
  const OUT = join(folder, name);
  mkdirSync(OUT);
  const since = performance.now();
  const { status, stdout, stderr } = await runScript(script, {
    cwd: copy,
    env: {
      ...{ ...process.env, OUT, SIGNET_ADDRESS: service.address, SIGNET_TOKEN: service.token },
      CARGO_TARGET_DIR,
      ...(hasCommands && { DATA_DIR: dataDir, PORT: new URL(`http://${service.address}`).port }),
    },
    timeoutMs: TIMEOUT_MS,
  });
  const left = git("ls-files", "--modified", "--deleted", "--others", "--exclude-standard");
  const isPassed = status === 0 && prints.test(stdout) && left === "";
  console.log(`${name}: ${isPassed ? "passed" : "FAILED"} after ${Math.round((performance.now() - since) / 1000)} s`);
  console.log(lastLines(stdout, isPassed ? 10 : 400));
  if (isPassed) return;
  process.exitCode = 1;
  console.log(`  exit code ${status}, expected output ${prints}`);
  if (left !== "") console.log(`  changed the repository: ${left}`);
  console.log(lastLines(stderr, 20));
}

function lastLines(text: string, count: number): string {
  return text.trim().split("\n").slice(-count).join("\n").replace(/^/gm, "  ");
}

/** Copies the files that git tracks or would track, so that uncommitted changes are tested too. */
function copyRepository(): void {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of files.split("\0")) if (file !== "") cpSync(file, join(copy, file), { force: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  git("init", "--quiet");
  git("add", "--all");
}

function git(...args: string[]): string {
  return execFileSync("git", ["-C", copy, ...args], { encoding: "utf8" }).trim();
}

function succeeds(command: string): boolean {
  try {
    execFileSync("bash", ["-c", command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
