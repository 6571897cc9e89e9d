import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Webhook, type WebhookDelivery, WebhookState } from "../../gen/signet/v1/webhook_pb.js";
import { readPages } from "../moving/read-pages.ts";
import { DELIVERY_STATES } from "../rpc/messages/webhook.ts";
import type { DeliveryState } from "../webhooks/list-deliveries.ts";
import { type Api, apiCommand, type ObjectOptions, type OrgOptions } from "./api.ts";
import { findOwners, inOrgOf, readOfOwners } from "./owners.ts";
import { nameOf, print, toRows, toTable } from "./print.ts";

/** `signet webhooks list`. */
export const listWebhooksCommand = apiCommand(async (api, options: OrgOptions) => {
  const owners = await findOwners(api, "webhook", options.org);
  const webhooks = await readOfOwners(owners, async (owner) =>
    (await readPages((query) => api.management.listWebhooks({ query }, owner.options))).map(toShownWebhook),
  );
  const rows = toRows(webhooks, "id", "name", "state", "orgId", "url");
  print(options.json, webhooks, toTable(["ID", "NAME", "STATE", "ORG", "URL"], rows));
});

function toShownWebhook({ id, name, state, details, url, eventTypes, includesPayload }: Webhook) {
  return {
    id,
    name,
    state: state === WebhookState.ACTIVE ? "active" : "inactive",
    orgId: details?.resourceOwner,
    url,
    eventTypes,
    includesPayload,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
  };
}

interface DeliveriesOptions extends ObjectOptions {
  readonly state?: DeliveryState;
  readonly limit: number;
}

/** `signet webhooks deliveries`: the latest ones, in the order of the events. */
export const listDeliveriesCommand = apiCommand(async (api, options: DeliveriesOptions) => {
  const deliveries = (await listLatest(api, options)).reverse().map(toShownDelivery);
  const rows = toRows(deliveries, "id", "eventType", "state", "attempts", "nextAttemptAt", "lastError");
  print(options.json, deliveries, toTable(["ID", "EVENT", "STATE", "TRIED", "NEXT", "LAST ERROR"], rows));
});

async function listLatest(api: Api, { id, org, state, limit }: DeliveriesOptions): Promise<WebhookDelivery[]> {
  const callOptions = await inOrgOf(api, "webhook", { id, org });
  const request = { id, ...(state !== undefined && { state: DELIVERY_STATES[state] }) };
  const part = { asc: false, most: limit };
  return await readPages((query) => api.management.listWebhookDeliveries({ ...request, query }, callOptions), part);
}

function toShownDelivery(delivery: WebhookDelivery) {
  const { id, eventType, aggregateId, creationDate, state, attempts, nextAttemptDate, endDate, lastError } = delivery;
  return {
    id,
    eventType,
    aggregateId,
    eventCreatedAt: creationDate && timestampDate(creationDate),
    state: nameOf(DELIVERY_STATES, state),
    attempts,
    nextAttemptAt: nextAttemptDate ? timestampDate(nextAttemptDate) : null,
    endedAt: endDate ? timestampDate(endDate) : null,
    lastError: lastError || null,
    position: String(delivery.sequence),
  };
}

/** `signet webhooks retry`. A running server sends the delivery within a second. */
export const retryDeliveryCommand = apiCommand(
  async (api, { id, deliveryId, org, json }: ObjectOptions & { readonly deliveryId: string }) => {
    await api.management.retryWebhookDelivery({ id, deliveryId }, await inOrgOf(api, "webhook", { id, org }));
    print(json, { id: deliveryId }, [
      `${deliveryId} will be sent now; check the result with \`signet webhooks deliveries ${id}\``,
    ]);
  },
);
