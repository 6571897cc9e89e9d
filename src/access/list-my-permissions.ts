import type { Call } from "../call.ts";
import { type Permission, permissionsOf } from "../roles.ts";

/** Returns the permissions of the caller in the organization of the call, and on the instance (docs/api.md). */
export async function listMyPermissions(_parts: object, _fields: object, call: Call): Promise<Permission[]> {
  return permissionsOf([...call.instanceRoles, ...call.orgRoles]);
}
