import { type Kysely, type Selectable, sql } from "kysely";
import type { HashedColumn } from "../crypto/rotate-keys.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** A stored answer, and how to check that a call is the one that it answered. */
export type KeptAnswerRow = ObjectRow &
  Pick<Selectable<Tables["idempotency_keys"]>, "request_mac" | "answer" | "master_key">;

interface FindValues {
  callerId: string;
  keyHash: Buffer;
  now: Date;
}

/**
 * Finds the answer that is stored under a caller's key. Deletes one that has expired, so that the key can be used again.
 *
 * @throws SignetError for a failure of the database.
 */
export async function findKeptAnswer(
  db: Kysely<Tables>,
  values: FindValues,
  caller?: { throwIfOver(): void },
): Promise<KeptAnswerRow | undefined> {
  const [row] = await selectKeptAnswer(db, values, caller);
  return row;
}

const selectKeptAnswer = prepareStatement<FindValues, KeptAnswerRow>((db, param) =>
  db
    .with("expired", (query) =>
      query
        .deleteFrom("idempotency_keys")
        .where("caller_id", "=", param("callerId", "uuid"))
        .where("key_hash", "=", param("keyHash", "bytea"))
        .where("expires_at", "<=", param("now", "timestamptz")),
    )
    .selectFrom("idempotency_keys")
    .select(["request_mac", "answer", "master_key", "sequence"])
    .select(["creation_date as created_at", "change_date as changed_at"])
    .where("caller_id", "=", param("callerId", "uuid"))
    .where("key_hash", "=", param("keyHash", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz")),
);

/**
 * Deletes answers that have expired, at most `limit`. To be repeated while it returns that many.
 *
 * @returns How many were deleted.
 * @throws SignetError for a failure of the database.
 */
export async function deleteExpiredAnswers(
  db: Kysely<Tables>,
  values: { readonly now: Date; readonly limit: bigint },
): Promise<number> {
  return (await deleteExpired(db, values)).length;
}

const deleteExpired = prepareStatement<{ now: Date; limit: bigint }, unknown>((db, param) =>
  db
    .with(
      (cte) => cte("expired").materialized(),
      (query) =>
        query
          .selectFrom("idempotency_keys")
          .select(["caller_id", "key_hash"])
          .where("expires_at", "<=", param("now", "timestamptz"))
          .orderBy("expires_at")
          .limit(param("limit", "bigint"))
          .forUpdate()
          .skipLocked(),
    )
    .deleteFrom("idempotency_keys")
    .using("expired")
    .whereRef("idempotency_keys.caller_id", "=", "expired.caller_id")
    .whereRef("idempotency_keys.key_hash", "=", "expired.key_hash")
    .returning(sql<number>`1`.as("deleted")),
);

/** The columns that depend on a master key. They keep it in use until they expire: a request cannot be hashed again. */
export const ANSWER_HASHED: HashedColumn = {
  table: "idempotency_keys",
  keyColumn: "master_key",
  async rotate(db, _keyring, now) {
    await db.deleteFrom("idempotency_keys").where("expires_at", "<=", now).execute();
  },
};
