import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { RunInTurn } from "../database/run-in-turn.ts";
import { logFailure } from "../log-failure.ts";
import { retryDelayMs } from "../messages/retry-delay.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { type DeliveryOutcome, endDelivery } from "./end-delivery.ts";
import { type SendDeliveryParts, sendDelivery } from "./send-delivery.ts";

export interface DeliverParts extends SendDeliveryParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** Deliveries use at most one connection. */
  readonly query: RunInTurn;
  /** How long to wait after a database failure. */
  readonly pauseMs: number;
  /** Ends storing outcomes while the database is unreachable. */
  readonly abandoned: AbortSignal;
}

/** Failed attempts are repeated until this long after the event; each delivery has at least one attempt. */
const GIVE_UP_MS = 3 * 24 * 3_600_000;
const LONGEST_DELAY_MS = 3_600_000;

/** Sends a claimed delivery. Never rejects. */
export async function deliver(parts: DeliverParts, delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
  const { clock, log } = parts;
  const error = await sendDelivery(parts, delivery, clock()).catch((failure: unknown) => {
    // For example, a master key is missing. Only the stack, because properties could contain data of the delivery.
    const stack = failure instanceof Error ? failure.stack : String(failure);
    log.error({ stack, deliveryId: delivery.id }, "could not create a delivery of a webhook");
    return "the delivery could not be created; see the log";
  });
  const outcome = toOutcome(delivery, error, clock());
  log.debug({ deliveryId: delivery.id, ...outcome }, "webhook called");
  return outcome;
}

function toOutcome(delivery: ClaimedDelivery, error: string | undefined, now: Date): DeliveryOutcome {
  if (error === undefined) return { kind: "sent" };
  const nextAttemptAt = new Date(now.getTime() + retryDelayMs(delivery.attempts, Math.random, LONGEST_DELAY_MS));
  const isOver = nextAttemptAt.getTime() > delivery.event_created_at.getTime() + GIVE_UP_MS;
  return isOver ? { kind: "failed", error } : { kind: "retried", error, nextAttemptAt };
}

/** Retries for as long as the database is unreachable: otherwise, the event would be sent again. */
export async function storeOutcome(
  { query, clock, log, pauseMs, abandoned }: DeliverParts,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
): Promise<void> {
  while (!abandoned.aborted) {
    try {
      const isStored = await query((db) => endDelivery(db, delivery, outcome, clock()));
      if (!isStored) log.warn({ deliveryId: delivery.id }, "the delivery was claimed by another process or removed");
      return;
    } catch (error) {
      logFailure(log, "warn", { err: error }, "could not store the outcome of a delivery, retrying");
      await delay(pauseMs, undefined, { signal: abandoned }).catch(() => {});
    }
  }
}
