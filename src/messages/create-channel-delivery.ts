import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Span } from "../telemetry/span.ts";
import type { Channel, ClaimedMessage, ClaimOptions } from "./queue.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { SendOutcome } from "./senders/sender.ts";

/** Sends the messages of one channel with limited concurrency. */
export interface ChannelDelivery {
  /** Claimed messages by id, until their outcomes are stored. */
  readonly inFlight: ReadonlyMap<string, ClaimedMessage>;
  /** Delivers due messages until stopped. */
  start(): void;
  /** Call this when messages may be due. */
  wake(): void;
  /** Delivers the messages that are due, once. Rejects if the queue cannot be read. */
  deliverDue(): Promise<void>;
  /** Stops claiming and waits at most `graceMs` for the messages in flight. */
  stop(graceMs: number): Promise<void>;
}

export interface ChannelDeliveryParts {
  readonly channel: Channel;
  /** How many messages are sent concurrently. */
  readonly limit: number;
  readonly leaseMs: number;
  /** How long to wait after a database failure. */
  readonly pauseMs: number;
  readonly queue: Queue;
  /** Never rejects. */
  readonly send: (message: ClaimedMessage, span?: Span) => Promise<SendOutcome>;
  /** Starts the span of an attempt. */
  readonly startSpan: (message: ClaimedMessage) => Span | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly counters: Record<"sent" | "failed" | "retried" | "expired", number>;
}

/** The functions of `queue.ts` that the delivery needs, bound to a database. */
export interface Queue {
  claim(options: ClaimOptions): Promise<ClaimedMessage[]>;
  markSent(message: ClaimedMessage, now: Date, caller?: QueryCaller): Promise<boolean>;
  markRetry(message: ClaimedMessage, error: string, nextAttemptAt: Date, caller?: QueryCaller): Promise<boolean>;
  markFailed(message: ClaimedMessage, error: string, now: Date, caller?: QueryCaller): Promise<boolean>;
  markExpired(message: ClaimedMessage, now: Date, caller?: QueryCaller): Promise<boolean>;
}

type Outcome = SendOutcome | { readonly kind: "expired" };

export function createChannelDelivery(parts: ChannelDeliveryParts): ChannelDelivery {
  const { channel, limit, leaseMs, pauseMs, queue, send, startSpan, clock, random, log, counters } = parts;
  const inFlight = new Map<string, ClaimedMessage>();
  const deliveries = new Set<Promise<void>>();
  const stopping = new AbortController();
  const abandoned = new AbortController();
  let mayBeMore = true;
  let woken = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();

  /** Runs until stopped. Database failures do not end it. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await deliverDue();
        if (!stopping.signal.aborted) await woken.promise;
      } catch (error) {
        log.warn({ err: causeOf(error), channel }, "could not read the message queue");
        await delay(pauseMs, undefined, stopping).catch(() => {});
      }
    }
  }

  function wake(): void {
    mayBeMore = true;
    woken.resolve();
  }

  async function deliverDue(): Promise<void> {
    mayBeMore = true;
    for (;;) {
      woken = Promise.withResolvers();
      await claimAndDeliver();
      if (deliveries.size === 0 && (!mayBeMore || stopping.signal.aborted)) return;
      // Wait for a free slot or a new message.
      if (deliveries.size > 0) await Promise.race([...deliveries, woken.promise]);
    }
  }

  /** Claims as many messages as there are free slots, and starts to deliver them. */
  async function claimAndDeliver(): Promise<void> {
    const free = limit - inFlight.size;
    if (free === 0 || !mayBeMore || stopping.signal.aborted) return;
    mayBeMore = false;
    const now = clock();
    const until = new Date(now.getTime() + leaseMs);
    const claimed = await queue.claim({ channel, limit: free, exclude: [...inFlight.keys()], now, until });
    mayBeMore ||= claimed.length === free;
    for (const message of claimed) {
      inFlight.set(message.id, message);
      const delivery = deliver(message).finally(() => {
        inFlight.delete(message.id);
        deliveries.delete(delivery);
      });
      deliveries.add(delivery);
    }
  }

  /** Sends one message and stores the outcome. Never rejects. */
  async function deliver(message: ClaimedMessage): Promise<void> {
    const span = startSpan(message);
    const outcome: Outcome = message.is_usable ? await send(message, span) : { kind: "expired" };
    await storeOutcome(message, outcome, { span, throwIfOver() {} });
    span?.set({ "signet.message.outcome": outcome.kind });
    span?.end("error" in outcome ? outcome.kind : undefined);
  }

  async function storeOutcome(message: ClaimedMessage, outcome: Outcome, caller: QueryCaller): Promise<void> {
    const { id: messageId, attempts } = message;
    const store = recordOutcome(message, outcome, caller);
    // Retry for as long as the database is unreachable: claiming the message again would send it twice.
    while (!abandoned.signal.aborted) {
      try {
        if (!(await store())) log.warn({ messageId, channel, attempts }, "message was claimed by another process");
        return;
      } catch (error) {
        log.warn({ err: causeOf(error), messageId, channel }, "could not store the outcome of a message, retrying");
        await delay(pauseMs, undefined, abandoned).catch(() => {});
      }
    }
  }

  /** Counts and logs the outcome of an attempt. Returns a function that stores it. */
  function recordOutcome(message: ClaimedMessage, outcome: Outcome, caller: QueryCaller): () => Promise<boolean> {
    const { id: messageId, attempts } = message;
    switch (outcome.kind) {
      case "sent":
        counters.sent++;
        log.debug({ messageId, channel, attempts }, "message sent");
        return () => queue.markSent(message, clock(), caller);
      case "expired":
        counters.expired++;
        log.debug({ messageId, channel, attempts }, "message dropped: its code is no longer usable");
        return () => queue.markExpired(message, clock(), caller);
      case "refused":
        counters.failed++;
        log.warn({ messageId, channel, attempts, error: outcome.error }, "message permanently refused");
        return () => queue.markFailed(message, outcome.error, clock(), caller);
      case "failed": {
        counters.retried++;
        const nextAttemptAt = new Date(clock().getTime() + retryDelayMs(attempts, random));
        log.info({ messageId, channel, attempts, error: outcome.error, nextAttemptAt }, "sending failed, will retry");
        return () => queue.markRetry(message, outcome.error, nextAttemptAt, caller);
      }
      default:
        return outcome satisfies never;
    }
  }

  return {
    inFlight,
    wake,
    deliverDue,
    start() {
      running = run();
    },
    async stop(graceMs) {
      stopping.abort();
      wake();
      const timer = setTimeout(() => abandoned.abort(), graceMs);
      const graceOver = new Promise<void>((resolve) => {
        abandoned.signal.addEventListener("abort", () => resolve());
      });
      await Promise.race([Promise.all([running, ...deliveries]), graceOver]);
      clearTimeout(timer);
      abandoned.abort();
    },
  };
}

/** Returns the database error that a `SignetError` hides from callers. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
