import { type Selectable, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { HashedColumn } from "../crypto/rotate-keys.ts";
import { bytesToText } from "../database/command-list.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** A stored response, with the data that identifies its call. */
export type StoredResponseRow = ObjectRow &
  Pick<Selectable<Tables["idempotency_keys"]>, "request_mac" | "answer" | "master_key">;

/** A caller's key, and the time. */
interface KeyAt {
  callerId: string;
  keyHash: Buffer;
  now: Date;
}

interface Lookup {
  readonly callerId: string;
  /** Created by `bytesToText`. */
  readonly keyHash: string;
}

/**
 * Finds the response stored under a caller's key. Deletes an expired one, so that the key can be reused.
 *
 * @throws SignetError if the database fails.
 */
export async function findStoredResponse(
  { db, runTogether }: { readonly db: Database; readonly runTogether: RunTogether },
  { callerId, keyHash, now }: KeyAt,
  caller?: QueryCaller,
): Promise<StoredResponseRow | undefined> {
  const row = await runTogether(FIND_STORED_RESPONSE, { callerId, keyHash: bytesToText(keyHash) }, caller);
  if (!isFound(row)) return undefined;
  if (row.expires_at > now) return row;
  // The look-up has confirmed the caller.
  await deleteExpired(db, { callerId, keyHash, now }, caller && { ...caller, authority: undefined });
  return undefined;
}

const deleteExpired = prepareStatement<KeyAt, unknown>((db, param) =>
  db
    .deleteFrom("idempotency_keys")
    .where("caller_id", "=", param("callerId", "uuid"))
    .where("key_hash", "=", param("keyHash", "bytea"))
    .where("expires_at", "<=", param("now", "timestamptz")),
);

type FoundResponse = StoredResponseRow & Pick<Selectable<Tables["idempotency_keys"]>, "expires_at">;
type NotFound = { readonly [Column in keyof FoundResponse]: null };

function isFound(row: FoundResponse | NotFound | undefined): row is FoundResponse {
  return row !== undefined && row.expires_at !== null;
}

/**
 * Many callers send many calls with keys at once, such as an import of users. Returns a row for each key, because a
 * statement without rows has not confirmed a remembered caller.
 */
const FIND_STORED_RESPONSE = prepareLookUp<Lookup, FoundResponse | NotFound>(
  "find_stored_response",
  { callerId: "uuid", keyHash: "bytea" },
  (asked) =>
    asked
      .leftJoin("idempotency_keys", (join) =>
        join.onRef("caller_id", "=", "asked.callerId").on("key_hash", "=", sql<Buffer>`asked."keyHash"`),
      )
      .select(["request_mac", "answer", "master_key", "expires_at", "idempotency_keys.sequence"])
      .select(["creation_date as created_at", "change_date as changed_at"]),
);

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
