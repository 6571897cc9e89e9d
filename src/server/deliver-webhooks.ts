import type { AppParts } from "../app.ts";
import { createReadSettledPosition } from "../events/settled-position.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import { createWebhookDelivery, type WebhookDelivery } from "../webhooks/create-webhook-delivery.ts";
import { MAX_RESPONSE_BYTES, SEND_LIMIT_MS } from "../webhooks/send-delivery.ts";

/** Sends events to the webhooks of organizations. */
export function deliverWebhooks({
  config,
  db,
  keyring,
  clock,
  log,
}: Pick<AppParts, "config" | "db" | "keyring" | "clock" | "log">): WebhookDelivery {
  return createWebhookDelivery({
    db,
    keyring,
    clock,
    log,
    readSettledPosition: createReadSettledPosition(db),
    send: createOutboundFetch({
      allowsPrivate: config.idpAllowPrivateNetworks,
      timeoutMs: SEND_LIMIT_MS,
      maxBodyBytes: MAX_RESPONSE_BYTES,
    }),
  });
}
