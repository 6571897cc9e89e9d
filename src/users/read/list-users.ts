import { type SqlBool, sql } from "kysely";
import type { ListSource } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { orgList } from "../../fields/read-list.ts";
import { orderOfUsers, type UserSortKey } from "./user-columns.ts";
import { toUserFilter, type UserCondition } from "./user-condition.ts";
import { USER_COLUMNS, type UserRow } from "./user-row.ts";

/** A search for users. */
interface UserSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: UserSortKey;
  readonly conditions: readonly UserCondition[];
}

/**
 * Lists the users of the organization that satisfy all conditions (docs/reference/read-users.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export const listUsers = orgList(
  ({ sortKey, conditions }: UserSearch, { orgId }): ListSource<UserRow> => ({
    from: sql.table("users"),
    columns: USER_COLUMNS,
    scope: sql<SqlBool>`users.org_id = ${orgId}::uuid`,
    filters: conditions.map((condition) => toUserFilter(condition, orgId)),
    order: orderOfUsers(sortKey),
  }),
);
