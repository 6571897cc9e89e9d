import { isAllowed, type Principal } from "../actor.ts";
import { type Problems, SignetError } from "../errors.ts";
import { isRole, ROLES, type Role } from "../roles.ts";

/** The names of the roles that a user can have in an organization. */
export const ORG_ROLES = Object.entries(ROLES).flatMap(([name, { scope }]) => (scope === "org" ? [name] : []));

/** Checks that the names are organization roles, and returns each role once. */
export function checkOrgRoles(roles: readonly string[], problems: Problems): Role[] {
  const found = new Set<Role>();
  for (const [index, role] of roles.entries()) {
    if (isRole(role) && ROLES[role].scope === "org") found.add(role);
    else problems.add(`roles[${index}]`, `must be one of ${ORG_ROLES.join(", ")}`);
  }
  return [...found];
}

/**
 * Rejects roles with a permission that the caller lacks.
 *
 * @throws SignetError PERMISSION_DENIED.
 */
export function throwIfAboveOwn(roles: readonly Role[], actor: Principal): void {
  for (const role of roles) {
    const permission = ROLES[role].permissions.find((name) => !isAllowed(actor, name));
    if (permission === undefined) continue;
    const message = `the caller lacks the permission ${permission}, which the role ${role} has`;
    throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
  }
}

/**
 * Rejects a change of the caller's own roles, which is usually a mistake. As a consequence, only an instance owner can
 * remove the last owner of an organization.
 *
 * @throws SignetError OWN_USER.
 */
export function throwIfOwnMember(userId: string, actor: Principal): void {
  if (userId.toLowerCase() !== actor.userId) return;
  throw new SignetError("OWN_USER", "userId: callers cannot change their own roles");
}

export function memberNotFound(userId: string): SignetError {
  const message = "userId: no member of the organization has this id";
  return new SignetError("MEMBER_NOT_FOUND", message, { metadata: { userId } });
}
