import { sql } from "kysely";
import { isId, NIL_ID } from "../../crypto/secrets.ts";
import { orgOf } from "../../database/command-list.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";

/** Roles of a user in an application. */
export interface UserAppRoles {
  readonly userId: string;
  readonly appId: string;
  readonly roles: readonly string[];
}

interface RolesValues {
  appId: string;
  roles: string[];
}

const ROLES = {
  columns: { appId: "uuid", roles: "jsonb" },
  toValues: ({ appId, roles }: UserAppRoles): RolesValues => ({
    appId: isId(appId) ? appId.toLowerCase() : NIL_ID,
    roles: [...roles],
  }),
} as const;

/**
 * Gives a user roles in an application of the organization (docs/reference/user-roles.md). If the user has all of them,
 * nothing changes.
 *
 * @throws SignetError USER_NOT_FOUND, APP_NOT_FOUND, APP_ROLE_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of
 *   the database.
 */
export const addUserAppRoles = prepareUserOperation<UserAppRoles, RolesValues>({
  ...ROLES,
  name: "add_user_app_roles",
  toEvents: (payload) => [{ type: "user.app.roles.added", payload }],
  refuse: sql`case
    when not exists (select from apps where apps.owner_id = users.org_id and apps.id = given."appId") then 'APP_NOT_FOUND'
    when exists (
      select from jsonb_array_elements_text(given.roles) as asked (role)
      where asked.role <> all (
        select unnest(apps.roles) from apps where apps.owner_id = users.org_id and apps.id = given."appId"))
      then 'APP_ROLE_NOT_FOUND' end`,
  choose: (given) => sql`case when exists (
    select from jsonb_array_elements_text(${given("roles", "jsonb")}) as asked (role)
    where not exists (
      select from user_app_roles as stored
      where stored.org_id = users.org_id and stored.user_id = users.id and stored.app_id = ${given("appId", "uuid")}
        and stored.role = asked.role)) then 0 end`,
  writes: (planned) => sql`(
    insert into user_app_roles (org_id, user_id, app_id, role, sequence, created_at)
    select ${orgOf("planned")}, ${planned("aggregateId", "uuid")}, ${planned("appId", "uuid")}, asked.role,
      planned.sequence + 1, ${planned("now", "timestamptz")}
    from planned cross join lateral jsonb_array_elements_text(${planned("roles", "jsonb")}) as asked (role)
    on conflict (org_id, user_id, app_id, role) do nothing)`,
});

/**
 * Takes roles in an application from a user (docs/reference/user-roles.md). The user must have all of them.
 *
 * @throws SignetError USER_NOT_FOUND, APP_ROLE_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removeUserAppRoles = prepareUserOperation<UserAppRoles, RolesValues>({
  ...ROLES,
  name: "remove_user_app_roles",
  toEvents: (payload) => [{ type: "user.app.roles.removed", payload }],
  refuse: sql`case when exists (
    select from jsonb_array_elements_text(given.roles) as asked (role)
    where not exists (
      select from user_app_roles as stored
      where stored.org_id = users.org_id and stored.user_id = users.id and stored.app_id = given."appId"
        and stored.role = asked.role))
    then 'APP_ROLE_NOT_FOUND' end`,
  writes: (planned) => sql`(
    delete from user_app_roles as stored using planned
    where stored.org_id = ${orgOf("planned")} and stored.user_id = ${planned("aggregateId", "uuid")}
      and stored.app_id = ${planned("appId", "uuid")}
      and stored.role in (select jsonb_array_elements_text(${planned("roles", "jsonb")})))`,
});
