import type { Call } from "../../call.ts";
import type { UserAppRoleRow } from "../../users/app-roles/list-user-app-roles.ts";
import { toDetails } from "./details.ts";

/** Converts a role of a user in an application. */
export function toUserAppRole(row: UserAppRoleRow, { orgId }: Call) {
  const { userId, appId, role } = row;
  return { details: toDetails(row, orgId), userId, appId, role };
}
