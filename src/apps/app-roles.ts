import { type Expression, type RawBuilder, sql } from "kysely";

/**
 * The roles that a user has in an application, sorted; null if the application has no roles.
 *
 * @param app The name of the application's row in the statement. Only users of its owner can have roles in it.
 */
export function rolesIn(app: string, userId: Expression<unknown>): RawBuilder<string[] | null> {
  const column = (name: string) => sql.ref(`${app}.${name}`);
  return sql<string[] | null>`case when ${column("roles")} <> '{}' then array(
    select granted.role from user_app_roles as granted
    where granted.org_id = ${column("owner_id")} and granted.user_id = ${userId} and granted.app_id = ${column("id")}
      and granted.role = any (${column("roles")})
    order by granted.role) end`;
}

/** The same for the application with an id; null if there is none. */
export function rolesInApp(appId: Expression<unknown>, userId: Expression<unknown>): RawBuilder<string[] | null> {
  return sql<string[] | null>`(select ${rolesIn("app", userId)} from apps as app where app.id = ${appId})`;
}
