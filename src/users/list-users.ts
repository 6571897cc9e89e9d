import { create } from "@bufbuild/protobuf";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type ListUsersRequest,
  ListUsersRequestSchema,
  type ListUsersResponse,
  ListUsersResponseSchema,
} from "../../gen/signet/v1/user_read_pb.js";
import type { UserFieldName } from "../../gen/signet/v1/user_search_pb.js";
import type { Call } from "../call.ts";
import type { SortKey } from "../database/list-page.ts";
import type { Problems } from "../errors.ts";
import { type CheckedListQuery, checkListQuery } from "../fields/list-query.ts";
import { type ListParts, readList } from "../fields/read-list.ts";
import { toUserOrder } from "./user-columns.ts";
import { toUserFilters } from "./user-filter.ts";
import { toUser, USER_COLUMNS, type UserRow } from "./user-row.ts";

/** A checked ListUsersRequest. */
export interface UserSearch {
  readonly page: CheckedListQuery;
  readonly order: readonly SortKey[];
  readonly filters: readonly RawBuilder<SqlBool>[];
  readonly sortingColumn: UserFieldName;
}

/** Checks the rules of ListUsersRequest that the schema cannot express. */
export function checkListUsers(request: ListUsersRequest, problems: Problems): UserSearch {
  const order = toUserOrder(request.sortingColumn);
  return {
    page: checkListQuery(ListUsersRequestSchema, request, order, problems),
    order,
    filters: toUserFilters(request.queries, "queries", problems),
    sortingColumn: request.sortingColumn,
  };
}

/**
 * Lists the users of the organization that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listUsers(
  parts: ListParts,
  { page, order, filters, sortingColumn }: UserSearch,
  call: Call,
): Promise<ListUsersResponse> {
  const scope = sql<SqlBool>`users.org_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("users"), columns: USER_COLUMNS, scope, filters, order };
  const { details, rows } = await readList<UserRow>(parts, source, page, call.orgId, call);
  const result = rows.map((row) => toUser(row, call.orgId));
  return create(ListUsersResponseSchema, { details, sortingColumn, result });
}
