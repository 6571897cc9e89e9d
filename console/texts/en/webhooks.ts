import type { WebhooksTexts } from "../shapes/webhooks.ts";

export const EN_WEBHOOKS: WebhooksTexts = {
  title: "Webhooks",
  webhook: "Webhook",
  add: "New webhook",
  none: "No webhooks yet. A webhook is a URL of yours that gets the events of the organization as they happen.",
  url: "URL",
  urlHint: "It begins with https, or with http for localhost.",
  eventTypes: "Events",
  eventTypesHint: "The types of the events that it gets. Without any, it gets all.",
  allEvents: "All",
  payload: "Send the payloads of events",
  payloadHint: "They can contain personal data. Without them, read what you need through the API.",
  signingKey: "Signing key",
  added: "Its first delivery is the event org.webhook.added, which shows whether it works.",
  toWebhook: "Go to the webhook",
  settings: "Settings",
  deliveries: "Deliveries",
  noDeliveries: "No deliveries",
  event: "Event",
  time: "Time",
  attempts: "Attempts",
  result: "Result",
  nextAttempt: "Next attempt",
  retry: "Send again",
  refresh: "Refresh",
  sendLatest: "Send the latest event now",
  sendLatestHint:
    "To test the webhook. If the webhook has already received the event, it can recognize it by the webhook-id, which is the same.",
  nothingToSend: "The webhook has no event yet.",
  states: { waiting: "Waiting", sending: "In progress", sent: "Sent", failed: "Failed" },
  stale:
    "Somebody else has changed this webhook in the meantime. Nothing was saved. Reload the page to see the change.",
  actions: {
    newKey: {
      label: "New signing key",
      text: "Deliveries are signed with both keys for 24 hours, and then with the new one only.",
    },
    deactivate: { label: "Deactivate", text: "Nothing is sent to it, and what happens meanwhile is not sent later." },
    reactivate: { label: "Reactivate", text: "Events are sent to it again." },
    remove: { label: "Remove", text: "The webhook and its deliveries are removed. This cannot be undone." },
  },
};
