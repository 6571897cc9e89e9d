import { holds } from "../actor.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import { AUTHENTICATED, isInstancePermission, type Requirement } from "../roles.ts";
import type { PrincipalRow } from "./find-principal.ts";
import type { RequestedOrg } from "./requested-org.ts";

/** A caller with a valid token: its organization, and its roles on the instance and in the target organization. */
type CallerRoles = Pick<PrincipalRow, "org_id" | "org_exists" | "instance_roles" | "org_roles">;

/**
 * Decides whether a caller with a valid token may make a call with the permission in the requested organization. Only a
 * caller with the permission on the instance learns that an organization does not exist.
 *
 * @throws SignetError INVALID_ARGUMENT (organization header), PERMISSION_DENIED, ORG_NOT_FOUND.
 */
export function throwIfDenied(found: CallerRoles, requested: RequestedOrg, permission: Requirement): void {
  const { header, problem } = requested;
  if (problem !== undefined) throw invalidArgument({ field: header, description: problem });
  const isUnknown = isUnknownOrg(found, requested);
  if (isUnknown && mayKnowOrgs(found, permission)) throw orgNotFound(requested);
  if (permission === AUTHENTICATED) throwIfOutside(found, requested, isUnknown);
  else if (isUnknown || !isPermitted(found, permission)) {
    const message = `the caller lacks the permission ${permission}`;
    throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
  }
}

/** Whether the request selects an organization that does not exist. */
export function isUnknownOrg({ org_exists }: CallerRoles, { given, id }: RequestedOrg): boolean {
  return given && (id === null || !org_exists);
}

/** Whether the roles of the caller have the permission. */
export function isPermitted({ instance_roles, org_roles }: CallerRoles, permission: Requirement): boolean {
  if (permission === AUTHENTICATED) return false;
  return holds(instance_roles, permission) || (!isInstancePermission(permission) && holds(org_roles, permission));
}

/** Whether the caller may learn that an organization does not exist. */
function mayKnowOrgs({ instance_roles }: CallerRoles, permission: Requirement): boolean {
  return permission === AUTHENTICATED ? instance_roles.length > 0 : holds(instance_roles, permission);
}

/**
 * Rejects an organization that the caller does not belong to and has no role in, whether it exists or not.
 *
 * @throws SignetError PERMISSION_DENIED.
 */
function throwIfOutside(found: CallerRoles, { given, id }: RequestedOrg, isUnknown: boolean): void {
  const { instance_roles, org_roles, org_id } = found;
  if (!given || (!isUnknown && (id === org_id || instance_roles.length + org_roles.length > 0))) return;
  throw new SignetError("PERMISSION_DENIED", "the caller has no role in the organization");
}

function orgNotFound({ header, id }: RequestedOrg): SignetError {
  const metadata = { field: header, ...(id && { orgId: id }) };
  return new SignetError("ORG_NOT_FOUND", "the organization does not exist", { metadata });
}
