import { type Config, ConfigError } from "../config.ts";
import { findMessage, listMessages, type MessageState } from "../messages/find-messages.ts";
import { notifyQueued } from "../messages/notify-queued.ts";
import { retryMessage } from "../messages/retry-message.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { databaseCommand } from "./database-command.ts";
import { messageNotFound, printMessage, printMessages, printRetriedMessage } from "./print-messages.ts";

interface ListMessagesOptions {
  readonly state?: MessageState;
  /** The recipient. */
  readonly to?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly json: boolean;
}

/** `signet messages list`. */
export const listMessagesCommand = databaseCommand(async (db, options: ListMessagesOptions, config) => {
  const { state, to: recipient, since, limit, json } = options;
  const search = { state, recipient: recipient?.trim(), since, limit, now: new Date() };
  const messages = (await listMessages(db, search)).map((row) => toJson(row, config));
  printMessages(json, messages);
});

interface OneMessageOptions {
  readonly id: string;
  readonly json: boolean;
}

/** `signet messages show`. */
export const showMessageCommand = databaseCommand(async (db, { id, json }: OneMessageOptions, config) => {
  const found = await findMessage(db, { id, now: new Date() });
  if (found === undefined) throw messageNotFound(id);
  printMessage(json, toJson(found, config));
});

/** `signet messages retry`. */
export const retryMessageCommand = databaseCommand(async (db, { id, json }: OneMessageOptions, config) => {
  const outcome = await retryMessage(db, { id, now: new Date() });
  switch (outcome.kind) {
    case "due":
      // A server with the embedded database finds the message the next time it polls the queue, within seconds.
      if (config.databaseUrl !== undefined) await notifyQueued(db);
      return printRetriedMessage(json, id);
    case "not found":
      throw messageNotFound(id);
    case "refused":
      throw new ConfigError(`cannot resend message ${id}: ${REASONS[outcome.state]}`);
    default:
      return outcome satisfies never;
  }
});

const REASONS = {
  sending: "it is being sent, and is retried automatically if that fails",
  expired: "its code is no longer usable; the user needs a new one",
  sent: "it has been sent, and its content has been erased",
} as const;

function toJson(message: Awaited<ReturnType<typeof listMessages>>[number], config: Config) {
  const isStuck = message.state === "waiting" && message.channel === "email" && emailRoute(config) === "none";
  return {
    id: message.id,
    orgId: message.org_id,
    userId: message.user_id,
    channel: message.channel,
    recipient: message.recipient,
    state: message.state,
    attempts: message.attempts,
    createdAt: message.created_at,
    nextAttemptAt: message.next_attempt_at,
    endedAt: message.ended_at,
    lastError: message.last_error ?? (isStuck ? "queued until SMTP_URL is set" : null),
  };
}
