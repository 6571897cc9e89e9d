import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { Keyring } from "./keyring.ts";

/** Columns that hold something encrypted, each with a column beside it that holds the id of the key. */
const SEALED_COLUMNS = [
  { table: "idps", owner: "owner_id", column: "client_secret" },
  { table: "users", owner: "org_id", column: "otp_code" },
  { table: "messages", owner: "org_id", column: "content" },
] as const;
const BATCH = 500;

/**
 * Encrypts again, under the current key, what is encrypted under an older one, and forgets the older keys that nothing
 * needs any more. A server may go on meanwhile, as long as it has both keys: a row that it changes at the same moment
 * stays as the server left it.
 *
 * The digits of an SMS are hashed under a key of their own, and only the message that brings them has them: while it
 * waits they are hashed anew. Codes that are used or expired lose them here, and those in between keep their key needed
 * for as long as they are valid.
 *
 * @returns How many values were encrypted again, and the ids of older keys that are still needed.
 */
export async function rotateKeys(db: Kysely<Tables>, keyring: Keyring, now: Date) {
  let rewritten = 0;
  for (const place of SEALED_COLUMNS) rewritten += await rewriteColumn(db, keyring, place);
  await db
    .updateTable("codes")
    .set({ digits_hash: null, digits_key: null })
    .where("digits_key", "<>", keyring.currentKeyId)
    .where(({ or, eb }) => or([eb("used_at", "is not", null), eb("expires_at", "<=", now)]))
    .execute();
  await rehashDigits(db, keyring);
  return { rewritten, stillNeeded: await forgetOlderKeys(db, keyring) };
}

async function rewriteColumn(
  db: Kysely<Tables>,
  keyring: Keyring,
  { table, owner, column }: (typeof SEALED_COLUMNS)[number],
): Promise<number> {
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

/** Hashes again, under the current key, the digits whose message waits. It may be sent meanwhile: the digits stay. */
async function rehashDigits(db: Kysely<Tables>, keyring: Keyring): Promise<void> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await db
      .selectFrom("codes")
      .innerJoin("messages", (join) =>
        join.onRef("messages.org_id", "=", "codes.org_id").onRef("messages.code_id", "=", "codes.id"),
      )
      .select(["codes.org_id", "codes.id", "codes.digits_hash", "codes.digits_key"])
      .select(["messages.id as message_id", "messages.content", "messages.content_key"])
      .where("codes.digits_key", "<>", keyring.currentKeyId)
      .where("messages.content", "is not", null)
      .where("codes.id", ">", after)
      .orderBy("codes.id")
      .limit(BATCH)
      .execute();
    for (const { org_id, id, digits_hash, digits_key, message_id, content, content_key } of rows) {
      if (content === null || content_key === null) continue;
      const place = { table: "messages", column: "content", rowId: message_id };
      // Content and hash are those of `createOutbox`.
      const { digits } = JSON.parse(keyring.open(place, { keyId: content_key, ciphertext: content }));
      if (digits_key === null || !digits_hash?.equals(keyring.digest(`${id} ${digits}`, digits_key).mac)) continue;
      const { keyId, mac } = keyring.digest(`${id} ${digits}`);
      await db
        .updateTable("codes")
        .set({ digits_hash: mac, digits_key: keyId })
        .where("org_id", "=", org_id)
        .where("id", "=", id)
        .where("digits_hash", "=", digits_hash)
        .where("digits_key", "=", digits_key)
        .execute();
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function forgetOlderKeys(db: Kysely<Tables>, keyring: Keyring): Promise<string[]> {
  const isUsed = (table: string, column: string) =>
    sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = master_keys.id)`;
  const uses = [
    ...SEALED_COLUMNS.map(({ table, column }) => isUsed(table, `${column}_key`)),
    isUsed("codes", "digits_key"),
  ];
  await db
    .deleteFrom("master_keys")
    .where("id", "<>", keyring.currentKeyId)
    .where(({ not, or }) => not(or(uses)))
    .execute();
  const kept = await db.selectFrom("master_keys").select("id").where("id", "<>", keyring.currentKeyId).execute();
  return kept.map(({ id }) => id);
}
