import { type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import type { SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { apiNotFound } from "./api-not-found.ts";
import { API_COLUMNS, type ApiRow } from "./api-row.ts";

/** The order of a list of APIs. */
export const API_ORDER: readonly SortKey[] = [
  { value: sql`apis.created_at`, type: "timestamptz" },
  { value: sql`apis.id`, type: "uuid" },
];

/**
 * Lists the APIs of the organization, sorted by the time of creation (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listApis(
  parts: ListParts,
  { page }: { readonly page: CheckedListQuery },
  call: Call,
): Promise<ListResult<ApiRow>> {
  const scope = sql<SqlBool>`apis.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("apis"), columns: API_COLUMNS, scope, filters: [], order: API_ORDER };
  return await readList<ApiRow>(parts, source, page, call.orgId, call);
}

/**
 * Returns an API of the organization (docs/api.md).
 *
 * @throws SignetError API_NOT_FOUND, or for a failure of the database.
 */
export async function getApiById(
  { db }: { readonly db: Database },
  { id }: { readonly id: string },
  call: Call,
): Promise<ApiRow> {
  const [row] = isId(id) ? await selectApi(db, { orgId: call.orgId, id }, call) : [];
  if (row === undefined) throw apiNotFound(id);
  return row;
}

const selectApi = prepareStatement<{ orgId: string; id: string }, ApiRow>((db, param) =>
  db
    .selectFrom("apis")
    .select(Object.entries(API_COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .$castTo<ApiRow>(),
);
