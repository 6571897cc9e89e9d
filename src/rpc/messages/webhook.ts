import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ListWebhookDeliveriesRequest,
  WebhookDeliveryState,
  WebhookState,
} from "../../../gen/signet/v1/webhook_pb.js";
import type { PasswordHookRow } from "../../password-hook/set-password-hook.ts";
import type { WebhookCheck } from "../../webhooks/check-stored-webhook.ts";
import { DELIVERY_ORDER, type DeliveryRow, type DeliveryState } from "../../webhooks/list-deliveries.ts";
import { WEBHOOKS, type WebhookRow } from "../../webhooks/list-webhooks.ts";
import { toDetails } from "./details.ts";
import { nameOf, searchOf } from "./list.ts";

/** The fields for `WEBHOOKS.list`. */
export const toWebhookSearch = searchOf(WEBHOOKS.order);

/** The fields for `listDeliveries`. */
export const toDeliverySearch = searchOf(DELIVERY_ORDER, ({ id, state }: ListWebhookDeliveriesRequest) => ({
  id,
  state: nameOf(DELIVERY_STATES, state),
}));

/** Converts a row to a webhook in a response. It never contains the signing key. */
export function toWebhook(row: WebhookRow) {
  return {
    id: row.id,
    details: toDetails(row, row.ownerId),
    state: row.state === "active" ? WebhookState.ACTIVE : WebhookState.INACTIVE,
    name: row.name,
    url: row.url,
    eventTypes: row.eventTypes,
    includesPayload: row.includesPayload,
  };
}

/** Converts a row to a delivery in a response. */
export function toWebhookDelivery(row: DeliveryRow) {
  const nextAttemptAt = row.state === "waiting" ? row.nextAttemptAt : null;
  return {
    id: row.id,
    state: DELIVERY_STATES[row.state],
    eventType: row.eventType,
    sequence: row.position,
    aggregateId: row.aggregateId,
    creationDate: timestampFromDate(row.eventCreatedAt),
    attempts: row.attempts,
    ...(nextAttemptAt !== null && { nextAttemptDate: timestampFromDate(nextAttemptAt) }),
    ...(row.endedAt !== null && { endDate: timestampFromDate(row.endedAt) }),
    lastError: row.lastError ?? "",
  };
}

export const DELIVERY_STATES: Readonly<Record<DeliveryState, WebhookDeliveryState>> = {
  waiting: WebhookDeliveryState.WAITING,
  sending: WebhookDeliveryState.SENDING,
  sent: WebhookDeliveryState.SENT,
  failed: WebhookDeliveryState.FAILED,
};

/** Converts a test event that was sent, and the response. */
export function toWebhookCheck({ request, response, error = "", durationMs }: WebhookCheck) {
  return {
    requestHeaders: request.headers,
    requestBody: request.body,
    responseStatus: response?.status ?? 0,
    responseBody: response?.body ?? "",
    ...{ error, durationMs },
  };
}

/** Converts a row to a password hook in a response. It never contains the signing key. */
export function toPasswordHook({ ownerId, url, ...row }: PasswordHookRow) {
  return { details: toDetails(row, ownerId), url };
}
