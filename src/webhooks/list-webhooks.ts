import { type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import type { SortKey } from "../database/list-page.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { WEBHOOK_COLUMNS, type WebhookRow } from "./webhook-row.ts";

/** The order of a list of webhooks. */
export const WEBHOOK_ORDER: readonly SortKey[] = [
  { value: sql`webhooks.created_at`, type: "timestamptz" },
  { value: sql`webhooks.id`, type: "uuid" },
];

/**
 * Lists the webhooks of the organization, sorted by the time of creation (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listWebhooks(
  parts: ListParts,
  { page }: { readonly page: CheckedListQuery },
  call: Call,
): Promise<ListResult<WebhookRow>> {
  const scope = sql<SqlBool>`webhooks.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("webhooks"), columns: WEBHOOK_COLUMNS, scope, filters: [], order: WEBHOOK_ORDER };
  return await readList<WebhookRow>(parts, source, page, call.orgId, call);
}
