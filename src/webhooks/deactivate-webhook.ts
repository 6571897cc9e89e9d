import { sql } from "kysely";
import type { Changed } from "../events/object-details.ts";
import {
  type ChangeWebhookParts,
  changeWebhook,
  LAST_POSITION,
  prepareWebhookChange,
  type WebhookCall,
} from "./change-webhook.ts";

/**
 * Deactivates a webhook: nothing is sent to it, and it does not get the events that are recorded until it is
 * reactivated (docs/api.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_STATE, or for a failure of the database.
 */
export async function deactivateWebhook(
  parts: ChangeWebhookParts,
  { id }: { readonly id: string },
  call: WebhookCall,
): Promise<Changed> {
  return await changeWebhook(parts, DEACTIVATE, { id, event: { type: "org.webhook.deactivated", payload: {} } }, call);
}

/**
 * Reactivates a webhook. Deliveries that waited when it was deactivated are continued (docs/api.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_STATE, or for a failure of the database.
 */
export async function reactivateWebhook(
  parts: ChangeWebhookParts,
  { id }: { readonly id: string },
  call: WebhookCall,
): Promise<Changed> {
  return await changeWebhook(parts, REACTIVATE, { id, event: { type: "org.webhook.reactivated", payload: {} } }, call);
}

const DEACTIVATE = prepareWebhookChange({
  refuse: () => sql`case when held.state <> 'active' then 'WEBHOOK_STATE' end`,
  set: () => ({ state: sql.lit("inactive") }),
});

const REACTIVATE = prepareWebhookChange({
  refuse: () => sql`case when held.state = 'active' then 'WEBHOOK_STATE' end`,
  set: () => ({ state: sql.lit("active"), position: sql`greatest(webhooks.position, ${LAST_POSITION})` }),
});
