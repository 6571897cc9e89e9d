import { print, toTable } from "./print.ts";

interface ShownWebhook {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly orgId: string | undefined;
  readonly url: string;
}

/** Prints webhooks, from the database or a server. */
export function printWebhooks(asJson: boolean, webhooks: readonly ShownWebhook[]): void {
  const rows = webhooks.map(({ id, name, state, orgId, url }) => [id, name, state, orgId ?? "", url]);
  print(asJson, webhooks, toTable(["ID", "NAME", "STATE", "ORG", "URL"], rows));
}

interface ShownDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastError: string | null;
}

/** Prints deliveries, from the database or a server. */
export function printDeliveries(asJson: boolean, deliveries: readonly ShownDelivery[]): void {
  const rows = deliveries.map(({ id, eventType, state, attempts, nextAttemptAt, lastError }) => [
    id,
    eventType,
    state,
    String(attempts),
    nextAttemptAt?.toISOString() ?? "",
    lastError ?? "",
  ]);
  print(asJson, deliveries, toTable(["ID", "EVENT", "STATE", "TRIED", "NEXT", "LAST ERROR"], rows));
}

/** Prints that a delivery will be sent again. */
export function printRetried(asJson: boolean, webhookId: string, deliveryId: string): void {
  print(asJson, { id: deliveryId }, [
    `${deliveryId} will be sent now; check the result with \`signet webhooks deliveries ${webhookId}\``,
  ]);
}
