import { type SqlBool, sql } from "kysely";
import type { Call } from "../../call.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
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
export async function listUsers(
  parts: ListParts,
  { page, sortKey, conditions }: UserSearch,
  call: Call,
): Promise<ListResult<UserRow>> {
  const source = {
    from: sql.table("users"),
    columns: USER_COLUMNS,
    scope: sql<SqlBool>`users.org_id = ${call.orgId}::uuid`,
    filters: conditions.map((condition) => toUserFilter(condition, call.orgId)),
    order: orderOfUsers(sortKey),
  };
  return await readList<UserRow>(parts, source, page, call.orgId, call);
}
