import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** The columns of a password hook in responses. */
export interface PasswordHookRow extends ObjectRow {
  readonly ownerId: string;
  readonly url: string;
}

/**
 * Returns the organization's password hook, without its signing key (docs/api.md).
 *
 * @throws SignetError PASSWORD_HOOK_NOT_FOUND, or for a failure of the database.
 */
export async function getPasswordHook(
  { db }: { readonly db: Database },
  _fields: object,
  call: Call,
): Promise<PasswordHookRow> {
  const [row] = await selectHook(db, { ownerId: call.orgId }, call);
  if (row === undefined) throw passwordHookNotFound();
  return row;
}

export function passwordHookNotFound(): SignetError {
  return new SignetError("PASSWORD_HOOK_NOT_FOUND", "the organization has no password hook");
}

const selectHook = prepareStatement<{ ownerId: string }, PasswordHookRow>((db, param) =>
  db
    .selectFrom("password_hooks")
    .select(["owner_id as ownerId", "url", "sequence", "created_at", "changed_at"])
    .where("owner_id", "=", param("ownerId", "uuid")),
);
