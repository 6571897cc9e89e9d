import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId, NIL_ID } from "../../crypto/secrets.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";
import type { UserAppRoles } from "./add-user-app-roles.ts";

/**
 * Takes roles in an application from a user (docs/reference/user-roles.md). The user must have all of them.
 *
 * @throws SignetError USER_NOT_FOUND, APP_ROLE_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removeUserAppRoles(
  parts: ChangeUserParts,
  { userId, appId: given, roles }: UserAppRoles,
  call: Call,
): Promise<Changed> {
  const appId = isId(given) ? given.toLowerCase() : NIL_ID;
  const plans = [toPlan([{ type: "user.app.roles.removed", payload: { appId, roles: [...roles] } }])];
  return await changeUser(parts, REMOVE_ROLES, { userId, appId, roles, plans }, call);
}

const REMOVE_ROLES = prepareUserChange<{ appId: string; roles: readonly string[] }>({
  name: "remove_user_app_roles",
  columns: { appId: "uuid", roles: "jsonb" },
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
  set: () => ({}),
});
