import { type Expression, type SqlBool, sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { columnsOf, type RowOf } from "../database/columns-of.ts";
import type { ListSource, SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { orgList } from "../fields/read-list.ts";
import { webhookNotFound } from "./change-webhook.ts";

/** `sending`: a process has claimed the delivery. That process may have crashed since. */
export type DeliveryState = "waiting" | "sending" | "sent" | "failed";

interface DeliverySearch {
  readonly id: string;
  readonly page: CheckedListQuery;
  /** Undefined for all. */
  readonly state: DeliveryState | undefined;
}

/** A delivery in responses. */
export type DeliveryRow = RowOf<ReturnType<typeof deliveryColumns>>;

function deliveryColumns(now: Date) {
  return {
    ...columnsOf("webhook_deliveries", {
      id: "id",
      position: "position",
      eventType: "event_type",
      aggregateId: "aggregate_id",
      eventCreatedAt: "event_created_at",
      attempts: "attempts",
      nextAttemptAt: "next_attempt_at",
      endedAt: "ended_at",
      lastError: "last_error",
    }),
    state: deliveryStateAt(sql`${now}::timestamptz`),
  };
}

/** The state of a delivery. It is being sent if it is not due and its last attempt has no outcome (`claimDeliveries`). */
export function deliveryStateAt(now: Expression<Date>) {
  return sql<DeliveryState>`
    case when webhook_deliveries.state = 'waiting' and webhook_deliveries.attempts > 0
      and webhook_deliveries.last_error is null and webhook_deliveries.next_attempt_at > ${now} then 'sending'
      else webhook_deliveries.state end`;
}

/** The order of the events. */
export const DELIVERY_ORDER: readonly SortKey[] = [{ value: sql`webhook_deliveries.position`, type: "bigint" }];

/**
 * Lists the deliveries of a webhook in the order of the events (docs/reference/webhooks.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export const listDeliveries = orgList(async ({ id, state }: DeliverySearch, call, parts) => {
  const found = isId(id) ? await findWebhook(parts.db, { ownerId: call.orgId, id }, call) : [];
  if (found.length === 0) throw webhookNotFound(id);
  const columns = deliveryColumns(parts.clock());
  const source: ListSource<DeliveryRow> = {
    from: sql.table("webhook_deliveries"),
    columns,
    scope: sql<SqlBool>`webhook_deliveries.owner_id = ${call.orgId}::uuid
      and webhook_deliveries.webhook_id = ${id}::uuid`,
    filters: state === undefined ? [] : [sql<SqlBool>`${columns.state} = ${state}`],
    order: DELIVERY_ORDER,
  };
  return source;
});

const findWebhook = prepareStatement<{ ownerId: string; id: string }, { id: string }>((db, param) =>
  db
    .selectFrom("webhooks")
    .select("id")
    .where("owner_id", "=", param("ownerId", "uuid"))
    .where("id", "=", param("id", "uuid")),
);
