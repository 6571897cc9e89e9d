import { ConfigError } from "../config.ts";
import type { MessageState } from "../messages/find-messages.ts";
import { print, toRows, toTable } from "./print.ts";

/** A message without its content, from the database or a server. */
interface ShownMessage {
  readonly id: string;
  readonly orgId: string;
  /** Null for somebody who has no user. */
  readonly userId: string | null;
  readonly channel: "email" | "sms";
  readonly recipient: string;
  readonly state: MessageState;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date | null;
  readonly lastError: string | null;
}

/** Prints messages in the order in which they were queued. */
export function printMessages(asJson: boolean, messages: readonly ShownMessage[]): void {
  const names = ["id", "createdAt", "channel", "recipient", "state", "attempts", "nextAttemptAt", "lastError"] as const;
  const rows = toRows(messages, ...names);
  print(asJson, messages, toTable(["ID", "QUEUED", "CHANNEL", "TO", "STATE", "TRIED", "NEXT", "LAST ERROR"], rows));
}

export function printMessage(asJson: boolean, message: ShownMessage): void {
  const lines = [
    ["id", message.id],
    ["org", message.orgId],
    ["user", message.userId ?? ""],
    ["channel", message.channel],
    ["to", message.recipient],
    ["state", message.state],
    ["queued", message.createdAt.toISOString()],
    ["tried", String(message.attempts)],
    ["next", message.nextAttemptAt?.toISOString() ?? ""],
    ["ended", message.endedAt?.toISOString() ?? ""],
    ["last error", message.lastError ?? ""],
  ].map(([name = "", value = ""]) => `${name.padEnd(12)}${value}`.trimEnd());
  print(asJson, message, lines);
}

export function printRetriedMessage(asJson: boolean, id: string): void {
  print(asJson, { id }, [`${id} will be sent now; check the result with \`signet messages show ${id}\``]);
}

export function messageNotFound(id: string): ConfigError {
  return new ConfigError(`no message has the id "${id}"`);
}
