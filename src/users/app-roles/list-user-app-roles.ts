import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { columnsOf } from "../../database/columns-of.ts";
import type { SortKey } from "../../database/list-page.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";

/** A role of a user in an application. */
export interface UserAppRoleRow extends ObjectRow {
  readonly userId: string;
  readonly appId: string;
  readonly role: string;
}

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
export async function listUserAppRoles(
  parts: ListParts,
  { page, conditions }: UserAppRoleSearch,
  call: Call,
): Promise<ListResult<UserAppRoleRow>> {
  const scope = sql<SqlBool>`user_app_roles.org_id = ${call.orgId}::uuid`;
  const filters = conditions.map(toFilter);
  const source = { from: sql.table("user_app_roles"), columns: COLUMNS, scope, filters, order: USER_APP_ROLE_ORDER };
  return await readList<UserAppRoleRow>(parts, source, page, call.orgId, call);
}

function toFilter({ by, value }: UserAppRoleCondition): RawBuilder<SqlBool> {
  if (by === "role") return sql<SqlBool>`user_app_roles.role = ${value}`;
  if (!isId(value)) return sql<SqlBool>`false`;
  return sql<SqlBool>`${sql.ref(`user_app_roles.${by}_id`)} = ${value}::uuid`;
}

const COLUMNS = columnsOf("user_app_roles", {
  ...{ userId: "user_id", appId: "app_id", role: "role", sequence: "sequence" },
  ...{ created_at: "created_at", changed_at: "created_at" },
});
