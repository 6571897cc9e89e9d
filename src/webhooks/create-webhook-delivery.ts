import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { ReadSettledPosition } from "../events/settled-position.ts";
import { logFailure } from "../log-failure.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries.ts";
import { deliver, storeOutcome } from "./deliver.ts";
import { createDeliveryPlaces } from "./delivery-places.ts";
import type { DeliveryOutcome } from "./end-delivery.ts";
import { feedDeliveries } from "./feed-deliveries.ts";
import { SEND_LIMIT_MS, type SendDeliveryParts } from "./send-delivery.ts";

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

const SLOW_MS = 2_000;
/** The duration of a claim, which is longer than an attempt may take. */
const LEASE_MS = SEND_LIMIT_MS + 30_000;
const POLL_MS = 500;
/** How many polls are left out while there are no webhooks. */
const IDLE_POLLS = 10;

export function createWebhookDelivery(parts: WebhookDeliveryParts): WebhookDelivery {
  const { clock, log, pauseMs = 5_000, slowMs = SLOW_MS } = parts;
  const counters = { sent: 0, retried: 0, failed: 0 };
  const places = createDeliveryPlaces();
  const deliveries = new Set<Promise<void>>();
  const stopping = new AbortController();
  const abandoned = new AbortController();
  const query = createQuery(parts.db);
  const deliverParts = { ...parts, query, pauseMs, abandoned: abandoned.signal };
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
    return mayFeed || mayClaim();
  }

  function mayClaim(): boolean {
    return places.hasFree && (pending === "all" || pending.size > 0);
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
    if (!mayClaim()) return;
    const webhookIds = pending === "all" ? undefined : [...pending];
    pending = new Set();
    const now = clock();
    const until = new Date(now.getTime() + LEASE_MS);
    const options = { webhookIds, ...places.next(), limits: places.limitsOf(webhookIds), now, until };
    const { claimed, mayBeMore } = await query((db) => claimDeliveries(db, options));
    if (mayBeMore) pending = "all";
    for (const delivery of claimed) {
      places.take(delivery);
      const running = send(delivery).finally(() => {
        places.leave(delivery);
        deliveries.delete(running);
        // One that is not quick leaves its place to any other one.
        if (!places.isQuick(delivery.webhook_id)) pending = "all";
        else if (pending !== "all") pending.add(delivery.webhook_id);
        woken.resolve();
      });
      deliveries.add(running);
    }
  }

  /** Sends a delivery and stores the outcome. Never rejects. */
  async function send(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now();
    const outcome = await deliver(deliverParts, delivery);
    places.rate(delivery, outcome.kind === "sent" && performance.now() - startedAt <= slowMs);
    counters[outcome.kind] += 1;
    await storeOutcome(deliverParts, delivery, outcome);
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

/** Runs one query after another, so that deliveries use at most one connection. */
function createQuery(db: Database) {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(run: (db: Database) => Promise<Result>): Promise<Result> => {
    const result = last.then(() => run(db));
    last = result.catch(() => {});
    return result;
  };
}
