import { hashDigits, isRightDigits } from "../codes/digits.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { HashedColumn } from "../crypto/rotate-keys.ts";
import { NIL_ID } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { openContent } from "./message-content.ts";

/** The column of hashed digits. */
export const CODE_HASHED: HashedColumn = { table: "codes", keyColumn: "digits_key", rotate: rotateDigits };

const BATCH = 500;

/**
 * Rehashes digits with the current key. A hash cannot be converted, so this works only while the queued message still
 * contains the digits. The hashes of used and expired codes are deleted. All other codes keep their old key in use
 * until they expire.
 */
async function rotateDigits(db: Database, keyring: Keyring, now: Date): Promise<void> {
  await db
    .updateTable("codes")
    .set({ digits_hash: null, digits_key: null })
    .where("digits_key", "<>", keyring.currentKeyId)
    .where(({ or, eb }) => or([eb("used_at", "is not", null), eb("expires_at", "<=", now)]))
    .execute();
  let after = NIL_ID;
  for (;;) {
    const codes = await selectWaiting(db, keyring, after);
    for (const code of codes) await rehash(db, keyring, code);
    const last = codes.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

type WaitingCode = Awaited<ReturnType<typeof selectWaiting>>[number];

async function selectWaiting(db: Database, keyring: Keyring, after: string) {
  return await db
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
}

/** Safe while the message is being sent, because its digits do not change. */
async function rehash(db: Database, keyring: Keyring, code: WaitingCode): Promise<void> {
  const { org_id, id, digits_hash, digits_key, message_id, content, content_key } = code;
  const { digits = "" } = openContent(keyring, { id: message_id, content, content_key });
  if (!isRightDigits(keyring, id, digits, code)) return;
  await db
    .updateTable("codes")
    .set(hashDigits(keyring, id, digits))
    .where("org_id", "=", org_id)
    .where("id", "=", id)
    .where("digits_hash", "=", digits_hash)
    .where("digits_key", "=", digits_key)
    .execute();
}
