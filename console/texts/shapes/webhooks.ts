import type { DeliveryState } from "../../screens/webhooks/delivery-states.ts";

/** The texts about webhooks. */
export interface WebhooksTexts {
  readonly title: string;
  readonly webhook: string;
  readonly add: string;
  readonly none: string;
  readonly url: string;
  readonly urlHint: string;
  readonly eventTypes: string;
  readonly eventTypesHint: string;
  readonly allEvents: string;
  readonly payload: string;
  readonly payloadHint: string;
  readonly signingKey: string;
  readonly added: string;
  readonly toWebhook: string;
  readonly settings: string;
  readonly deliveries: string;
  readonly noDeliveries: string;
  readonly event: string;
  readonly time: string;
  readonly attempts: string;
  readonly result: string;
  readonly nextAttempt: string;
  readonly retry: string;
  readonly refresh: string;
  readonly sendLatest: string;
  readonly sendLatestHint: string;
  readonly nothingToSend: string;
  readonly states: Readonly<Record<DeliveryState, string>>;
  readonly stale: string;
  readonly actions: Readonly<
    Record<"newKey" | "deactivate" | "reactivate" | "remove", { readonly label: string; readonly text: string }>
  >;
}
