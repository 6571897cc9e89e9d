import type { Call } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { addProblem, type Problems, SignetError } from "../errors.ts";
import { appendToOwner, type ChangeParts, holdOwner, inChange } from "../events/change-object.ts";
import { hostOf } from "../events/host-of.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { describeEndpointProblem } from "../fields/endpoint.ts";
import { createSigningKey } from "../webhooks/signing-key.ts";
import { PASSWORD_HOOK_SEALED } from "./find-password-hook.ts";

interface PasswordHookFields {
  readonly url: string;
}

interface SetParts extends ChangeParts {
  readonly keyring: Keyring;
}

/** Checks the rules of SetPasswordHookRequest that the schema cannot express. */
export function checkPasswordHook({ url }: PasswordHookFields, problems: Problems): PasswordHookFields {
  // The schema rejects an empty URL.
  addProblem(problems, "url", url === "" ? undefined : describeEndpointProblem(url));
  return { url };
}

/**
 * Sets the URL of the organization's password hook, with a new signing key, which cannot be shown again
 * (docs/reference/password-hook.md).
 *
 * @throws SignetError for a failure of the database.
 */
export const setPasswordHook = inChange(async (change, { url }: PasswordHookFields, call, { keyring }: SetParts) => {
  const { signingKey, row: key } = createSigningKey(keyring, PASSWORD_HOOK_SEALED);
  const owner = await holdOwner(change, { kind: "org", id: call.orgId });
  const event = { type: "org.password.hook.set", payload: { host: hostOf(url) } } as const;
  const { details } = await appendToOwner(change, owner, [event]);
  const { sequence, changeDate: changed_at } = details;
  const hook = { id: key.keyId, url, secret: key.secret, secret_key: key.secretKey, sequence, changed_at };
  const { created_at: creationDate } = await change.db
    .insertInto("password_hooks")
    .values({ owner_id: owner.id, created_at: changed_at, ...hook })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(hook))
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return { signingKey, details: { ...details, creationDate } };
});

/**
 * Removes the organization's password hook (docs/reference/password-hook.md).
 *
 * @throws SignetError PASSWORD_HOOK_NOT_FOUND, or for a failure of the database.
 */
export const removePasswordHook = inChange(async (change, _fields: object, call) => {
  const owner = await holdOwner(change, { kind: "org", id: call.orgId });
  const removed = await change.db
    .deleteFrom("password_hooks")
    .where("owner_id", "=", owner.id)
    .returning("created_at")
    .executeTakeFirst();
  if (removed === undefined) throw passwordHookNotFound();
  const { details } = await appendToOwner(change, owner, [{ type: "org.password.hook.removed", payload: {} }]);
  return { details: { ...details, creationDate: removed.created_at } };
});

/** The columns of a password hook in responses. */
export interface PasswordHookRow extends ObjectRow {
  readonly ownerId: string;
  readonly url: string;
}

/**
 * Returns the organization's password hook, without its signing key (docs/reference/password-hook.md).
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

function passwordHookNotFound(): SignetError {
  return new SignetError("PASSWORD_HOOK_NOT_FOUND", "the organization has no password hook");
}

const selectHook = prepareStatement<{ ownerId: string }, PasswordHookRow>((db, param) =>
  db
    .selectFrom("password_hooks")
    .select(["owner_id as ownerId", "url", "sequence", "created_at", "changed_at"])
    .where("owner_id", "=", param("ownerId", "uuid")),
);
