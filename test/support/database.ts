import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { type Address, connect, openPool } from "../../src/database/connection.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import type { Tables } from "../../src/database/tables.ts";
import { borrowEmbedded } from "./embedded-lender.ts";
import { createDatabase, runStatement } from "./postgres.ts";

export type DatabaseKind = "postgres" | "embedded";
export const DATABASE_KINDS: readonly DatabaseKind[] = ["postgres", "embedded"];

/** A database for one test, with empty tables. */
export interface TestDatabase {
  readonly db: Kysely<Tables>;
  readonly pagesDb: Kysely<Tables>;
  readonly address: Address;
  close(): Promise<void>;
}

let count = 0;

export async function createTestDatabase(kind: DatabaseKind, poolSize = 16): Promise<TestDatabase> {
  const server = kind === "postgres" ? await createPostgresDatabase() : await createEmbeddedDatabase();
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

let isBorrowed = false;

/** The database that all test files of this Jest worker use one after another, or a new one if it is in use. */
async function createEmbeddedDatabase() {
  if (isBorrowed) return startEmbeddedDatabase();
  isBorrowed = true;
  const path = environment("TEST_EMBEDDED_LENDER");
  const socketDir = await borrowEmbedded(path, environment("JEST_WORKER_ID"));
  await empty({ socketDir });
  return {
    address: { socketDir },
    async drop() {
      isBorrowed = false;
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
  const folder = mkdtempSync(join(tmpdir(), "signet-test-"));
  cpSync(environment("TEST_EMBEDDED_TEMPLATE"), folder, { recursive: true });
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
