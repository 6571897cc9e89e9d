import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Channel, ClaimedMessage, ClaimOptions } from "./queue.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { SendOutcome } from "./senders/sender.ts";

/** How long to wait after a failure of the database. */
const PAUSE_MS = 5_000;

/** The functions of `queue.ts` that a lane needs, bound to a database. */
export interface Queue {
  claim(options: ClaimOptions): Promise<ClaimedMessage[]>;
  markSent(message: ClaimedMessage, now: Date): Promise<boolean>;
  markRetry(message: ClaimedMessage, error: string, nextAttemptAt: Date): Promise<boolean>;
  markFailed(message: ClaimedMessage, error: string, now: Date): Promise<boolean>;
  markExpired(message: ClaimedMessage, now: Date): Promise<boolean>;
}

/** Sends the messages of one channel, a limited number concurrently. */
export interface Lane {
  /** By id. A message stays here until its outcome is stored. */
  readonly underWay: ReadonlyMap<string, ClaimedMessage>;
  start(): void;
  wake(): void;
  deliverDue(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

export interface LaneParts {
  readonly channel: Channel;
  /** How many messages are sent concurrently. */
  readonly limit: number;
  readonly leaseMs: number;
  readonly queue: Queue;
  /** Never rejects. */
  readonly send: (message: ClaimedMessage) => Promise<SendOutcome>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly counters: Record<"sent" | "failed" | "retried" | "expired", number>;
}

export function createLane({ channel, limit, leaseMs, queue, send, clock, random, log, counters }: LaneParts): Lane {
  const underWay = new Map<string, ClaimedMessage>();
  const ends = new Set<Promise<void>>();
  const stopping = new AbortController();
  const givenUp = new AbortController();
  let mayBeMore = true;
  let woken = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();

  function wake(): void {
    mayBeMore = true;
    woken.resolve();
  }

  /** Claims as many messages as there is room for, and starts to send them. */
  async function fill(): Promise<void> {
    const room = limit - underWay.size;
    if (room === 0 || !mayBeMore || stopping.signal.aborted) return;
    mayBeMore = false;
    const now = clock();
    const until = new Date(now.getTime() + leaseMs);
    const claimed = await queue.claim({ channel, limit: room, held: [...underWay.keys()], now, until });
    mayBeMore ||= claimed.length === room;
    for (const message of claimed) {
      underWay.set(message.id, message);
      const end = deliver(message).finally(() => {
        underWay.delete(message.id);
        ends.delete(end);
      });
      ends.add(end);
    }
  }

  async function deliverDue(): Promise<void> {
    mayBeMore = true;
    for (;;) {
      woken = Promise.withResolvers();
      await fill();
      if (ends.size === 0 && (!mayBeMore || stopping.signal.aborted)) return;
      // Wait for room, or for a new message.
      if (ends.size > 0) await Promise.race([...ends, woken.promise]);
    }
  }

  /** Sends one message and stores the outcome. Never rejects. */
  async function deliver(message: ClaimedMessage): Promise<void> {
    const outcome: SendOutcome | { kind: "expired" } = message.is_usable ? await send(message) : { kind: "expired" };
    const { id: messageId, attempts } = message;
    const store = toStore(message, outcome);
    // Retry for as long as the database is unreachable: claiming the message again would send it twice.
    while (!givenUp.signal.aborted) {
      try {
        if (!(await store())) log.warn({ messageId, channel, attempts }, "a message was claimed by another process");
        return;
      } catch (error) {
        log.warn({ err: causeOf(error), messageId, channel }, "could not store the outcome of a message yet");
        await delay(PAUSE_MS, undefined, givenUp).catch(() => {});
      }
    }
  }

  /** Counts and logs the outcome of an attempt, and returns how to store it. */
  function toStore(message: ClaimedMessage, outcome: SendOutcome | { kind: "expired" }): () => Promise<boolean> {
    const { id: messageId, attempts } = message;
    switch (outcome.kind) {
      case "sent":
        counters.sent++;
        log.debug({ messageId, channel, attempts }, "message sent");
        return () => queue.markSent(message, clock());
      case "expired":
        counters.expired++;
        log.debug({ messageId, channel, attempts }, "message dropped: its code is no longer usable");
        return () => queue.markExpired(message, clock());
      case "refused":
        counters.failed++;
        log.warn({ messageId, channel, attempts, error: outcome.error }, "message permanently refused");
        return () => queue.markFailed(message, outcome.error, clock());
      case "failed": {
        counters.retried++;
        const nextAttemptAt = new Date(clock().getTime() + retryDelayMs(attempts, random));
        log.info({ messageId, channel, attempts, error: outcome.error, nextAttemptAt }, "message not sent yet");
        return () => queue.markRetry(message, outcome.error, nextAttemptAt);
      }
      default:
        return outcome satisfies never;
    }
  }

  /** Runs until stopped. Failures of the database do not end it. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await deliverDue();
        if (!stopping.signal.aborted) await woken.promise;
      } catch (error) {
        log.warn({ err: causeOf(error), channel }, "could not read the queue of messages");
        await delay(PAUSE_MS, undefined, stopping).catch(() => {});
      }
    }
  }

  return {
    underWay,
    wake,
    deliverDue,
    start() {
      running = run();
    },
    async stop(graceMs) {
      stopping.abort();
      wake();
      const timer = setTimeout(() => givenUp.abort(), graceMs);
      const over = new Promise<void>((resolve) => {
        givenUp.signal.addEventListener("abort", () => resolve());
      });
      await Promise.race([Promise.all([running, ...ends]), over]);
      clearTimeout(timer);
      givenUp.abort();
    },
  };
}

/** The error of the database instead of the one for callers. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
