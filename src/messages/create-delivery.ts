import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Tables } from "../database/tables.ts";
import { createLane, type Lane } from "./create-lane.ts";
import { openContent, toLink } from "./outbox.ts";
import { type Channel, type ClaimedMessage, createQueue, type Queue } from "./queue.ts";
import { SEND_LIMIT_MS, type Senders, type SendOutcome } from "./senders/sender.ts";
import { renderEmail, renderSms } from "./templates/render.ts";

/** How many messages of a channel a process sends at once. */
export const MOST_UNDER_WAY = 5;
/** How long nobody else claims a message: longer than sending it may take. */
const LEASE_MS = SEND_LIMIT_MS + 30_000;
const RENEW_MS = LEASE_MS / 3;
/** How often the queue is looked at where nobody says that there is something new. */
const POLL_MS = 5_000;

/** How many messages of a channel ended how, since this process began. */
export interface Counters {
  sent: number;
  /** Refused for good. */
  failed: number;
  /** Attempts after which the message waits for the next one. */
  retried: number;
  expired: number;
}

/** Sends what waits in the queue. Any number of processes may do so side by side. */
export interface Delivery {
  readonly counters: Readonly<Record<Channel, Readonly<Counters>>>;
  /** Looks at the queue, and goes on looking until it is stopped. */
  start(): void;
  /** To be called when something was queued. */
  wake(): void;
  /**
   * Sends all that is due at the moment, and resolves once that has ended well or badly. Not to be called once it is started.
   * Throws what the database gives.
   */
  deliverDue(): Promise<void>;
  /** Keeps what is being sent claimed; done by itself once it is started. */
  renew(): Promise<void>;
  /**
   * Claims nothing more, waits for what is being sent, and closes the senders. What takes longer than the grace is given up:
   * it will be sent again by whoever finds it when its claim has run out.
   */
  stop(graceMs: number): Promise<void>;
}

export interface DeliveryParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** A channel without a sender waits. */
  readonly senders: Senders;
  /** Origin that links point to. */
  readonly publicUrl: string;
  readonly log: Logger;
  /** Gives numbers from 0 up to 1. */
  readonly random?: () => number;
}

export function createDelivery(parts: DeliveryParts): Delivery {
  const { db, clock, senders, log, random = Math.random } = parts;
  const counters = { email: noCounts(), sms: noCounts() };
  const queue = inTurn(createQueue(db));
  const send = createSend(parts);
  const lanes = (["email", "sms"] as const)
    .filter((channel) => senders[channel] !== undefined)
    .map((channel) =>
      createLane({
        channel,
        limit: MOST_UNDER_WAY,
        leaseMs: LEASE_MS,
        queue,
        send,
        clock,
        random,
        log,
        counters: counters[channel],
      }),
    );
  let timers: NodeJS.Timeout[] = [];

  const wake = () => {
    for (const lane of lanes) lane.wake();
  };
  const renew = async () => {
    await queue.renew(lanes.flatMap(underWay), new Date(clock().getTime() + LEASE_MS));
  };
  return {
    counters,
    wake,
    renew,
    start() {
      for (const lane of lanes) lane.start();
      timers = [
        setInterval(wake, POLL_MS),
        setInterval(() => {
          // A message whose claim is lost meanwhile is sent twice at worst.
          renew().catch((error) => log.warn({ err: error }, "claims of messages could not be renewed"));
        }, RENEW_MS),
      ];
    },
    async deliverDue() {
      await Promise.all(lanes.map((lane) => lane.deliverDue()));
    },
    async stop(graceMs) {
      // Claims are renewed until the end.
      await Promise.all(lanes.map((lane) => lane.stop(graceMs)));
      for (const timer of timers) clearInterval(timer);
      senders.email?.close();
      senders.sms?.close();
    },
  };
}

function underWay({ underWay }: Lane): ClaimedMessage[] {
  return [...underWay.values()];
}

function noCounts(): Counters {
  return { sent: 0, failed: 0, retried: 0, expired: 0 };
}

/** One statement at a time, so that delivery holds one connection at most, however long the queue is. */
function inTurn(queue: Queue): Queue {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
  return {
    claim: (options) => after(() => queue.claim(options)),
    renew: (messages, until) => after(() => queue.renew(messages, until)),
    markSent: (message, now) => after(() => queue.markSent(message, now)),
    retryLater: (message, error, time) => after(() => queue.retryLater(message, error, time)),
    markFailed: (message, error, now) => after(() => queue.markFailed(message, error, now)),
    markExpired: (message, now) => after(() => queue.markExpired(message, now)),
  };
}

/** Opens, renders and sends a message. Never rejects. */
function createSend({ keyring, senders, publicUrl, log }: DeliveryParts) {
  const { host } = new URL(publicUrl);

  async function sendMessage(message: ClaimedMessage): Promise<SendOutcome> {
    const { id, channel, recipient: to, created_at: queuedAt, preferred_language: language } = message;
    const { secret, digits = "" } = openContent(keyring, message);
    const link = toLink(publicUrl, { kind: message.kind, id: message.code_id, secret });
    switch (channel) {
      case "email": {
        const displayName = message.display_name ?? "";
        const rendered = renderEmail({ displayName, language, link, recipient: to });
        return (await senders.email?.send({ id, queuedAt, to, link, ...rendered })) ?? noSender();
      }
      case "sms": {
        const text = renderSms({ language, digits, link, host });
        return (await senders.sms?.send({ id, queuedAt, to, text })) ?? noSender();
      }
      default:
        return channel satisfies never;
    }
  }

  return async (message: ClaimedMessage): Promise<SendOutcome> => {
    try {
      return await sendMessage(message);
    } catch (error) {
      // Its key is missing, for one. Without the properties of the error, which may hold a link.
      const stack = error instanceof Error ? error.stack : String(error);
      log.error({ stack, messageId: message.id }, "a message could not be made");
      return { kind: "failed", error: "the message could not be made; the log says why" };
    }
  };
}

function noSender(): SendOutcome {
  return { kind: "failed", error: "nothing is configured to send it" };
}
