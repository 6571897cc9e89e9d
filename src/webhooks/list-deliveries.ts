import { type Expression, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { webhookNotFound } from "./change-webhook.ts";

/** `sending`: a process has claimed the delivery. That process may have crashed since. */
export type DeliveryState = "waiting" | "sending" | "sent" | "failed";

export interface DeliverySearch {
  readonly id: string;
  readonly page: CheckedListQuery;
  /** Undefined for all. */
  readonly state: DeliveryState | undefined;
}

/** A delivery in responses. */
export interface DeliveryRow {
  readonly id: string;
  readonly position: bigint;
  readonly eventType: string;
  readonly aggregateId: string;
  readonly eventCreatedAt: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date | null;
  readonly lastError: string | null;
}

/** The columns of `DeliveryRow`. */
export function deliveryColumns(now: Date) {
  return {
    id: sql.ref<string>("webhook_deliveries.id"),
    position: sql.ref<bigint>("webhook_deliveries.position"),
    eventType: sql.ref<string>("webhook_deliveries.event_type"),
    aggregateId: sql.ref<string>("webhook_deliveries.aggregate_id"),
    eventCreatedAt: sql.ref<Date>("webhook_deliveries.event_created_at"),
    state: deliveryStateAt(sql`${now}::timestamptz`),
    attempts: sql.ref<number>("webhook_deliveries.attempts"),
    nextAttemptAt: sql.ref<Date | null>("webhook_deliveries.next_attempt_at"),
    endedAt: sql.ref<Date | null>("webhook_deliveries.ended_at"),
    lastError: sql.ref<string | null>("webhook_deliveries.last_error"),
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
 * Lists the deliveries of a webhook in the order of the events (docs/api.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export async function listDeliveries(
  parts: ListParts,
  { id, page, state }: DeliverySearch,
  call: Call,
): Promise<ListResult<DeliveryRow>> {
  const found = isId(id) ? await findWebhook(parts.db, { ownerId: call.orgId, id }, call) : [];
  if (found.length === 0) throw webhookNotFound(id);
  const columns = deliveryColumns(parts.clock());
  const source = {
    from: sql.table("webhook_deliveries"),
    columns,
    scope: sql<SqlBool>`webhook_deliveries.owner_id = ${call.orgId}::uuid
      and webhook_deliveries.webhook_id = ${id}::uuid`,
    filters: state === undefined ? [] : [sql<SqlBool>`${columns.state} = ${state}`],
    order: DELIVERY_ORDER,
  };
  return await readList<DeliveryRow>(parts, source, page, call.orgId, call);
}

const findWebhook = prepareStatement<{ ownerId: string; id: string }, { id: string }>((db, param) =>
  db
    .selectFrom("webhooks")
    .select("id")
    .where("owner_id", "=", param("ownerId", "uuid"))
    .where("id", "=", param("id", "uuid")),
);
