import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type KyselyPlugin, sql } from "kysely";
import type { QueryCaller } from "../../../src/call.ts";
import { type Address, connect, openPool } from "../../../src/database/connection.ts";
import type { Connections, Database, Query } from "../../../src/database/database.ts";
import { startEmbedded } from "../../../src/database/embedded.ts";
import { createDatabase, runStatement } from "./postgres.ts";

export type DatabaseKind = "postgres" | "embedded";
export const DATABASE_KINDS: readonly DatabaseKind[] = ["postgres", "embedded"];

/** A database for one test, with empty tables. */
export interface TestDatabase {
  readonly db: Database;
  readonly pagesDb: Database;
  readonly address: Address;
  close(): Promise<void>;
}

let count = 0;

/** With TEST_DATABASE=embedded, all are embedded. */
export async function createTestDatabase(kind: DatabaseKind, poolSize = 16): Promise<TestDatabase> {
  const isEmbedded = kind === "embedded" || process.env.TEST_DATABASE === "embedded";
  const server = isEmbedded ? await createEmbeddedDatabase() : await createPostgresDatabase();
  const { db, pagesDb, close } = openPool(server.address, poolSize, () => {});
  return {
    db,
    pagesDb,
    address: server.address,
    async close() {
      await close();
      await server.drop();
    },
  };
}

async function createPostgresDatabase() {
  const name = `signet_test_${process.pid}_${++count}`;
  const url = environment("TEST_POSTGRES_URL");
  await createDatabase(url, name, environment("TEST_POSTGRES_TEMPLATE"));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { address: { url: own.href }, drop: () => runStatement(url, `drop database ${name} with (force)`) };
}

declare global {
  /** With `--runInBand`, the tests run in Jest's process, which exits once the database is closed. */
  var closeSharedDatabase: (() => Promise<void>) | undefined;
}

let shared: ReturnType<typeof startEmbeddedDatabase> | undefined;
let isInUse = false;

/**
 * The database that all test files of this process use one after another, because startup takes about a second of CPU
 * time; or a new one if it is in use. The process exits without closing it.
 */
async function createEmbeddedDatabase() {
  if (isInUse) return startEmbeddedDatabase();
  isInUse = true;
  shared ??= startEmbeddedDatabase();
  const { address, drop } = await shared;
  globalThis.closeSharedDatabase = drop;
  await empty(address);
  return {
    address,
    async drop() {
      isInUse = false;
    },
  };
}

/**
 * Removes the rows and settings of earlier tests. `truncate` takes five times the CPU time (90 ms), because it
 * recreates the files of all tables and indexes. As a replica, the session does not check foreign keys, so any order
 * works.
 */
async function empty(address: Address): Promise<void> {
  const db = connect(address, 1, () => {});
  await sql`discard all`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'`.execute(db);
  await sql`set session_replication_role = replica`.execute(db);
  for (const { name } of rows) await sql`delete from ${sql.table(name)}`.execute(db);
  await sql`reset session_replication_role`.execute(db);
  await sql`select setval(seqrelid, seqstart, false) from pg_sequence`.execute(db);
  await db.destroy();
}

async function startEmbeddedDatabase() {
  const template = environment("TEST_EMBEDDED_TEMPLATE");
  // Beside the template, so that it is removed after all tests.
  const folder = mkdtempSync(join(dirname(template), "test-"));
  cpSync(template, folder, { recursive: true });
  const embedded = await startEmbedded(folder);
  return {
    address: { socketDir: embedded.socketDir },
    async drop() {
      await embedded.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A variable set by the global setup. */
export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the set-up before all tests did not run`);
  return value;
}

/** The same database. Calls `onQuery` after each statement; a promise that it returns holds back the result. */
export function watchQueries(db: Database, onQuery: (query: Query) => void | Promise<void>): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await onQuery({ sql: "", parameters: [] });
      return result;
    },
  };
  const watch = (connections: Connections): Connections => ({
    async enter(caller?: QueryCaller) {
      const connection = await connections.enter(caller);
      const query = (given: Query) => connection.query(given).finally(() => onQuery(given));
      return { query, leave: connection.leave };
    },
  });
  const ofCaller = (caller: QueryCaller) => db.ofCaller(caller).withPlugin(plugin);
  return Object.assign(db.withPlugin(plugin), watch(db), { lists: watch(db.lists), ofCaller });
}
