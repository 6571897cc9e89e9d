import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { SignetError } from "../errors.ts";
import { type Change, changeObject, inChange } from "../events/change-object.ts";
import { holdWebhook } from "./change-webhook.ts";
import { type DeliveryState, deliveryStateAt } from "./list-deliveries.ts";

/**
 * Makes a delivery due now, also one that was sent or has failed (docs/reference/webhooks.md). It keeps its id.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_IN_PROGRESS, or for a failure of
 *   the database.
 */
export const retryDelivery = inChange(
  async (change, { id, deliveryId }: { readonly id: string; readonly deliveryId: string }, call) => {
    const webhook = await holdWebhook(change, id, call);
    const state = isId(deliveryId) ? await holdDelivery(change, webhook, deliveryId) : undefined;
    if (state === undefined) throw deliveryNotFound(deliveryId);
    if (state === "sending") throw deliveryInProgress(deliveryId);
    await change.db
      .updateTable("webhook_deliveries")
      .set({ state: "waiting", next_attempt_at: change.now, ended_at: null })
      .where("owner_id", "=", call.orgId)
      .where("id", "=", deliveryId)
      .execute();
    const event = { type: "org.webhook.delivery.retried", payload: { deliveryId } } as const;
    return await changeObject(change, "webhooks", webhook, [event]);
  },
);

/** Locks the delivery, because a process may be claiming it, and returns its state. */
async function holdDelivery(
  { db, now }: Change,
  webhook: { readonly owner_id: string; readonly id: string },
  id: string,
): Promise<DeliveryState | undefined> {
  const row = await db
    .selectFrom("webhook_deliveries")
    .select(deliveryStateAt(sql`${now}::timestamptz`).as("state"))
    .where("owner_id", "=", webhook.owner_id)
    .where("webhook_id", "=", webhook.id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row?.state;
}

function deliveryNotFound(deliveryId: string): SignetError {
  const message = "deliveryId: no delivery of the webhook has this id";
  return new SignetError("WEBHOOK_DELIVERY_NOT_FOUND", message, { metadata: { deliveryId } });
}

function deliveryInProgress(deliveryId: string): SignetError {
  const message = "the delivery is being sent, and is retried automatically if that fails";
  return new SignetError("WEBHOOK_DELIVERY_IN_PROGRESS", message, { metadata: { deliveryId } });
}
