import { addWebhook } from "../../../src/webhooks/change-webhook.ts";
import type { WebhookSettings } from "../../../src/webhooks/check-webhook.ts";
import { ofOperator } from "../operations/principal.ts";
import type { TestService } from "../servers/service.ts";

/** Adds a webhook to an organization. */
export async function createTestWebhook(
  service: TestService,
  orgId: string,
  settings: Partial<WebhookSettings> = {},
): Promise<{ id: string; signingKey: string }> {
  const { db, keyring, clock } = service;
  const webhook = { name: "CRM", url: "https://crm.example.com/signet", eventTypes: [], includesPayload: false };
  const added = await addWebhook({ db, keyring, clock }, { ...webhook, ...settings }, ofOperator(orgId));
  service.secret(added.signingKey);
  return added;
}
