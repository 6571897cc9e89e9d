import type { QueryCaller } from "../call.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { StoredSigningKey } from "../webhooks/signing-key.ts";

/** The column of encrypted signing keys. */
export const PASSWORD_HOOK_SEALED = {
  table: "password_hooks",
  owner: "owner_id",
  column: "secret",
} as const satisfies SealedColumn;

/** A password hook with its signing key. */
export interface PasswordHook extends StoredSigningKey {
  readonly orgId: string;
  readonly url: string;
}

/** Finds the password hook of an organization; undefined if it has none. */
export async function findPasswordHook(
  { db }: { readonly db: Database },
  orgId: string,
  caller: QueryCaller,
): Promise<PasswordHook | undefined> {
  const [hook] = await selectHook(db, { orgId }, caller);
  return hook;
}

const selectHook = prepareStatement<{ orgId: string }, PasswordHook>((db, param) =>
  db
    .selectFrom("password_hooks")
    .select(["owner_id as orgId", "id", "url", "secret", "secret_key as secretKey"])
    .where("owner_id", "=", param("orgId", "uuid")),
);
