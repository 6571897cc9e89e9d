import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryState,
  WebhookState,
} from "../../gen/signet/v1/webhook_pb.js";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, type ApiOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { printDeliveries, printRetried, printWebhooks } from "./print-webhooks.ts";

/*
 * The commands `signet webhooks …` on a running server. They print the same as on the database, except that the API
 * reaches the webhooks of one organization.
 */

interface ServerOptions extends ApiOptions {
  /** Id or name; undefined for the organization of the token. */
  readonly org?: string;
  readonly json: boolean;
}

/** `signet webhooks list --url`. */
export async function listWebhooksOnServer(configuration: () => Config, options: ServerOptions): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const webhooks = (await listWebhooks(api, await findNamedOrg(api, options.org))).map(toShownWebhook);
    printWebhooks(options.json, webhooks);
  });
}

async function listWebhooks(api: Api, orgId: string | undefined): Promise<Webhook[]> {
  const { result } = await api.management.listWebhooks({ query: { asc: true, limit: 1_000 } }, inOrg(orgId));
  return result;
}

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

interface DeliveriesOptions extends ServerOptions {
  readonly id: string;
  readonly state?: keyof typeof STATES;
  readonly limit: number;
}

/** The most items of a response. */
const PAGE = 1_000;

/** `signet webhooks deliveries --url`: the latest ones, in the order of the events. */
export async function listDeliveriesOnServer(configuration: () => Config, options: DeliveriesOptions): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const latest = await listLatest(api, await findNamedOrg(api, options.org), options);
    printDeliveries(options.json, latest.reverse().map(toShownDelivery));
  });
}

/** One call for every 1,000, newest first. */
async function listLatest(
  api: Api,
  orgId: string | undefined,
  { id, state, limit }: DeliveriesOptions,
): Promise<WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  let pageToken = "";
  do {
    const query = { asc: false, limit: Math.min(limit - found.length, PAGE), pageToken };
    const request = { id, query, ...(state !== undefined && { state: STATES[state] }) };
    const { details, result } = await api.management.listWebhookDeliveries(request, inOrg(orgId));
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

/** `signet webhooks retry --url`. */
export async function retryDeliveryOnServer(
  configuration: () => Config,
  { id, deliveryId, org, json, ...options }: ServerOptions & { readonly id: string; readonly deliveryId: string },
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    await api.management.retryWebhookDelivery({ id, deliveryId }, inOrg(await findNamedOrg(api, org)));
    printRetried(json, id, deliveryId);
  });
}
