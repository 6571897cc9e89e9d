import { sql } from "kysely";
import { isAllowed } from "../actor.ts";
import { type Call, createOperatorCall } from "../call.ts";
import { createId } from "../crypto/secrets.ts";
import { SignetError } from "../errors.ts";
import {
  addObject,
  type Change,
  type ChangeParts,
  changeObject,
  holdObject,
  inChange,
} from "../events/change-object.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { OrgFields } from "./check-org-name.ts";
import { orgNotFound } from "./list-orgs.ts";

/**
 * Adds an organization (docs/reference/organizations.md). It has no members: only users with roles in the instance can
 * act in it at first.
 *
 * @throws SignetError ORG_NAME_TAKEN, or for a failure of the database.
 */
export const addOrg = inChange(async (change, { name }: OrgFields, _call) => {
  const org = { id: createId(), name, name_key: userNameKey(name) };
  return { id: org.id, ...(await addObject(change, "orgs", org, [{ type: "org.added", payload: { name } }])) };
});

/** Adds an organization for the service itself, and returns its id. It reaches no other object. */
export async function createOrg(parts: ChangeParts, name: string): Promise<string> {
  return (await addOrg(parts, { name }, createOperatorCall({ instanceId: "", orgId: "" }))).id;
}

/**
 * Renames the organization of the call (docs/reference/organizations.md). If it has the name, nothing changes.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_NAME_TAKEN, or for a failure of the database.
 */
export const updateOrg = inChange(async (change, { name }: OrgFields, call) => {
  const org = await holdOrg(change, call.orgId);
  const columns = { name, name_key: userNameKey(name) };
  return await changeObject(change, "orgs", org, [{ type: "org.changed", payload: { name } }], columns);
});

/**
 * Deactivates the organization of the call (docs/reference/organizations.md): the tokens and sessions of its users are
 * not valid until it is reactivated, nobody can sign in to it, and its applications get no tokens. The look-ups read
 * the state (src/database/active.ts), so nothing else changes. Like the deactivation of one of its users, it takes the
 * roles outside of it away.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_STATE, ORG_PROTECTED, LAST_OWNER, PERMISSION_DENIED if a user has a role outside of
 *   the organization, and the caller may not change such users, or for a failure of the database.
 */
export const deactivateOrg = inChange(async (change, _fields: object, call) => {
  const org = await holdOrg(change, call.orgId);
  if (org.state === "inactive") throw orgState();
  await throwIfNeeded(change, org.id, call, "deactivate");
  return await changeObject(change, "orgs", org, [{ type: "org.deactivated", payload: {} }], { state: "inactive" });
});

/**
 * Reactivates the organization of the call (docs/reference/organizations.md). Tokens and sessions that have not ended
 * are valid again.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_STATE, or for a failure of the database.
 */
export const reactivateOrg = inChange(async (change, _fields: object, call) => {
  const org = await holdOrg(change, call.orgId);
  if (org.state === "active") throw orgState();
  return await changeObject(change, "orgs", org, [{ type: "org.reactivated", payload: {} }], { state: "active" });
});

function orgState(): SignetError {
  return new SignetError("ORG_STATE", "the organization is already in this state");
}

/**
 * Checks that an organization may end, for a while or forever.
 *
 * @throws SignetError ORG_PROTECTED for the default organization, LAST_OWNER if all active users with the role
 *   INSTANCE_OWNER belong to it, PERMISSION_DENIED if one of its users has a role outside of it, and the caller may not
 *   change such users.
 */
export async function throwIfNeeded(
  { db }: Change,
  orgId: string,
  call: Call,
  verb: "deactivate" | "remove",
): Promise<void> {
  const { rows } = await sql<{ is_default: boolean; has_last_owner: boolean; has_outside_role: boolean }>`
    select
      exists (select from instance where default_org_id = ${orgId}) as is_default,
      not exists (
        select from members
          join users on users.org_id = members.user_org_id and users.id = members.user_id
          join orgs as other on other.id = members.user_org_id
        where members.role = 'INSTANCE_OWNER' and members.user_org_id <> ${orgId}
          and users.state = 'active' and other.state = 'active') as has_last_owner,
      exists (
        select from members where user_org_id = ${orgId} and scope_id <> ${orgId}) as has_outside_role`.execute(db);
  if (rows[0]?.is_default) throw new SignetError("ORG_PROTECTED", `the default organization cannot be ${verb}d`);
  if (rows[0]?.has_last_owner) {
    throw new SignetError("LAST_OWNER", "no active user of another organization has the role INSTANCE_OWNER");
  }
  if (rows[0]?.has_outside_role && !isAllowed(call, "iam.member.write")) {
    const message = `a user of the organization has a role outside of it, and the caller may not ${verb} that user`;
    throw new SignetError("PERMISSION_DENIED", message);
  }
}

/** Locks an organization; see `holdObject`. @throws SignetError ORG_NOT_FOUND. */
export async function holdOrg(change: Change, id: string, lock?: "for update") {
  const org = await holdObject(change, "orgs", { id }, lock);
  if (org === undefined) throw orgNotFound(id, "the organization does not exist");
  return org;
}
