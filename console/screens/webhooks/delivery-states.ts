import { WebhookDeliveryState } from "../../../gen/signet/v1/webhook_pb.js";

/** The states of a delivery, with their numbers in the API. */
export const STATES = {
  waiting: WebhookDeliveryState.WAITING,
  sending: WebhookDeliveryState.SENDING,
  sent: WebhookDeliveryState.SENT,
  failed: WebhookDeliveryState.FAILED,
} as const;

export type DeliveryState = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as readonly DeliveryState[];
