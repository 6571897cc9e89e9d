import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { prepareRemoval } from "../events/prepare-removal.ts";
import { type ChangeWebhookParts, toEventValues, type WebhookCall, webhookNotFound } from "./change-webhook.ts";

/**
 * Removes a webhook (docs/api.md). Nothing is sent to it any more; its deliveries are deleted later (`ENDED_DELIVERIES`).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, or for a failure of the database.
 */
export async function removeWebhook(
  { db, clock }: ChangeWebhookParts,
  { id }: { readonly id: string },
  call: WebhookCall,
): Promise<Changed> {
  const event = { type: "org.webhook.removed", payload: {} } as const;
  const values = toEventValues({ id, event, now: clock() }, call);
  const [row] = isId(id) ? await deleteWebhook(db, values, call) : [];
  if (row === undefined) throw webhookNotFound(id);
  return toChanged(row, call.orgId);
}

/** The keys are deleted by `on delete cascade`. */
const deleteWebhook = prepareRemoval("webhooks");
