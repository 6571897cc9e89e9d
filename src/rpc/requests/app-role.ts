import type { DescMessage } from "@bufbuild/protobuf";
import type {
  AddUserAppRolesRequest,
  ListUserAppRolesRequest,
  RemoveUserAppRolesRequest,
  UserAppRoleQuery,
} from "../../../gen/signet/v1/app_role_pb.js";
import type { Problems } from "../../errors.ts";
import { checkRoleNames } from "../../fields/role-name.ts";
import type { UserAppRoles } from "../../users/app-roles/add-user-app-roles.ts";
import {
  USER_APP_ROLE_ORDER,
  type UserAppRoleCondition,
  type UserAppRoleSearch,
} from "../../users/app-roles/list-user-app-roles.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `addUserAppRoles` and `removeUserAppRoles`. */
export function toUserAppRoles(
  { userId, appId, roles }: AddUserAppRolesRequest | RemoveUserAppRolesRequest,
  problems: Problems,
): UserAppRoles {
  checkRoleNames(roles, problems);
  return { userId, appId, roles };
}

/** The fields for `listUserAppRoles`. */
export function toUserAppRoleSearch(
  request: ListUserAppRolesRequest,
  problems: Problems,
  schema: DescMessage,
): UserAppRoleSearch {
  return {
    page: toListQuery(schema, request, USER_APP_ROLE_ORDER, problems),
    conditions: request.queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

function toCondition({ query }: UserAppRoleQuery, at: string, problems: Problems): UserAppRoleCondition | [] {
  switch (query.case) {
    case "userIdQuery":
      return { by: "user", value: query.value.userId };
    case "appIdQuery":
      return { by: "app", value: query.value.appId };
    case "roleQuery":
      return { by: "role", value: query.value.role };
    default:
      problems.add(at, "must contain a condition");
      return [];
  }
}
