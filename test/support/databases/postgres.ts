import { execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { findOwner, findPrograms } from "./postgres-programs.ts";

export interface TestPostgres {
  /** Which one it is, for people. */
  readonly name: string;
  urlOf(database: string): string;
  run(statement: string): Promise<void>;
  stop(): Promise<void>;
}

/** Settings for speed: nothing has to survive a crash, and most databases exist for seconds. */
const SHORT_LIVED = [
  "max_connections=300",
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
];

/** The PostgreSQL server at TEST_DATABASE_URL, or a temporary one if that is not set. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  return given === undefined
    ? startPostgres(
        SHORT_LIVED.flatMap((setting) => ["-c", setting]),
        undefined,
        // Saves 2 of the 8 ms of CPU time per connection, of which the suite opens more than a thousand.
        "md5",
      )
    : at(given, "PostgreSQL at TEST_DATABASE_URL", async () => {});
}

/**
 * A temporary PostgreSQL server; see `findPrograms`.
 *
 * @param flags Arguments of `postgres`, such as `-c` and `fsync=off`. All other settings are those of the distribution.
 * @param onLog Receives its log in chunks.
 * @param authMethod How passwords are stored and sent; by default as SCRAM verifiers, and in plaintext.
 */
export async function startPostgres(
  flags: readonly string[],
  onLog: (text: string) => void = () => {},
  authMethod: "password" | "md5" = "password",
): Promise<TestPostgres> {
  // Under the system's temporary folder, because as root the server runs as another user.
  const folder = mkdtempSync(join(tmpdir(), "signet-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    await createCluster(folder, authMethod);
    const port = await freePort();
    const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    const stop = await startServer(folder, ["-p", String(port), ...flags], { url, onLog, remove });
    return at(url, findPrograms().name, stop);
  } catch (error) {
    remove();
    throw error;
  }
}

async function createCluster(folder: string, authMethod: string): Promise<void> {
  const owner = findOwner();
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, "postgres");
  const options = ["--username=postgres", `--auth=${authMethod}`, `--pwfile=${passwordFile}`, "--no-sync"];
  const args = ["-D", join(folder, "data"), ...options, "--encoding=UTF8", "--locale=C"];
  await promisify(execFile)(join(findPrograms().folder, "initdb"), args, { ...owner, cwd: folder });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const exit = () => process.exit(1);

/** Starts PostgreSQL, and waits until it accepts writes. Returns what stops it and removes its folder. */
async function startServer(
  folder: string,
  flags: readonly string[],
  { url, onLog, remove }: { url: string; onLog: (text: string) => void; remove: () => void },
): Promise<() => Promise<void>> {
  // The default folder of the socket may belong to another user.
  const args = ["-D", join(folder, "data"), "-k", folder, ...flags];
  const child = spawn(join(findPrograms().folder, "postgres"), args, {
    ...findOwner(),
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log = (log + text).slice(-10_000);
    onLog(text);
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  // If this process ends before it stops the server. A signal alone would not emit "exit".
  const abandon = () => {
    child.kill("SIGQUIT");
    remove();
  };
  process.once("exit", abandon);
  for (const signal of SIGNALS) process.once(signal, exit);
  const stop = async () => {
    // "Fast shutdown" (PostgreSQL documentation, "Shutting Down the Server").
    child.kill("SIGINT");
    await ended;
    remove();
    process.off("exit", abandon);
    for (const signal of SIGNALS) process.off(signal, exit);
  };
  try {
    await until("PostgreSQL accepts writes", async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${log}`);
      return isPrimary(url);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function at(url: string, name: string, stop: () => Promise<void>): TestPostgres {
  return {
    name,
    urlOf(database) {
      const parsed = new URL(url);
      parsed.pathname = `/${database}`;
      return parsed.href;
    },
    run: (statement) => runStatement(url, statement),
    stop,
  };
}

/** Creates a database. Copying the template's files is cheaper than PostgreSQL's default, which logs each block. */
export async function createDatabase(url: string, name: string, template: string): Promise<void> {
  await runStatement(url, `create database ${name} template ${template} strategy file_copy`);
}

/** Runs one statement over a new connection. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Whether the server accepts writes. A standby does not. */
export async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client(url).on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select pg_is_in_recovery() as recovers");
    return rows[0]?.recovers === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
