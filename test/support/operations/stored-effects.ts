import { createHash } from "node:crypto";
import { openContent } from "../../../src/messages/message-content.ts";
import type { TestService } from "../servers/service.ts";

/** What an operation has stored for a user besides the user's row, without ids and times. */
export interface StoredEffects {
  /** The types of the events, in the order of their sequences. */
  readonly events: string[];
  /** The kinds of the codes, in the order of the events that contain their ids. */
  readonly codes: string[];
  /** Kind of the code, channel and recipient of each message, sorted. */
  readonly messages: string[];
}

/**
 * Reads what an operation stored for a user. Throws unless it is consistent: sequences without gaps, one time for all
 * rows, each message with the code that it contains, the code's id in the event, no used code, and an expiry for
 * passkeys only.
 *
 * @param since Omits the events up to this sequence, and what was stored with them.
 * @param at The time of the operation.
 */
export async function readStoredEffects(
  service: TestService,
  {
    userId,
    editorId = service.adminId,
    since = 0n,
    at,
  }: { userId: string; editorId?: string; since?: bigint; at: Date },
): Promise<StoredEffects & { payloads: unknown[]; secrets: string[] }> {
  const { db, keyring } = service;
  const events = await db
    .selectFrom("events")
    .selectAll()
    .where("aggregate_id", "=", userId)
    .where("sequence", ">", since)
    .orderBy("sequence")
    .execute();
  for (const [index, event] of events.entries()) {
    const sequence = since + BigInt(index + 1);
    if (event.sequence !== sequence || event.created_at.getTime() !== at.getTime() || event.editor_id !== editorId)
      throw new Error(
        `event ${event.sequence} is out of place: ${JSON.stringify({ ...event, sequence: `${sequence}` })}`,
      );
  }
  const named = events.flatMap(({ payload }) => (payload as { codeId?: string }).codeId ?? []);
  const codes = await db
    .selectFrom("codes")
    .selectAll()
    .where("id", "in", [...named, userId])
    .orderBy("id")
    .execute();
  const messages = await db
    .selectFrom("messages")
    .selectAll()
    .where("code_id", "in", [...named, userId])
    .orderBy("id")
    .execute();

  for (const code of codes) {
    const isWhole =
      code.user_id === userId &&
      code.used_at === null &&
      code.created_at.getTime() === at.getTime() &&
      (code.digits_hash !== null) === (code.kind === "phone") &&
      code.expires_at?.getTime() === (code.kind === "passkey" ? at.getTime() + 3_600_000 : undefined);
    if (!isWhole) throw new Error(`a code is wrong: ${code.kind}`);
  }
  const secrets: string[] = [];
  for (const message of messages) {
    const code = codes.find(({ id }) => id === message.code_id);
    if (code === undefined || message.user_id !== userId || message.created_at.getTime() !== at.getTime())
      throw new Error("a message is of another user, code or time");
    const content = openContent(keyring, message);
    secrets.push(content.secret);
    if (!/^[\w-]{22}$/.test(content.secret) || !sha256(content.secret).equals(code.secret_hash))
      throw new Error("the code of a message is not the one that is stored");
    if (message.channel === "email" || code.kind === "password") continue;
    const { mac } = keyring.digest(`${code.id} ${content.digits}`, code.digits_key ?? "");
    if (!/^\d{6}$/.test(content.digits ?? "") || !code.digits_hash?.equals(mac))
      throw new Error("the digits of an SMS are not the ones that are stored");
  }
  const kindOfMessage = (codeId: string | null) => codes.find(({ id }) => id === codeId)?.kind;
  return {
    events: events.map(({ type }) => type),
    payloads: events.map(({ payload }) => payload),
    codes: named.map((id) => codes.find((code) => code.id === id)?.kind ?? "missing"),
    messages: messages
      .map(({ channel, recipient, code_id }) => `${kindOfMessage(code_id)} by ${channel} to ${recipient}`)
      .sort(),
    secrets,
  };
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
