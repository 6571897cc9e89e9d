import { LRUCache } from "lru-cache";
import type { ClaimedDelivery, WebhookLimit } from "./claim-deliveries.ts";

/** The deliveries that a process sends concurrently, in all and to one webhook. */
interface DeliveryPlaces {
  readonly hasFree: boolean;
  /** How many deliveries may be claimed now, and how many of them for webhooks that are not quick. */
  next(): { readonly limit: number; readonly slowLimit: number };
  /** The limits of quick webhooks (these ones, or all), and of those with deliveries in flight. */
  limitsOf(webhookIds: readonly string[] | undefined): WebhookLimit[];
  take(delivery: ClaimedDelivery): void;
  /** Notes whether a delivery was quick. */
  rate(delivery: ClaimedDelivery, wasQuick: boolean): void;
  isQuick(webhookId: string): boolean;
  leave(delivery: ClaimedDelivery): void;
}

/** How many deliveries a process sends concurrently: in all, and to one webhook. */
const MAX_IN_FLIGHT = 128;
export const MAX_PER_WEBHOOK = 4;
/**
 * How many of them go to webhooks that are not quick: whose last delivery failed, took more than two seconds, or is not
 * known. Each of these gets one at a time, so that they leave half of the places to the others.
 */
export const MAX_SLOW_IN_FLIGHT = MAX_IN_FLIGHT / 2;
const MAX_QUICK_KNOWN = 1_000;
/** Requests that are started in one turn of the event loop. */
const MAX_AT_ONCE = 16;

export function createDeliveryPlaces(): DeliveryPlaces {
  const inFlight = new Map<string, { readonly webhookId: string; readonly isQuick: boolean }>();
  /** The webhooks whose last delivery was quick. */
  const quick = new LRUCache<string, true>({ max: MAX_QUICK_KNOWN });
  return {
    get hasFree() {
      return inFlight.size < MAX_IN_FLIGHT;
    },
    next() {
      const slow = [...inFlight.values()].filter(({ isQuick }) => !isQuick).length;
      return {
        limit: Math.min(MAX_IN_FLIGHT - inFlight.size, MAX_AT_ONCE),
        slowLimit: Math.max(0, MAX_SLOW_IN_FLIGHT - slow),
      };
    },
    limitsOf(webhookIds) {
      const counts = new Map<string, number>();
      for (const { webhookId } of inFlight.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
      return [...new Set([...(webhookIds ?? quick.keys()), ...counts.keys()])].flatMap((id): WebhookLimit[] => {
        const count = counts.get(id) ?? 0;
        if (!quick.has(id)) return count === 0 ? [] : [{ id, most: 0, quick: false }];
        return [{ id, most: MAX_PER_WEBHOOK - count, quick: true }];
      });
    },
    take({ id, webhook_id: webhookId }) {
      inFlight.set(id, { webhookId, isQuick: quick.has(webhookId) });
    },
    rate({ webhook_id: webhookId }, wasQuick) {
      if (wasQuick) quick.set(webhookId, true);
      else quick.delete(webhookId);
    },
    isQuick: (webhookId) => quick.has(webhookId),
    leave({ id }) {
      inFlight.delete(id);
    },
  };
}
