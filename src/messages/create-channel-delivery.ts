import { setTimeout as delay } from "node:timers/promises";
import { type Channel, type ClaimedMessage, claimMessages, FIRST_TURN, turnAfter } from "./claim-messages.ts";
import { causeOf, type DeliverMessageParts, deliverMessage } from "./deliver-message.ts";
import { SEND_LIMIT_MS } from "./senders/sender.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** How many messages of a channel a process sends concurrently. */
export const MAX_IN_FLIGHT = 5;
/** The duration of a claim, which is longer than sending a message may take. */
export const LEASE_MS = SEND_LIMIT_MS + 30_000;

/** Sends the messages of one channel with limited concurrency. */
interface ChannelDelivery {
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

export function createChannelDelivery(channel: Channel, parts: DeliverMessageParts): ChannelDelivery {
  const { query, clock, pauseMs, log } = parts;
  const inFlight = new Map<string, ClaimedMessage>();
  const deliveries = new Set<Promise<void>>();
  const stopping = new AbortController();
  const abandoned = new AbortController();
  let mayBeMore = true;
  let turn = FIRST_TURN;
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
    const free = MAX_IN_FLIGHT - inFlight.size;
    if (free === 0 || !mayBeMore || stopping.signal.aborted) return;
    mayBeMore = false;
    const now = clock();
    const until = new Date(now.getTime() + LEASE_MS);
    const options = { channel, limit: free, exclude: [...inFlight.keys()], turn, now, until };
    const claimed = await query((db) => claimMessages(db, options));
    turn = turnAfter(turn, claimed);
    mayBeMore ||= claimed.length === free;
    for (const message of claimed) {
      inFlight.set(message.id, message);
      const delivery = deliverMessage(parts, message, abandoned.signal).finally(() => {
        inFlight.delete(message.id);
        deliveries.delete(delivery);
      });
      deliveries.add(delivery);
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
      await waitForEnd(Promise.all([running, ...deliveries]), graceMs, abandoned);
    },
  };
}
