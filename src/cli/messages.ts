import { type Config, ConfigError } from "../config.ts";
import { findMessage, listMessages, type MessageState } from "../messages/find-messages.ts";
import { notifyQueued } from "../messages/notify-queued.ts";
import { retryMessage } from "../messages/retry-message.ts";
import { emailRoute } from "../messages/senders/create-senders.ts";
import { withDatabase } from "../server/open-database.ts";
import { print, toTable } from "./print.ts";

interface ListMessagesOptions {
  readonly state?: MessageState;
  /** The recipient. */
  readonly to?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly json: boolean;
}

/** `signet messages list`. */
export async function listMessagesCommand(config: Config, options: ListMessagesOptions): Promise<void> {
  const { state, to: recipient, since, limit, json } = options;
  await withDatabase(config, async (db) => {
    const search = { state, recipient: recipient?.trim(), since, limit, now: new Date() };
    const messages = (await listMessages(db, search)).map((row) => toJson(row, config));
    const rows = messages.map(({ id, createdAt, channel, recipient, state, attempts, nextAttemptAt, lastError }) => [
      id,
      createdAt.toISOString(),
      channel,
      recipient,
      state,
      String(attempts),
      nextAttemptAt?.toISOString() ?? "",
      lastError ?? "",
    ]);
    print(json, messages, toTable(["ID", "QUEUED", "CHANNEL", "TO", "STATE", "TRIED", "NEXT", "LAST ERROR"], rows));
  });
}

/** `signet messages show`. */
export async function showMessageCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const found = await findMessage(db, { id, now: new Date() });
    if (found === undefined) throw notFound(id);
    const message = toJson(found, config);
    const lines = [
      ["id", message.id],
      ["org", message.orgId],
      ["user", message.userId],
      ["channel", message.channel],
      ["to", message.recipient],
      ["state", message.state],
      ["queued", message.createdAt.toISOString()],
      ["tried", String(message.attempts)],
      ["next", message.nextAttemptAt?.toISOString() ?? ""],
      ["ended", message.endedAt?.toISOString() ?? ""],
      ["last error", message.lastError ?? ""],
    ].map(([name = "", value = ""]) => `${name.padEnd(12)}${value}`.trimEnd());
    print(json, message, lines);
  });
}

/** `signet messages retry`. */
export async function retryMessageCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const outcome = await retryMessage(db, { id, now: new Date() });
    switch (outcome.kind) {
      case "due":
        // A server with the embedded database finds the message the next time it polls the queue, within seconds.
        if (config.databaseUrl !== undefined) await notifyQueued(db);
        return print(json, { id }, [`${id} will be sent now; check the result with \`signet messages show ${id}\``]);
      case "not found":
        throw notFound(id);
      case "refused":
        throw new ConfigError(`cannot resend message ${id}: ${REASONS[outcome.state]}`);
      default:
        return outcome satisfies never;
    }
  });
}

const REASONS = {
  sending: "it is being sent, and is retried automatically if that fails",
  expired: "its code is no longer usable; the user needs a new one",
  sent: "it has been sent, and its content has been erased",
} as const;

function notFound(id: string): ConfigError {
  return new ConfigError(`no message has the id "${id}"`);
}

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
