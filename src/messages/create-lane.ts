import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Channel, ClaimedMessage, Queue } from "./queue.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { SendOutcome } from "./senders/sender.ts";

/** How long a process leaves the database alone after it failed. */
const PAUSE_MS = 5_000;

/** The messages of one channel, of which a process sends some at once. */
export interface Lane {
  /** By id. A message stays here until how it ended is stored. */
  readonly underWay: ReadonlyMap<string, ClaimedMessage>;
  start(): void;
  wake(): void;
  deliverDue(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

export interface LaneParts {
  readonly channel: Channel;
  /** How many messages may be under way. */
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
  let bell = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();

  function wake(): void {
    mayBeMore = true;
    bell.resolve();
  }

  /** Claims as many as there is room for, and begins to send them. */
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
      bell = Promise.withResolvers();
      await fill();
      if (ends.size === 0 && (!mayBeMore || stopping.signal.aborted)) return;
      // Whatever comes first: room for another one, or another one.
      if (ends.size > 0) await Promise.race([...ends, bell.promise]);
    }
  }

  /** Sends one message and stores how that ended. Never rejects. */
  async function deliver(message: ClaimedMessage): Promise<void> {
    const outcome: SendOutcome | { kind: "expired" } = message.is_of_use ? await send(message) : { kind: "expired" };
    const { id: messageId, attempts } = message;
    const store = toStore(message, outcome);
    // For as long as the database is away: another attempt meanwhile would be a second message.
    while (!givenUp.signal.aborted) {
      try {
        if (!(await store())) log.warn({ messageId, channel, attempts }, "a message was claimed by another process");
        return;
      } catch (error) {
        log.warn({ err: causeOf(error), messageId, channel }, "how a message ended could not be stored yet");
        await delay(PAUSE_MS, undefined, givenUp).catch(() => {});
      }
    }
  }

  /** What there is to store, and to tell, of how an attempt ended. */
  function toStore(message: ClaimedMessage, outcome: SendOutcome | { kind: "expired" }): () => Promise<boolean> {
    const { id: messageId, attempts } = message;
    switch (outcome.kind) {
      case "sent":
        counters.sent++;
        log.debug({ messageId, channel, attempts }, "message sent");
        return () => queue.markSent(message, clock());
      case "expired":
        counters.expired++;
        log.debug({ messageId, channel, attempts }, "message dropped: its code is of no use any more");
        return () => queue.markExpired(message, clock());
      case "refused":
        counters.failed++;
        log.warn({ messageId, channel, attempts, error: outcome.error }, "message refused for good");
        return () => queue.markFailed(message, outcome.error, clock());
      case "failed": {
        counters.retried++;
        const nextAttemptAt = new Date(clock().getTime() + retryDelayMs(attempts, random));
        log.info({ messageId, channel, attempts, error: outcome.error, nextAttemptAt }, "message not sent yet");
        return () => queue.retryLater(message, outcome.error, nextAttemptAt);
      }
      default:
        return outcome satisfies never;
    }
  }

  /** Goes on until it is stopped, whatever the database does. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await deliverDue();
        if (!stopping.signal.aborted) await bell.promise;
      } catch (error) {
        log.warn({ err: causeOf(error), channel }, "the queue of messages could not be read");
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

/** What the database said, rather than what a caller would be told. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
