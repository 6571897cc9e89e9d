import { type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { byCreation, columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { apiNotFound } from "./change-api.ts";

const COLUMNS = {
  ...columnsOf("apis", { ownerId: "owner_id", id: "id", name: "name", identifier: "identifier", scopes: "scopes" }),
  introspectorAppIds: sql<string[]>`apis.introspector_app_ids::text[]`,
  ...columnsOf("apis", { allowsUnregisteredClients: "allows_unregistered_clients", ...VERSION }),
};

/** An API in responses. */
export type ApiRow = RowOf<typeof COLUMNS>;

/** The order of a list of APIs. */
export const API_ORDER = byCreation("apis");

/**
 * Lists the APIs of the organization, sorted by the time of creation (docs/reference/apis.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listApis(
  parts: ListParts,
  { page }: { readonly page: CheckedListQuery },
  call: Call,
): Promise<ListResult<ApiRow>> {
  const scope = sql<SqlBool>`apis.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("apis"), columns: COLUMNS, scope, filters: [], order: API_ORDER };
  return await readList<ApiRow>(parts, source, page, call.orgId, call);
}

/**
 * Returns an API of the organization (docs/reference/apis.md).
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
    .select(Object.entries(COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .$castTo<ApiRow>(),
);
