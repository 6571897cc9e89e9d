import { createBrandings } from "../branding/create-brandings.ts";
import { createBrandingImages } from "../branding/create-images.ts";
import { toImageType } from "../branding/image-path.ts";
import type { Label } from "../branding/label-settings.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { createRunInTurn } from "../database/run-in-turn.ts";
import type { Tracer } from "../telemetry/span.ts";
import type { Channel } from "./claim-messages.ts";
import { createChannelDelivery, LEASE_MS } from "./create-channel-delivery.ts";
import type { Counters } from "./deliver-message.ts";
import { renewClaims } from "./queue.ts";
import type { SendMessageParts } from "./send-message.ts";

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

/** Messages of a channel without a sender stay queued. */
interface DeliveryParts extends Omit<SendMessageParts, "findBranding" | "findLogo"> {
  readonly db: Database;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
  /** How long to wait after a database failure. */
  readonly pauseMs?: number;
}

const RENEW_MS = LEASE_MS / 3;
/** A larger logo would multiply what the emails of an import send. */
const MAX_LOGO_BYTES = 65_536;
/** The interval for polling the queue, in case a notification is missed. */
const POLL_MS = 5_000;

export function createDelivery(given: DeliveryParts): Delivery {
  const { clock, senders, log, pauseMs = 5_000 } = given;
  const counters = { email: zeroCounters(), sms: zeroCounters() };
  const query = createRunInTurn(given.db);
  const brandings = createBrandings(given);
  const findBranding = (orgId: string) => query(() => brandings.find(orgId));
  const images = createBrandingImages(given);
  const findLogo = async ({ logo }: Label) => {
    if (logo === null || toImageType(logo) !== "image/png") return undefined;
    const file = await query(() => images.find(logo));
    return file !== undefined && file.length <= MAX_LOGO_BYTES ? file : undefined;
  };
  const channelDeliveries = (["email", "sms"] as const)
    .filter((channel) => senders[channel] !== undefined)
    .map((channel) =>
      createChannelDelivery(channel, { ...given, pauseMs, query, findBranding, findLogo, counters: counters[channel] }),
    );
  let timers: NodeJS.Timeout[] = [];

  const wake = () => {
    for (const delivery of channelDeliveries) delivery.wake();
  };
  const renew = async () => {
    const messages = channelDeliveries.flatMap(({ inFlight }) => [...inFlight.values()]);
    await query((queue) => renewClaims(queue, messages, new Date(clock().getTime() + LEASE_MS)));
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
