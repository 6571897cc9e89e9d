import type {
  AddUserAppRolesRequest,
  ListUserAppRolesRequest,
  RemoveUserAppRolesRequest,
  UserAppRoleQuery,
} from "../../../gen/signet/v1/app_role_pb.js";
import type { Call } from "../../call.ts";
import type { Problems } from "../../errors.ts";
import { checkRoleNames } from "../../fields/role-name.ts";
import type { UserAppRoles } from "../../users/app-roles/change-user-app-roles.ts";
import {
  USER_APP_ROLE_ORDER,
  type UserAppRoleCondition,
  type UserAppRoleRow,
} from "../../users/app-roles/list-user-app-roles.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf } from "./list.ts";

/** The fields for `addUserAppRoles` and `removeUserAppRoles`. */
export function toUserAppRoles(
  { userId, appId, roles }: AddUserAppRolesRequest | RemoveUserAppRolesRequest,
  problems: Problems,
): UserAppRoles {
  checkRoleNames(roles, problems);
  return { userId, appId, roles };
}

/** The fields for `listUserAppRoles`. */
export const toUserAppRoleSearch = searchOf(USER_APP_ROLE_ORDER, ({ queries }: ListUserAppRolesRequest, problems) => ({
  conditions: toConditions(queries, problems),
}));

const toConditions = conditionsOf<UserAppRoleQuery, UserAppRoleCondition>({
  userIdQuery: ({ userId: value }) => ({ by: "user", value }),
  appIdQuery: ({ appId: value }) => ({ by: "app", value }),
  roleQuery: ({ role: value }) => ({ by: "role", value }),
});

/** Converts a role of a user in an application. */
export function toUserAppRole(row: UserAppRoleRow, { orgId }: Call) {
  const { userId, appId, role } = row;
  return { details: toDetails(row, orgId), userId, appId, role };
}
