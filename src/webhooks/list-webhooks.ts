import { type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { byCreation, columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";

const COLUMNS = columnsOf("webhooks", {
  ownerId: "owner_id",
  id: "id",
  name: "name",
  url: "url",
  eventTypes: "event_types",
  includesPayload: "includes_payload",
  state: "state",
  ...VERSION,
});

/** A webhook in responses. */
export type WebhookRow = RowOf<typeof COLUMNS>;

/** The order of a list of webhooks. */
export const WEBHOOK_ORDER = byCreation("webhooks");

/**
 * Lists the webhooks of the organization, sorted by the time of creation (docs/reference/webhooks.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listWebhooks(
  parts: ListParts,
  { page }: { readonly page: CheckedListQuery },
  call: Call,
): Promise<ListResult<WebhookRow>> {
  const scope = sql<SqlBool>`webhooks.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("webhooks"), columns: COLUMNS, scope, filters: [], order: WEBHOOK_ORDER };
  return await readList<WebhookRow>(parts, source, page, call.orgId, call);
}
