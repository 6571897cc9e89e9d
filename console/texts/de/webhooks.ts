import type { WebhooksTexts } from "../shapes/webhooks.ts";

export const DE_WEBHOOKS: WebhooksTexts = {
  title: "Webhooks",
  webhook: "Webhook",
  add: "Neuer Webhook",
  none: "Noch keine Webhooks. Ein Webhook ist eine Ihrer URLs, die die Ereignisse der Organisation erhält, wenn sie geschehen.",
  url: "URL",
  urlHint: "Sie beginnt mit https, oder für localhost mit http.",
  eventTypes: "Ereignisse",
  eventTypesHint: "Die Arten der Ereignisse, die er erhält. Ohne Angabe erhält er alle.",
  allEvents: "Alle",
  payload: "Die Inhalte der Ereignisse senden",
  payloadHint: "Sie können personenbezogene Daten enthalten. Ohne sie lesen Sie das Nötige über die API.",
  signingKey: "Signaturschlüssel",
  added: "Seine erste Zustellung ist das Ereignis org.webhook.added. Es zeigt, ob er funktioniert.",
  toWebhook: "Zum Webhook",
  settings: "Einstellungen",
  deliveries: "Zustellungen",
  noDeliveries: "Keine Zustellungen",
  event: "Ereignis",
  time: "Zeit",
  attempts: "Versuche",
  result: "Ergebnis",
  nextAttempt: "Nächster Versuch",
  retry: "Erneut senden",
  refresh: "Aktualisieren",
  sendLatest: "Das letzte Ereignis jetzt senden",
  sendLatestHint:
    "Um den Webhook zu prüfen. Hat er das Ereignis schon erhalten, erkennt er es an derselben webhook-id.",
  nothingToSend: "Der Webhook hat noch kein Ereignis.",
  states: { waiting: "Wartet", sending: "In Arbeit", sent: "Gesendet", failed: "Fehlgeschlagen" },
  stale:
    "Jemand anderes hat diesen Webhook inzwischen geändert. Es wurde nichts gespeichert. Laden Sie die Seite neu, um die Änderung zu sehen.",
  actions: {
    newKey: {
      label: "Neuer Signaturschlüssel",
      text: "Zustellungen werden 24 Stunden lang mit beiden Schlüsseln signiert, danach nur noch mit dem neuen.",
    },
    deactivate: {
      label: "Deaktivieren",
      text: "Es wird nichts an ihn gesendet, und was inzwischen geschieht, wird nicht nachgeholt.",
    },
    reactivate: { label: "Reaktivieren", text: "Ereignisse werden wieder an ihn gesendet." },
    remove: {
      label: "Entfernen",
      text: "Der Webhook und seine Zustellungen werden entfernt. Das kann nicht rückgängig gemacht werden.",
    },
  },
};
