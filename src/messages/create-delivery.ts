import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { toLink } from "../codes/link.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Tables } from "../database/tables.ts";
import type { Span, SpanAttributes, Tracer } from "../telemetry/span.ts";
import { createChannelDelivery } from "./create-channel-delivery.ts";
import { openContent } from "./outbox.ts";
import {
  type Channel,
  type ClaimedMessage,
  claimMessages,
  markExpired,
  markFailed,
  markRetry,
  markSent,
  renewClaims,
} from "./queue.ts";
import { SEND_LIMIT_MS, type Senders, type SendOutcome } from "./senders/sender.ts";
import {
  type EmailReader,
  type RenderedEmail,
  renderChangedEmail,
  renderEmail,
  renderResetSms,
  renderSms,
} from "./templates/render.ts";

/** Sends queued messages. Any number of processes may do so concurrently. */
export interface Delivery {
  readonly counters: Readonly<Record<Channel, Readonly<Counters>>>;
  /** Polls the queue until stopped. */
  start(): void;
  /** Call this after queuing a message. */
  wake(): void;
  /**
   * Sends all messages that are due, and resolves once each has succeeded or failed. Do not call this after `start`.
   *
   * @throws SignetError for a failure of the database.
   */
  deliverDue(): Promise<void>;
  /** Extends the claims of messages that are being sent. After `start`, this happens automatically. */
  renew(): Promise<void>;
  /**
   * Stops claiming, waits for messages that are being sent, and closes the senders. Messages that take longer than
   * `graceMs` are abandoned: another process resends them once their claim expires.
   */
  stop(graceMs: number): Promise<void>;
}

export interface DeliveryParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Messages of a channel without a sender stay queued. */
  readonly senders: Senders;
  /** The origin of links. */
  readonly publicUrl: string;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  /** Returns numbers in [0, 1), as Math.random does. */
  readonly random?: () => number;
  /** How long to wait after a database failure. */
  readonly pauseMs?: number;
}

/** Outcomes of a channel's messages since this process was started. */
export interface Counters {
  sent: number;
  /** Permanently rejected. */
  failed: number;
  /** Attempts that failed and are retried. */
  retried: number;
  expired: number;
}

/** How many messages of a channel a process sends concurrently. */
export const MAX_IN_FLIGHT = 5;
/** The duration of a claim, which is longer than sending a message may take. */
const LEASE_MS = SEND_LIMIT_MS + 30_000;
const RENEW_MS = LEASE_MS / 3;
/** The interval for polling the queue, in case a notification is missed. */
const POLL_MS = 5_000;

export function createDelivery(parts: DeliveryParts): Delivery {
  const { db, clock, senders, log, tracer, random = Math.random, pauseMs = 5_000 } = parts;
  const counters = { email: zeroCounters(), sms: zeroCounters() };
  const queue = createQueue(db);
  const send = createSend(parts);
  const channelDeliveries = (["email", "sms"] as const)
    .filter((channel) => senders[channel] !== undefined)
    .map((channel) =>
      createChannelDelivery({
        channel,
        limit: MAX_IN_FLIGHT,
        leaseMs: LEASE_MS,
        pauseMs,
        queue,
        send,
        startSpan: (message) => tracer?.startRoot(`send ${channel}`, { attributes: toAttributes(message) }),
        clock,
        random,
        log,
        counters: counters[channel],
      }),
    );
  let timers: NodeJS.Timeout[] = [];

  const wake = () => {
    for (const delivery of channelDeliveries) delivery.wake();
  };
  const renew = async () => {
    const messages = channelDeliveries.flatMap(({ inFlight }) => [...inFlight.values()]);
    await queue.renew(messages, new Date(clock().getTime() + LEASE_MS));
  };
  return {
    counters,
    wake,
    renew,
    start() {
      for (const delivery of channelDeliveries) delivery.start();
      timers = [
        setInterval(wake, POLL_MS),
        setInterval(() => {
          // If a claim expires in the meantime, the message is sent twice at worst.
          renew().catch((error) => log.warn({ err: error }, "could not renew message claims"));
        }, RENEW_MS),
      ];
    },
    async deliverDue() {
      await Promise.all(channelDeliveries.map((delivery) => delivery.deliverDue()));
    },
    async stop(graceMs) {
      // Renew claims until every channel has stopped.
      await Promise.all(channelDeliveries.map((delivery) => delivery.stop(graceMs)));
      for (const timer of timers) clearInterval(timer);
      senders.email?.close();
      senders.sms?.close();
    },
  };
}

function zeroCounters(): Counters {
  return { sent: 0, failed: 0, retried: 0, expired: 0 };
}

/** Binds the queue functions to the database. They run one at a time, so they use at most one connection. */
function createQueue(db: Kysely<Tables>) {
  let last: Promise<unknown> = Promise.resolve();
  const bind =
    <Args extends unknown[], Result>(run: (db: Kysely<Tables>, ...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      const result = last.then(() => run(db, ...args));
      last = result.catch(() => {});
      return result;
    };
  return {
    claim: bind(claimMessages),
    renew: bind(renewClaims),
    markSent: bind(markSent),
    markRetry: bind(markRetry),
    markFailed: bind(markFailed),
    markExpired: bind(markExpired),
  };
}

/** Creates a function that decrypts, renders and sends a message. It never rejects. */
function createSend({ keyring, senders, publicUrl, log }: DeliveryParts) {
  const { host } = new URL(publicUrl);

  async function sendMessage(message: ClaimedMessage, span?: Span): Promise<SendOutcome> {
    const { id, channel, recipient: to, created_at: queuedAt, preferred_language: language } = message;
    const carried = openCode(message);
    switch (channel) {
      case "email": {
        const reader = {
          displayName: message.display_name ?? "",
          userName: message.user_name,
          language,
          recipient: to,
        };
        const rendered = renderAnyEmail({ ...reader, host }, message, carried?.link);
        return (await senders.email?.send({ id, queuedAt, to, link: carried?.link, ...rendered }, span)) ?? noSender();
      }
      case "sms": {
        if (carried === undefined) throw new Error("an SMS carries no code");
        const text =
          message.kind === "password"
            ? renderResetSms({ language, ...carried })
            : renderSms({ language, ...carried, host });
        return (await senders.sms?.send({ id, queuedAt, to, text }, span)) ?? noSender();
      }
      default:
        return channel satisfies never;
    }
  }

  /** The link and the digits of a message; undefined for a notice. */
  function openCode(message: ClaimedMessage): { readonly link: string; readonly digits: string } | undefined {
    if (message.notice !== null || message.code_id === null) return undefined;
    const { secret, digits = "" } = openContent(keyring, message);
    return { link: toLink(publicUrl, message.kind, { id: message.code_id, secret }), digits };
  }

  return async (message: ClaimedMessage, span?: Span): Promise<SendOutcome> => {
    try {
      return await sendMessage(message, span);
    } catch (error) {
      // For example, its key is missing. Log only the stack, because the error's properties may contain a link.
      const stack = error instanceof Error ? error.stack : String(error);
      log.error({ stack, messageId: message.id }, "could not create a message");
      return { kind: "failed", error: "the message could not be created; see the log" };
    }
  };
}

function toAttributes({ id, kind, notice, attempts }: ClaimedMessage): SpanAttributes {
  return { "signet.message_id": id, "signet.message.kind": notice ?? kind, "signet.message.attempt": attempts };
}

function renderAnyEmail(
  reader: EmailReader & { readonly host: string },
  { kind, email_verified: isVerified }: ClaimedMessage,
  link: string | undefined,
): RenderedEmail {
  return link === undefined ? renderChangedEmail(reader) : renderEmail({ ...reader, kind, link, isVerified });
}

function noSender(): SendOutcome {
  return { kind: "failed", error: "no sender is configured" };
}
