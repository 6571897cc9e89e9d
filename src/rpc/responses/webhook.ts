import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { WebhookDeliveryState, WebhookState } from "../../../gen/signet/v1/webhook_pb.js";
import type { DeliveryRow, DeliveryState } from "../../webhooks/list-deliveries.ts";
import type { WebhookRow } from "../../webhooks/webhook-row.ts";
import { toDetails } from "./details.ts";

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
    state: STATES[row.state],
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

const STATES: Readonly<Record<DeliveryState, WebhookDeliveryState>> = {
  waiting: WebhookDeliveryState.WAITING,
  sending: WebhookDeliveryState.SENDING,
  sent: WebhookDeliveryState.SENT,
  failed: WebhookDeliveryState.FAILED,
};
