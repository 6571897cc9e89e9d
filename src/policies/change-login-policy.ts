import { isDeepStrictEqual } from "node:util";
import { SignetError } from "../errors.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { appendToOwner, type Change, holdOwner, inChange } from "../events/change-object.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { LoginPolicy } from "./login-policy.ts";

/**
 * Gives the organization of the call a login policy of its own (docs/reference/login-policy.md).
 *
 * @throws SignetError POLICY_EXISTS, or for a failure of the database, like all functions in this file.
 */
export const addLoginPolicy = inChange(async (change, policy: LoginPolicy, call) => {
  const held = await holdPolicy(change, { kind: "org", id: call.orgId });
  if (held.stored !== undefined) throw policyExists();
  return await storePolicy(change, held, policy, { type: "org.login.policy.added", payload: policy });
});

/**
 * Replaces the organization's own login policy (docs/reference/login-policy.md). If it has these values, nothing
 * changes.
 *
 * @throws SignetError POLICY_NOT_FOUND.
 */
export const updateLoginPolicy = inChange(async (change, policy: LoginPolicy, call) => {
  const held = await holdPolicy(change, { kind: "org", id: call.orgId });
  if (held.stored === undefined) throw policyNotFound();
  return await storePolicy(change, held, policy, { type: "org.login.policy.changed", payload: policy });
});

/**
 * Replaces the login policy of the instance (docs/reference/login-policy.md). If it has these values, nothing changes.
 */
export const updateInstanceLoginPolicy = inChange(async (change, policy: LoginPolicy, call) => {
  const held = await holdPolicy(change, { kind: "instance", id: call.instanceId });
  return await storePolicy(change, held, policy, { type: "instance.login.policy.changed", payload: policy });
});

/**
 * Removes the organization's own login policy, so that it inherits that of the instance again
 * (docs/reference/login-policy.md).
 *
 * @throws SignetError POLICY_NOT_FOUND.
 */
export const removeLoginPolicy = inChange(async (change, _fields: object, call) => {
  const { owner, stored } = await holdPolicy(change, { kind: "org", id: call.orgId });
  if (stored === undefined) throw policyNotFound();
  await change.db.deleteFrom("login_policies").where("owner_id", "=", owner.id).execute();
  const { details } = await appendToOwner(change, owner, [{ type: "org.login.policy.removed", payload: {} }]);
  return { details: { ...details, creationDate: stored.created_at } };
});

/** Locks the owner of a policy, to which the events belong, and reads the policy. */
async function holdPolicy(change: Change, owner: Owner) {
  const held = await holdOwner(change, owner);
  const query = change.db.selectFrom("login_policies").selectAll().where("owner_id", "=", held.id);
  return { owner: held, stored: await query.executeTakeFirst() };
}

async function storePolicy(
  change: Change,
  { owner, stored }: Awaited<ReturnType<typeof holdPolicy>>,
  settings: LoginPolicy,
  event: NewEvent,
): Promise<Changed> {
  if (stored !== undefined && isDeepStrictEqual(stored.settings, settings)) return toChanged(stored, owner.id);
  const { details } = await appendToOwner(change, owner, [event]);
  const version = { settings, sequence: details.sequence, changed_at: details.changeDate };
  const created_at = stored?.created_at ?? details.changeDate;
  await change.db
    .insertInto("login_policies")
    .values({ owner_id: owner.id, created_at, ...version })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(version))
    .execute();
  return { details: { ...details, creationDate: created_at } };
}

function policyExists(): SignetError {
  const message = "the organization has its own login policy already; replace it with UpdateCustomLoginPolicy";
  return new SignetError("POLICY_EXISTS", message, { metadata: { field: "" } });
}

function policyNotFound(): SignetError {
  return new SignetError(
    "POLICY_NOT_FOUND",
    "the organization has no login policy of its own; it inherits that of the instance",
  );
}
