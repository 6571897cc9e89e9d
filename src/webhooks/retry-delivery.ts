import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangeWebhookParts, toEventValues, type WebhookCall, webhookNotFound } from "./change-webhook.ts";
import { deliveryStateAt } from "./list-deliveries.ts";

/**
 * Makes a delivery due now, also one that was sent or has failed (docs/api.md). It keeps its id.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_IN_PROGRESS, or for a failure of
 *   the database.
 */
export async function retryDelivery(
  { db, clock }: ChangeWebhookParts,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
  call: WebhookCall,
): Promise<Changed> {
  const event = { type: "org.webhook.delivery.retried", payload: { deliveryId } } as const;
  // A text that is no id is not found.
  const values = {
    ...toEventValues({ id, event, now: clock() }, call),
    deliveryId: isId(deliveryId) ? deliveryId : null,
  };
  const [row] = isId(id) ? await makeDue(db, values, call) : [];
  if (row === undefined) throw webhookNotFound(id);
  switch (row.outcome) {
    case "due":
      return toChanged(row, call.orgId);
    case "not found":
      throw deliveryNotFound(deliveryId);
    case "sending": {
      const message = "the delivery is being sent, and is retried automatically if that fails";
      throw new SignetError("WEBHOOK_DELIVERY_IN_PROGRESS", message, { metadata: { deliveryId } });
    }
    default:
      return row.outcome satisfies never;
  }
}

function deliveryNotFound(deliveryId: string): SignetError {
  const message = "deliveryId: no delivery of the webhook has this id";
  return new SignetError("WEBHOOK_DELIVERY_NOT_FOUND", message, { metadata: { deliveryId } });
}

interface RetryValues extends EventValues {
  deliveryId: string | null;
}

interface RetryRow extends ObjectRow {
  outcome: "due" | "not found" | "sending";
}

/** Locks the delivery before it decides, because a process may be claiming it. */
const makeDue = prepareWrite<RetryValues, RetryRow>(
  (db, param, returnRows) => {
    const [owner, webhook, now] = [param("ownerId", "uuid"), param("aggregateId", "uuid"), param("now", "timestamptz")];
    return returnRows(
      db
        .with(
          "held",
          () =>
            sql<object>`(
            select webhook_deliveries.id, ${deliveryStateAt(now)} as state from webhook_deliveries
            where owner_id = ${owner} and id = ${param("deliveryId", "uuid")} and webhook_id = ${webhook}
            for update)`,
        )
        .with(
          "due",
          () =>
            sql<object>`(
            update webhook_deliveries set state = 'waiting', next_attempt_at = ${now}, ended_at = null from held
            where webhook_deliveries.owner_id = ${owner} and webhook_deliveries.id = held.id and held.state <> 'sending'
            returning webhook_deliveries.id)`,
        )
        .with("changed", (query) =>
          query
            .updateTable("webhooks")
            .set(changedColumns(param, "webhooks"))
            .where("owner_id", "=", owner)
            .where("id", "=", webhook)
            .where(sql<boolean>`exists (select from due)`)
            .returning(["sequence", "changed_at"]),
        )
        .with("appended", () => appendEvents(param, "changed"))
        .with(
          "result",
          () =>
            sql<RetryRow>`(
            select changed.sequence, webhooks.created_at, changed.changed_at,
              case when exists (select from due) then 'due' when exists (select from held) then 'sending'
                else 'not found' end as outcome
            from webhooks left join changed on true
            where webhooks.owner_id = ${owner} and webhooks.id = ${webhook})`,
        ),
    );
  },
  { isDone: sql<boolean>`result.outcome = 'due'` },
);
