import { type SqlBool, sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { byCreation, columnsOf, type RowOf, VERSION } from "../../database/columns-of.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
import { scimConnectionNotFound } from "./change-scim-connection.ts";

const COLUMNS = columnsOf("scim_connections", {
  ownerId: "owner_id",
  id: "id",
  name: "name",
  addressRule: "address_rule",
  linkAttribute: "link_attribute",
  idpId: "idp_id",
  groupAppId: "group_app_id",
  linkPath: "link_path",
  isTrial: "is_trial",
  lastUsedAt: "last_used_at",
  previousTokenUntil: "previous_token_until",
  ...VERSION,
});

/** A SCIM connection in responses. */
export type ScimConnectionRow = RowOf<typeof COLUMNS>;

/** The order of a list of SCIM connections. */
export const SCIM_CONNECTION_ORDER = byCreation("scim_connections");

/**
 * Lists the SCIM connections of the organization, sorted by the time of creation (docs/reference/scim.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listScimConnections(
  parts: ListParts,
  { page }: { readonly page: CheckedListQuery },
  call: Call,
): Promise<ListResult<ScimConnectionRow>> {
  const scope = sql<SqlBool>`scim_connections.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("scim_connections"), columns: COLUMNS, scope, filters: [] };
  return await readList<ScimConnectionRow>(parts, { ...source, order: SCIM_CONNECTION_ORDER }, page, call.orgId, call);
}

/**
 * Returns a SCIM connection of the organization (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, or for a failure of the database.
 */
export async function getScimConnection(
  { db }: { readonly db: Database },
  { id }: { readonly id: string },
  call: Call,
): Promise<ScimConnectionRow> {
  const [row] = isId(id) ? await selectConnection(db, { orgId: call.orgId, id }, call) : [];
  if (row === undefined) throw scimConnectionNotFound(id);
  return row;
}

const selectConnection = prepareStatement<{ orgId: string; id: string }, ScimConnectionRow>((db, param) =>
  db
    .selectFrom("scim_connections")
    .select(Object.entries(COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .$castTo<ScimConnectionRow>(),
);
