import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { type Address, openConnections } from "../../src/database/connection.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import type { Tables } from "../../src/database/tables.ts";
import { runStatement } from "./postgres.ts";

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
  const { db, pagesDb, close } = openConnections(server.address, poolSize, () => {});
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
  await runStatement(url, `create database ${name} template ${environment("TEST_POSTGRES_TEMPLATE")}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { address: { url: own.href }, drop: () => runStatement(url, `drop database ${name} with (force)`) };
}

async function createEmbeddedDatabase() {
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

/** A variable that the global set-up has set. */
export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the set-up before all tests did not run`);
  return value;
}
