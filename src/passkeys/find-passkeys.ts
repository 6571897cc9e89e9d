import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { PasskeyDescriptor, StoredPasskey } from "./ceremony.ts";

interface FindParts {
  readonly db: Database;
}

/** A passkey and its user. */
export interface FoundPasskey extends StoredPasskey {
  readonly userId: string;
  readonly counter: bigint;
  /** The user handle that it comes with; null for the id of the user; empty if it is not known. */
  readonly userHandle: Buffer | null;
}

/** Finds a passkey of an organization by its credential id. */
export async function findPasskey(
  { db }: FindParts,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  caller: QueryCaller,
): Promise<FoundPasskey | undefined> {
  const [found] = await selectPasskey(db, { orgId, id }, caller);
  return found;
}

/** Returns at most 100 passkeys of a user, oldest first. */
export async function listPasskeyDescriptors(
  { db }: FindParts,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  caller: QueryCaller,
): Promise<PasskeyDescriptor[]> {
  const rows = await selectOfUser(db, { orgId, userId: id }, caller);
  return rows.map((row) => ({ type: "public-key", ...row }));
}

const MAX_LISTED = 100;

const selectPasskey = prepareStatement<{ orgId: string; id: string }, FoundPasskey>((db, param) =>
  db
    .selectFrom("passkeys")
    .select(["id", "user_id as userId", "public_key as publicKey", "counter", "device_type as deviceType"])
    .select("user_handle as userHandle")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "text")),
);

const selectOfUser = prepareStatement<{ orgId: string; userId: string }, { id: string; transports: string[] }>(
  (db, param) =>
    db
      .selectFrom("passkeys")
      .select(["id", "transports"])
      .where("org_id", "=", param("orgId", "uuid"))
      .where("user_id", "=", param("userId", "uuid"))
      .orderBy("created_at")
      .orderBy("id")
      .limit(MAX_LISTED),
);
