import { setTimeout as delay } from "node:timers/promises";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { RunInTurn } from "../database/run-in-turn.ts";
import { isNoAddress } from "../fields/no-address.ts";
import type { SpanAttributes, Tracer } from "../telemetry/span.ts";
import type { ClaimedMessage } from "./claim-messages.ts";
import { type AttemptOutcome, endAttempt } from "./queue.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { type SendMessageParts, sendMessage } from "./send-message.ts";
import type { SendOutcome } from "./senders/sender.ts";

export interface DeliverMessageParts extends SendMessageParts {
  /** Deliveries use at most one connection. */
  readonly query: RunInTurn;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
  /** How long to wait after a database failure. */
  readonly pauseMs: number;
  readonly counters: Counters;
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

/** Sends a claimed message and stores the outcome. Never rejects. */
export async function deliverMessage(
  parts: DeliverMessageParts,
  message: ClaimedMessage,
  abandoned: AbortSignal,
): Promise<void> {
  // A trace of its own, because attempts may continue for days, and in other processes.
  const span = parts.tracer?.startRoot(`send ${message.channel}`, { attributes: toAttributes(message) });
  const sent: SendOutcome | { kind: "expired" } =
    message.is_usable && !isNoAddress(message.recipient)
      ? await sendMessage(parts, message, span)
      : { kind: "expired" };
  const outcome = sent.kind === "failed" ? { ...sent, nextAttemptAt: nextAttemptAt(parts, message) } : sent;
  reportOutcome(parts, message, outcome);
  await storeOutcome(parts, message, outcome, { span, throwIfOver() {} }, abandoned);
  span?.set({ "signet.message.outcome": outcome.kind });
  span?.end("error" in outcome ? outcome.kind : undefined);
}

function nextAttemptAt({ clock }: DeliverMessageParts, { attempts }: ClaimedMessage): Date {
  return new Date(clock().getTime() + retryDelayMs(attempts, Math.random));
}

function reportOutcome({ counters, log }: DeliverMessageParts, message: ClaimedMessage, outcome: AttemptOutcome): void {
  const { id: messageId, channel, attempts } = message;
  const fields = { messageId, channel, attempts };
  switch (outcome.kind) {
    case "sent":
      counters.sent++;
      log.debug(fields, "message sent");
      break;
    case "expired":
      counters.expired++;
      log.debug(fields, "message dropped: its code is no longer usable, or the user has no address");
      break;
    case "refused":
      counters.failed++;
      log.warn({ ...fields, error: outcome.error }, "message permanently refused");
      break;
    case "failed": {
      counters.retried++;
      const { error, nextAttemptAt } = outcome;
      log.info({ ...fields, error, nextAttemptAt }, "sending failed, will retry");
      break;
    }
    default:
      outcome satisfies never;
  }
}

/** Retries for as long as the database is unreachable: claiming the message again would send it twice. */
async function storeOutcome(
  parts: DeliverMessageParts,
  message: ClaimedMessage,
  outcome: AttemptOutcome,
  caller: QueryCaller,
  abandoned: AbortSignal,
): Promise<void> {
  const { query, clock, log, pauseMs } = parts;
  const { id: messageId, channel, attempts } = message;
  while (!abandoned.aborted) {
    try {
      const isStored = await query((db) => endAttempt(db, message, outcome, clock(), caller));
      if (!isStored) log.warn({ messageId, channel, attempts }, "message was claimed by another process");
      return;
    } catch (error) {
      log.warn({ err: causeOf(error), messageId, channel }, "could not store the outcome of a message, retrying");
      await delay(pauseMs, undefined, { signal: abandoned }).catch(() => {});
    }
  }
}

/** Returns the database error that a `SignetError` hides from callers. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

function toAttributes({ id, kind, notice, attempts }: ClaimedMessage): SpanAttributes {
  return { "signet.message_id": id, "signet.message.kind": notice ?? kind, "signet.message.attempt": attempts };
}
