import { type ApiActor, isAllowedIn } from "../actor.ts";
import { type Problems, SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import { isRole, ROLES, type Role } from "../roles.ts";

/** The names of the roles that a user can have in the instance, and in an organization. */
export const ROLE_NAMES = { instance: namesOf("instance"), org: namesOf("org") };

function namesOf(scope: Owner["kind"]): string[] {
  return Object.entries(ROLES).flatMap(([name, rule]) => (rule.scope === scope ? [name] : []));
}

/**
 * Returns a function that checks that the names are roles of the instance or of an organization, and that returns each
 * role once.
 */
export function checkMember(scope: Owner["kind"]) {
  return (
    {
      userId,
      roles,
      endCredentials = false,
    }: { readonly userId: string; readonly roles: readonly string[]; readonly endCredentials?: boolean },
    problems: Problems,
  ): { readonly userId: string; readonly roles: readonly Role[]; readonly endCredentials: boolean } => {
    const found = new Set<Role>();
    for (const [index, role] of roles.entries()) {
      if (isRole(role) && ROLES[role].scope === scope) found.add(role);
      else problems.add(`roles[${index}]`, `must be one of ${ROLE_NAMES[scope].join(", ")}`);
    }
    return { userId, roles: [...found], endCredentials };
  };
}

/**
 * Rejects roles with a permission that the caller lacks: on the instance, for a role there, because it applies to every
 * organization.
 *
 * @throws SignetError PERMISSION_DENIED.
 */
export function throwIfAboveOwn(roles: readonly Role[], { kind }: Owner, actor: ApiActor): void {
  for (const role of roles) {
    const permission = ROLES[role].permissions.find((name) => !isAllowedIn(kind, actor, name));
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
export function throwIfOwnMember(userId: string, actor: ApiActor): void {
  if (userId.toLowerCase() !== actor.userId) return;
  throw new SignetError("OWN_USER", "userId: callers cannot change their own roles");
}

export function memberNotFound(userId: string, { kind }: Owner): SignetError {
  const message = `userId: no member of the ${kind === "org" ? "organization" : "instance"} has this id`;
  return new SignetError("MEMBER_NOT_FOUND", message, { metadata: { userId } });
}
