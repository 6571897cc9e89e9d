import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryState,
  WebhookState,
} from "../../gen/signet/v1/webhook_pb.js";
import { type Api, apiCommand, type JsonOptions } from "./api.ts";
import { findOwners, inOrgOf, readOfOwners } from "./owners.ts";
import { print, toTable } from "./print.ts";
import { readPages } from "./read-pages.ts";

interface WebhookOptions extends JsonOptions {
  /** Id or name; undefined for the organization of the token, or on the database for all. */
  readonly org?: string;
}

/** `signet webhooks list`. */
export const listWebhooksCommand = apiCommand(async (api, options: WebhookOptions) => {
  const owners = await findOwners(api, "webhook", options.org);
  const webhooks = await readOfOwners(owners, async (owner) =>
    (await readPages((query) => api.management.listWebhooks({ query }, owner.options))).map(toShownWebhook),
  );
  const rows = webhooks.map(({ id, name, state, orgId, url }) => [id, name, state, orgId ?? "", url]);
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

interface DeliveriesOptions extends WebhookOptions {
  readonly id: string;
  readonly state?: keyof typeof STATES;
  readonly limit: number;
}

/** The most items of a response. */
const PAGE = 1_000;

/** `signet webhooks deliveries`: the latest ones, in the order of the events. */
export const listDeliveriesCommand = apiCommand(async (api, options: DeliveriesOptions) => {
  const deliveries = (await listLatest(api, options)).reverse().map(toShownDelivery);
  const rows = deliveries.map(({ id, eventType, state, attempts, nextAttemptAt, lastError }) => [
    id,
    eventType,
    state,
    String(attempts),
    nextAttemptAt?.toISOString() ?? "",
    lastError ?? "",
  ]);
  print(options.json, deliveries, toTable(["ID", "EVENT", "STATE", "TRIED", "NEXT", "LAST ERROR"], rows));
});

/** One call for every 1,000, newest first. */
async function listLatest(api: Api, { id, org, state, limit }: DeliveriesOptions): Promise<WebhookDelivery[]> {
  const callOptions = await inOrgOf(api, "webhook", { id, org });
  const found: WebhookDelivery[] = [];
  let pageToken = "";
  do {
    const query = { asc: false, limit: Math.min(limit - found.length, PAGE), pageToken };
    const request = { id, query, ...(state !== undefined && { state: STATES[state] }) };
    const { details, result } = await api.management.listWebhookDeliveries(request, callOptions);
    found.push(...result);
    pageToken = details?.nextPageToken ?? "";
  } while (pageToken !== "" && found.length < limit);
  return found;
}

const STATES = {
  waiting: WebhookDeliveryState.WAITING,
  sending: WebhookDeliveryState.SENDING,
  sent: WebhookDeliveryState.SENT,
  failed: WebhookDeliveryState.FAILED,
};

function toShownDelivery(delivery: WebhookDelivery) {
  const { id, eventType, aggregateId, creationDate, state, attempts, nextAttemptDate, endDate, lastError } = delivery;
  return {
    id,
    eventType,
    aggregateId,
    eventCreatedAt: creationDate && timestampDate(creationDate),
    state: Object.entries(STATES).find(([, number]) => number === state)?.[0] ?? "",
    attempts,
    nextAttemptAt: nextAttemptDate ? timestampDate(nextAttemptDate) : null,
    endedAt: endDate ? timestampDate(endDate) : null,
    lastError: lastError || null,
    position: String(delivery.sequence),
  };
}

/** `signet webhooks retry`. A running server sends the delivery within a second. */
export const retryDeliveryCommand = apiCommand(
  async (api, { id, deliveryId, org, json }: WebhookOptions & { readonly id: string; readonly deliveryId: string }) => {
    await api.management.retryWebhookDelivery({ id, deliveryId }, await inOrgOf(api, "webhook", { id, org }));
    print(json, { id: deliveryId }, [
      `${deliveryId} will be sent now; check the result with \`signet webhooks deliveries ${id}\``,
    ]);
  },
);
