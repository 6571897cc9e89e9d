import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeWebhookParts, changeWebhook, prepareWebhookChange, type WebhookCall } from "./change-webhook.ts";
import { toWebhookPayload, type WebhookSettings } from "./check-webhook.ts";

/**
 * Replaces the settings of a webhook (docs/api.md). Deliveries that wait are sent to the new URL.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, or for a failure of the database.
 */
export async function updateWebhook(
  parts: ChangeWebhookParts,
  { id, name, url, eventTypes, includesPayload }: WebhookSettings & { readonly id: string },
  call: WebhookCall,
): Promise<Changed> {
  const settings = { name, url, eventTypes: [...eventTypes], includesPayload };
  const event = { type: "org.webhook.changed", payload: toWebhookPayload(settings) } as const;
  return await changeWebhook(parts, UPDATE, { id, event, ...settings }, call);
}

interface UpdateValues {
  name: string;
  url: string;
  eventTypes: string[];
  includesPayload: boolean;
}

function columns(given: Param<UpdateValues>) {
  return {
    name: given("name", "text"),
    url: given("url", "text"),
    event_types: given("eventTypes", "text[]"),
    includes_payload: given("includesPayload", "boolean"),
  };
}

const UPDATE = prepareWebhookChange<UpdateValues>({
  differs: (given) => differsFrom("held", columns(given)),
  set: columns,
});
