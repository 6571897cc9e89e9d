import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { ReadSettledPosition } from "../events/settled-position.ts";
import { logFailure } from "../log-failure.ts";
import { retryDelayMs } from "../messages/retry-delay.ts";
import { type ClaimedDelivery, claimDeliveries, type WebhookLimit } from "./claim-deliveries.ts";
import { type DeliveryOutcome, endDelivery } from "./end-delivery.ts";
import { feedDeliveries } from "./feed-deliveries.ts";
import { SEND_LIMIT_MS, type SendDeliveryParts, sendDelivery } from "./send-delivery.ts";

/** Sends events to webhooks. Any number of processes may do so concurrently. */
export interface WebhookDelivery {
  /** Outcomes of attempts since this process was started. */
  readonly counters: Readonly<Record<DeliveryOutcome["kind"], number>>;
  /** Follows the events until stopped. */
  start(): void;
  /**
   * Sends what is due, and resolves once each delivery has succeeded or failed. Do not call this after `start`.
   *
   * @throws SignetError for a failure of the database.
   */
  deliverDue(): Promise<void>;
  /** Starts no more deliveries, and waits at most `graceMs` for those in flight. Others are repeated later. */
  stop(graceMs: number): Promise<void>;
}

export interface WebhookDeliveryParts extends SendDeliveryParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly readSettledPosition: ReadSettledPosition;
  readonly log: Logger;
  /** How long to wait after a database failure. */
  readonly pauseMs?: number;
  /** How long a delivery may take before its webhook counts as slow. */
  readonly slowMs?: number;
}

/** How many deliveries a process sends concurrently: in all, and to one webhook. */
export const MAX_IN_FLIGHT = 128;
export const MAX_PER_WEBHOOK = 4;
/**
 * How many of them go to webhooks that are not quick: whose last delivery failed, took more than two seconds, or is not
 * known. Each of these gets one at a time, so that they leave half of the places to the others.
 */
export const MAX_SLOW_IN_FLIGHT = MAX_IN_FLIGHT / 2;
const SLOW_MS = 2_000;
const MAX_QUICK_KNOWN = 1_000;
/** Requests that are started in one turn of the event loop. */
const MAX_AT_ONCE = 16;

/** The duration of a claim, which is longer than an attempt may take. */
const LEASE_MS = SEND_LIMIT_MS + 30_000;
/** Failed attempts are repeated until this long after the event; each delivery has at least one attempt. */
export const GIVE_UP_MS = 3 * 24 * 3_600_000;
const LONGEST_DELAY_MS = 3_600_000;
const POLL_MS = 500;
/** How many polls are left out while there are no webhooks. */
const IDLE_POLLS = 10;

export function createWebhookDelivery(parts: WebhookDeliveryParts): WebhookDelivery {
  const { clock, log, pauseMs = 5_000, slowMs = SLOW_MS } = parts;
  const counters = { sent: 0, retried: 0, failed: 0 };
  const inFlight = new Map<string, { readonly webhookId: string; readonly isQuick: boolean }>();
  const deliveries = new Set<Promise<void>>();
  /** The webhooks whose last delivery was quick. */
  const quick = new LRUCache<string, true>({ max: MAX_QUICK_KNOWN });
  const stopping = new AbortController();
  const abandoned = new AbortController();
  const query = createQuery(parts.db);
  let mayFeed = true;
  let isUsed = true;
  /** The webhooks that may have due deliveries. */
  let pending: Set<string> | "all" = "all";
  let woken = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    mayFeed = true;
    pending = "all";
    woken.resolve();
  }

  /** Resolves with the next call of `wake`, or at the end of a delivery. */
  function nextWake(): Promise<void> {
    woken = Promise.withResolvers();
    return woken.promise;
  }

  function hasWork(): boolean {
    if (stopping.signal.aborted || !isUsed) return false;
    return mayFeed || (inFlight.size < MAX_IN_FLIGHT && (pending === "all" || pending.size > 0));
  }

  /** Runs until stopped. Database failures do not end it. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await step();
        if (!hasWork() && !stopping.signal.aborted) await nextWake();
      } catch (error) {
        logFailure(log, "warn", { err: error }, "could not read the deliveries of webhooks");
        await delay(pauseMs, undefined, stopping).catch(() => {});
        wake();
      }
    }
  }

  async function step(): Promise<void> {
    if (mayFeed) await feed();
    if (hasWork()) await claim();
  }

  async function feed(): Promise<void> {
    mayFeed = false;
    const settled = await parts.readSettledPosition();
    const fed = await query((db) => feedDeliveries(db, { settled, now: clock() }));
    isUsed = fed.isUsed;
    if (fed.examined === 0) return;
    mayFeed = true;
    pending = "all";
  }

  /** Claims as many deliveries as there are free places, and starts to send them. */
  async function claim(): Promise<void> {
    const free = MAX_IN_FLIGHT - inFlight.size;
    if (free === 0 || (pending !== "all" && pending.size === 0)) return;
    const webhookIds = pending === "all" ? undefined : [...pending];
    pending = new Set();
    const now = clock();
    const until = new Date(now.getTime() + LEASE_MS);
    const slow = [...inFlight.values()].filter(({ isQuick }) => !isQuick).length;
    const slowLimit = Math.max(0, MAX_SLOW_IN_FLIGHT - slow);
    const limit = Math.min(free, MAX_AT_ONCE);
    const options = { webhookIds, limit, slowLimit, limits: limitsOf(webhookIds), now, until };
    const { claimed, mayBeMore } = await query((db) => claimDeliveries(db, options));
    if (mayBeMore) pending = "all";
    for (const delivery of claimed) {
      const { id, webhook_id: webhookId } = delivery;
      inFlight.set(id, { webhookId, isQuick: quick.has(webhookId) });
      const running = deliver(delivery).finally(() => {
        inFlight.delete(id);
        deliveries.delete(running);
        // One that is not quick leaves its place to any other one.
        if (!quick.has(webhookId)) pending = "all";
        else if (pending !== "all") pending.add(webhookId);
        woken.resolve();
      });
      deliveries.add(running);
    }
  }

  /** The limits of quick webhooks, and of those with deliveries in flight. */
  function limitsOf(webhookIds: readonly string[] | undefined): WebhookLimit[] {
    const counts = new Map<string, number>();
    for (const { webhookId } of inFlight.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return [...new Set([...(webhookIds ?? quick.keys()), ...counts.keys()])].flatMap((id): WebhookLimit[] => {
      const count = counts.get(id) ?? 0;
      if (!quick.has(id)) return count === 0 ? [] : [{ id, most: 0, quick: false }];
      return [{ id, most: MAX_PER_WEBHOOK - count, quick: true }];
    });
  }

  /** Sends a claimed delivery and stores the outcome. Never rejects. */
  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now();
    const error = await sendDelivery(parts, delivery, clock()).catch((failure: unknown) => {
      // For example, a master key is missing. Only the stack, because properties could contain data of the delivery.
      const stack = failure instanceof Error ? failure.stack : String(failure);
      log.error({ stack, deliveryId: delivery.id }, "could not create a delivery of a webhook");
      return "the delivery could not be created; see the log";
    });
    if (error === undefined && performance.now() - startedAt <= slowMs) quick.set(delivery.webhook_id, true);
    else quick.delete(delivery.webhook_id);
    const outcome = toOutcome(delivery, error, clock());
    counters[outcome.kind] += 1;
    log.debug({ deliveryId: delivery.id, ...outcome }, "webhook called");
    await store(delivery, outcome);
  }

  /** Retries for as long as the database is unreachable: otherwise, the event would be sent again. */
  async function store(delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
    while (!abandoned.signal.aborted) {
      try {
        const isStored = await query((db) => endDelivery(db, delivery, outcome, clock()));
        if (!isStored) log.warn({ deliveryId: delivery.id }, "the delivery was claimed by another process or removed");
        return;
      } catch (error) {
        logFailure(log, "warn", { err: error }, "could not store the outcome of a delivery, retrying");
        await delay(pauseMs, undefined, { signal: abandoned.signal }).catch(() => {});
      }
    }
  }

  return {
    counters,
    start() {
      let polls = 0;
      timer = setInterval(() => {
        polls += 1;
        if (!isUsed && polls % IDLE_POLLS !== 0) return;
        isUsed = true;
        wake();
      }, POLL_MS);
      running = run();
    },
    async deliverDue() {
      isUsed = true;
      wake();
      while (hasWork() || deliveries.size > 0) {
        if (hasWork()) await step();
        else await Promise.race([...deliveries, nextWake()]);
      }
    },
    async stop(graceMs) {
      clearInterval(timer);
      stopping.abort();
      woken.resolve();
      const grace = setTimeout(() => abandoned.abort(), graceMs);
      const graceOver = new Promise<void>((resolve) => {
        abandoned.signal.addEventListener("abort", () => resolve());
      });
      await Promise.race([Promise.all([running, ...deliveries]), graceOver]);
      clearTimeout(grace);
      abandoned.abort();
    },
  };
}

function toOutcome(delivery: ClaimedDelivery, error: string | undefined, now: Date): DeliveryOutcome {
  if (error === undefined) return { kind: "sent" };
  const nextAttemptAt = new Date(now.getTime() + retryDelayMs(delivery.attempts, Math.random, LONGEST_DELAY_MS));
  const isOver = nextAttemptAt.getTime() > delivery.event_created_at.getTime() + GIVE_UP_MS;
  return isOver ? { kind: "failed", error } : { kind: "retried", error, nextAttemptAt };
}

/** Runs one query after another, so that deliveries use at most one connection. */
function createQuery(db: Database) {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(run: (db: Database) => Promise<Result>): Promise<Result> => {
    const result = last.then(() => run(db));
    last = result.catch(() => {});
    return result;
  };
}
