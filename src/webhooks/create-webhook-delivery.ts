import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { createRunInTurn } from "../database/run-in-turn.ts";
import type { ReadSettledPosition } from "../events/settled-position.ts";
import { logFailure } from "../log-failure.ts";
import { waitForEnd } from "../messages/wait-for-end.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries.ts";
import { type DeliverParts, deliver, storeOutcome } from "./deliver.ts";
import { createDeliveryPlaces } from "./delivery-places.ts";
import { createDeliveryWork, type DeliveryWork } from "./delivery-work.ts";
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

interface WebhookDeliveryParts extends SendDeliveryParts {
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
  const { log, pauseMs = 5_000 } = parts;
  const counters = { sent: 0, retried: 0, failed: 0 };
  const work = createDeliveryWork();
  const deliveries = new Set<Promise<void>>();
  const stopping = new AbortController();
  const abandoned = new AbortController();
  const query = createRunInTurn(parts.db);
  const deliverParts = { ...parts, query, pauseMs, abandoned: abandoned.signal };
  const claimAndSend = createClaimAndSend(deliverParts, { work, deliveries, counters });
  let isUsed = true;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function hasWork(): boolean {
    if (stopping.signal.aborted || !isUsed) return false;
    return work.mayFeed || claimAndSend.canRun();
  }

  /** Runs until stopped. Database failures do not end it. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await step();
        if (!hasWork() && !stopping.signal.aborted) await work.next();
      } catch (error) {
        logFailure(log, "warn", { err: error }, "could not read the deliveries of webhooks");
        await delay(pauseMs, undefined, stopping).catch(() => {});
        work.wake();
      }
    }
  }

  async function step(): Promise<void> {
    if (work.mayFeed) await feed();
    if (hasWork() && claimAndSend.canRun()) await claimAndSend.run();
  }

  async function feed(): Promise<void> {
    work.startFeed();
    const settled = await parts.readSettledPosition();
    const fed = await query((db) => feedDeliveries(db, { settled, now: parts.clock() }));
    isUsed = fed.isUsed;
    if (fed.examined > 0) work.continueFeed();
  }

  return {
    counters,
    start() {
      let polls = 0;
      timer = setInterval(() => {
        polls += 1;
        if (!isUsed && polls % IDLE_POLLS !== 0) return;
        isUsed = true;
        work.wake();
      }, POLL_MS);
      running = run();
    },
    async deliverDue() {
      isUsed = true;
      work.wake();
      while (hasWork() || deliveries.size > 0) {
        if (hasWork()) await step();
        else await Promise.race([...deliveries, work.next()]);
      }
    },
    async stop(graceMs) {
      clearInterval(timer);
      stopping.abort();
      work.proceed();
      await waitForEnd(Promise.all([running, ...deliveries]), graceMs, abandoned);
    },
  };
}

interface Delivering {
  readonly work: DeliveryWork;
  /** The deliveries in flight. */
  readonly deliveries: Set<Promise<void>>;
  readonly counters: Record<DeliveryOutcome["kind"], number>;
}

/** Claims as many deliveries as there are free places, and starts to send them. */
function createClaimAndSend(parts: DeliverParts & WebhookDeliveryParts, { work, deliveries, counters }: Delivering) {
  const { clock, query, slowMs = SLOW_MS } = parts;
  const places = createDeliveryPlaces();

  /** Sends a delivery and stores the outcome. Never rejects. */
  async function send(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now();
    const outcome = await deliver(parts, delivery);
    places.rate(delivery, outcome.kind === "sent" && performance.now() - startedAt <= slowMs);
    counters[outcome.kind] += 1;
    await storeOutcome(parts, delivery, outcome);
  }

  function start(delivery: ClaimedDelivery): void {
    places.take(delivery);
    const running = send(delivery).finally(() => {
      places.leave(delivery);
      deliveries.delete(running);
      // One that is not quick leaves its place to any other one.
      work.add(places.isQuick(delivery.webhook_id) ? delivery.webhook_id : undefined);
      work.proceed();
    });
    deliveries.add(running);
  }

  return {
    canRun: () => places.hasFree && work.mayClaim,
    async run(): Promise<void> {
      const webhookIds = work.take();
      const now = clock();
      const until = new Date(now.getTime() + LEASE_MS);
      const options = { webhookIds, ...places.next(), limits: places.limitsOf(webhookIds), now, until };
      const { claimed, mayBeMore } = await query((db) => claimDeliveries(db, options));
      if (mayBeMore) work.add();
      for (const delivery of claimed) start(delivery);
    },
  };
}
