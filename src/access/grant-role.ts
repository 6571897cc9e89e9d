import { SignetError } from "../errors.ts";
import { ROLES, type Role } from "../roles.ts";
import { type ChangeMemberParts, changeMember } from "./change-member.ts";

/** A user's role in a scope: the instance for an instance role, an organization otherwise. */
export interface Grant {
  readonly user: { readonly id: string; readonly orgId: string };
  readonly role: Role;
  readonly scopeId: string;
}

/**
 * Grants a role to a user, in addition to existing roles. Does nothing if the user already has the role.
 *
 * @throws SignetError USER_NOT_FOUND, ORG_NOT_FOUND, ABORTED, or for a failure of the database.
 */
export async function grantRole(parts: ChangeMemberParts, { user, role, scopeId }: Grant): Promise<void> {
  const { scope: kind } = ROLES[role];
  const payload = { userId: user.id, userOrgId: user.orgId, role };
  const { outcome } = await changeMember(parts, {
    action: "grant",
    scope: { kind, id: scopeId },
    userId: user.id,
    userOrgId: user.orgId,
    roles: [role],
    editorId: null,
    events: [{ type: `${kind}.member.added`, payload }],
  });
  if (outcome === "no user") throw new SignetError("USER_NOT_FOUND", "no user of the organization has this id");
}
