import { type SqlBool, sql } from "kysely";
import { columnsOf, type RowOf } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, orgList } from "../../fields/read-list.ts";
import { getScimConnection } from "../connections/list-scim-connections.ts";
import type { ScimRequestLog } from "./request-log.ts";

const COLUMNS = columnsOf("scim_requests", {
  position: "position",
  createdAt: "created_at",
  method: "method",
  path: "path",
  status: "status",
  outcome: "outcome",
  detail: "detail",
  userId: "user_id",
  sender: "sender",
});

/** A request of a directory in responses. */
export type ScimRequestRow = RowOf<typeof COLUMNS>;

/** The order in which the requests were stored. */
export const SCIM_REQUEST_ORDER: readonly SortKey[] = [{ value: sql`scim_requests.position`, type: "bigint" }];

export interface ListScimRequestsParts extends ListParts {
  /** Of a process that serves directories. */
  readonly scimRequests?: ScimRequestLog;
}

interface ScimRequestSearch {
  readonly id: string;
  readonly page: CheckedListQuery;
  readonly failedOnly: boolean;
}

/**
 * Lists the latest requests of a SCIM connection (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a
 *   failure of the database.
 */
export const listScimRequests = orgList(
  async ({ id, failedOnly }: ScimRequestSearch, call, parts: ListScimRequestsParts) => {
    const connection = await getScimConnection(parts, { id }, call);
    // Otherwise, the latest requests would be missing; other processes store theirs within seconds.
    await parts.scimRequests?.store(parts.db);
    const source: ListSource<ScimRequestRow> = {
      from: sql.table("scim_requests"),
      columns: COLUMNS,
      scope: sql<SqlBool>`scim_requests.owner_id = ${call.orgId}::uuid
        and scim_requests.connection_id = ${connection.id}::uuid`,
      filters: failedOnly ? [sql<SqlBool>`scim_requests.status >= 400`] : [],
      order: SCIM_REQUEST_ORDER,
    };
    return source;
  },
);
