import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isId } from "../../crypto/secrets.ts";
import { columnsOf, type RowOf } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { orgList } from "../../fields/read-list.ts";

const COLUMNS = columnsOf("user_app_roles", {
  ...{ userId: "user_id", appId: "app_id", role: "role", sequence: "sequence" },
  ...{ created_at: "created_at", changed_at: "created_at" },
});

/** A role of a user in an application. */
export type UserAppRoleRow = RowOf<typeof COLUMNS>;

/** A condition of a search for roles in applications. */
export interface UserAppRoleCondition {
  readonly by: "user" | "app" | "role";
  readonly value: string;
}

interface UserAppRoleSearch {
  readonly page: CheckedListQuery;
  readonly conditions: readonly UserAppRoleCondition[];
}

export const USER_APP_ROLE_ORDER: readonly SortKey[] = [
  { value: sql`user_app_roles.app_id`, type: "uuid" },
  { value: sql`user_app_roles.user_id`, type: "uuid" },
  { value: sql`user_app_roles.role`, type: "text" },
];

/**
 * Lists the roles of the organization's users in its applications that satisfy all conditions
 * (docs/reference/user-roles.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export const listUserAppRoles = orgList(
  ({ conditions }: UserAppRoleSearch, { orgId }): ListSource<UserAppRoleRow> => ({
    from: sql.table("user_app_roles"),
    columns: COLUMNS,
    scope: sql<SqlBool>`user_app_roles.org_id = ${orgId}::uuid`,
    filters: conditions.map(toFilter),
    order: USER_APP_ROLE_ORDER,
  }),
);

function toFilter({ by, value }: UserAppRoleCondition): RawBuilder<SqlBool> {
  if (by === "role") return sql<SqlBool>`user_app_roles.role = ${value}`;
  if (!isId(value)) return sql<SqlBool>`false`;
  return sql<SqlBool>`${sql.ref(`user_app_roles.${by}_id`)} = ${value}::uuid`;
}
