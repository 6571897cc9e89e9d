import { type Selectable, sql } from "kysely";
import type { HashedColumn } from "../crypto/rotate-keys.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { createPurge } from "../database/purge.ts";
import type { Tables } from "../database/tables.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** A stored response, with the data that identifies its call. */
export type StoredResponseRow = ObjectRow &
  Pick<Selectable<Tables["idempotency_keys"]>, "request_mac" | "answer" | "master_key">;

interface FindValues {
  callerId: string;
  keyHash: Buffer;
  now: Date;
}

/**
 * Finds the response stored under a caller's key. Deletes an expired one, so that the key can be reused.
 *
 * @throws SignetError if the database fails.
 */
export async function findStoredResponse(
  db: Database,
  values: FindValues,
  caller?: { throwIfOver(): void },
): Promise<StoredResponseRow | undefined> {
  const [row] = await selectStoredResponse(db, values, caller);
  return row;
}

const selectStoredResponse = prepareStatement<FindValues, StoredResponseRow>((db, param) =>
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

/** Stored responses that have expired. */
export const ENDED_RESPONSES = createPurge({
  what: "responses",
  isImmediate: true,
  table: "idempotency_keys",
  key: ["caller_id", "key_hash"],
  endedAt: sql.ref("expires_at"),
});

/**
 * The columns that depend on a master key. The key stays in use until the rows expire, because stored requests cannot
 * be rehashed.
 */
export const RESPONSE_HASHED: HashedColumn = {
  table: "idempotency_keys",
  keyColumn: "master_key",
  async rotate(db, _keyring, now) {
    await db.deleteFrom("idempotency_keys").where("expires_at", "<=", now).execute();
  },
};
