import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import type { Keyring } from "./keyring.ts";

/** A column of encrypted values. The column `<column>_key` holds the ids of their keys. */
export interface SealedColumn {
  readonly table: keyof Tables;
  /** The column that forms the primary key together with `id`. */
  readonly owner: string;
  readonly column: string;
}

/** A column of keyed hashes. A hash cannot be converted in general, so each column has its own function. */
export interface HashedColumn {
  readonly table: keyof Tables;
  /** The column of the key ids. */
  readonly keyColumn: string;
  /** Rehashes values with the current key if possible, and deletes hashes that are no longer needed. */
  readonly rotate: (db: Database, keyring: Keyring, now: Date) => Promise<void>;
}

/** All columns that depend on a master key. Each room declares its own. */
export interface KeyedColumns {
  readonly sealed: readonly SealedColumn[];
  readonly hashed: readonly HashedColumn[];
}

const BATCH = 500;

/**
 * Re-encrypts stored secrets with the current key, and deletes the ids of older keys that are no longer in use. A
 * server that has both keys may keep running. If it changes a row concurrently, the server's value is kept.
 *
 * @returns How many values were re-encrypted, and the ids of older keys that are still in use.
 */
export async function rotateKeys(db: Database, keyring: Keyring, columns: KeyedColumns, now: Date) {
  let rewritten = 0;
  for (const column of columns.sealed) rewritten += await rewriteColumn(db, keyring, column);
  for (const { rotate } of columns.hashed) await rotate(db, keyring, now);
  return { rewritten, stillNeeded: await deleteUnusedKeys(db, keyring, columns) };
}

async function rewriteColumn(db: Database, keyring: Keyring, { table, owner, column }: SealedColumn): Promise<number> {
  const [ciphertext, key] = [sql.ref(column), sql.ref(`${column}_key`)];
  let rewritten = 0;
  for (;;) {
    const { rows } = await sql<{ owner: string; id: string; ciphertext: Buffer; key: string }>`
      select ${sql.ref(owner)} as owner, id, ${ciphertext} as ciphertext, ${key} as key
      from ${sql.table(table)} where ${key} <> ${keyring.currentKeyId} limit ${BATCH}`.execute(db);
    if (rows.length === 0) return rewritten;
    for (const row of rows) {
      const place = { table, column, rowId: row.id };
      const sealed = keyring.seal(place, keyring.open(place, { keyId: row.key, ciphertext: row.ciphertext }));
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${ciphertext} = ${sealed.ciphertext}, ${key} = ${sealed.keyId}
        where ${sql.ref(owner)} = ${row.owner} and id = ${row.id} and ${ciphertext} = ${row.ciphertext}`.execute(db);
      rewritten += Number(numAffectedRows ?? 0);
    }
  }
}

/** @returns The ids of older keys that are still in use. */
async function deleteUnusedKeys(db: Database, keyring: Keyring, { sealed, hashed }: KeyedColumns): Promise<string[]> {
  const isUsed = (table: string, column: string) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = master_keys.id)`;
  const uses = [
    ...sealed.map(({ table, column }) => isUsed(table, `${column}_key`)),
    ...hashed.map(({ table, keyColumn }) => isUsed(table, keyColumn)),
  ];
  await db
    .deleteFrom("master_keys")
    .where("id", "<>", keyring.currentKeyId)
    .where(({ not, or }) => not(or(uses)))
    .execute();
  const kept = await db.selectFrom("master_keys").select("id").where("id", "<>", keyring.currentKeyId).execute();
  return kept.map(({ id }) => id);
}
