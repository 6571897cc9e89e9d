import { type RawBuilder, sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import { createDigits, createId, createLinkSecret, hashSecret } from "../crypto/secrets.ts";
import type { Param } from "../database/prepare.ts";
import type { NewEvent } from "../events/catalogue.ts";

const HOUR_SECONDS = 3_600;

/** How long a code is valid: from when its message is first handed over, or, for a passkey, from when it was made. */
export const VALID_SECONDS = { initialization: 72 * HOUR_SECONDS, phone: HOUR_SECONDS, passkey: HOUR_SECONDS } as const;

export type CodeKind = keyof typeof VALID_SECONDS;

/** A code that a user gets, with the message that brings it, if one does, and the event that records it. */
export interface Issued {
  readonly code: CodeRow;
  readonly message: MessageRow | undefined;
  readonly event: NewEvent;
}

/** Makes codes, and the messages that carry them. The rows are written by the statement of the operation. */
export interface Outbox {
  /** Whether emails are sent; without a mail server they wait in the queue. */
  readonly sendsEmail: boolean;
  /** Whether an SMS provider is configured; without one no SMS is queued. */
  readonly sendsSms: boolean;
  /** The email that lets a user verify the address and set a password. */
  initialization(email: string): Issued;
  /** The SMS with six digits that verify a phone number. */
  phoneVerification(phone: string): Issued;
  /** A link to register a passkey. No message carries it: the answer does. */
  passkeyRegistration(now: Date): Issued & { readonly link: string };
  /** To be called once what was issued is stored, so that a message does not wait for the next look at the queue. */
  announce(issued: readonly Issued[]): void;
}

/** @param options `onQueued` is called when a message was queued. */
export function createOutbox(options: {
  readonly keyring: Keyring;
  readonly publicUrl: string;
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
  readonly onQueued: () => void;
}): Outbox {
  const { keyring, publicUrl, sendsEmail, sendsSms, onQueued } = options;
  return {
    sendsEmail,
    sendsSms,
    initialization(email) {
      const { code, secret } = issueCode("initialization", email);
      const message = sealMessage(keyring, { channel: "email", to: email, code, content: { secret } });
      return { code, message, event: { type: "user.human.initialization.requested", payload: { codeId: code.id } } };
    },
    phoneVerification(phone) {
      const { code: link, secret } = issueCode("phone", phone);
      const digits = createDigits();
      const { keyId, mac } = keyring.digest(`${link.id} ${digits}`);
      const code = { ...link, digits_hash: mac.toString("base64"), digits_key: keyId };
      const message = sealMessage(keyring, { channel: "sms", to: phone, code, content: { secret, digits } });
      return {
        code,
        message,
        event: { type: "user.human.phone.verification.requested", payload: { codeId: code.id } },
      };
    },
    passkeyRegistration(now) {
      const { code: link, secret } = issueCode("passkey", null);
      const code = { ...link, expires_at: new Date(now.getTime() + VALID_SECONDS.passkey * 1_000).toISOString() };
      return {
        code,
        message: undefined,
        event: { type: "user.human.passwordless.registration.requested", payload: { codeId: code.id } },
        link: toLink(publicUrl, { kind: "passkey", id: code.id, secret }),
      };
    },
    announce(issued) {
      if (issued.some(({ message }) => message !== undefined)) onQueued();
    },
  };
}

const PAGES = { initialization: "init", phone: "phone", passkey: "passkey" } as const;

/** The address of the page on which a code is used. */
export function toLink(
  publicUrl: string,
  { kind, id, secret }: { kind: CodeKind; id: string; secret: string },
): string {
  return `${publicUrl}/ui/${PAGES[kind]}?code=${id}.${secret}`;
}

/** What a message holds besides what the database knows of its user, encrypted. */
export interface MessageContent {
  readonly secret: string;
  /** The six digits of an SMS. */
  readonly digits?: string;
}

/** @throws Error where the content is erased, the key is missing, or the row is not the one that was written. */
export function openContent(
  keyring: Keyring,
  { id, content, content_key }: { id: string; content: Buffer | null; content_key: string | null },
): MessageContent {
  if (content === null || content_key === null) throw new Error(`the content of message ${id} is erased`);
  return JSON.parse(keyring.open(toPlace(id), { keyId: content_key, ciphertext: content }));
}

/** The values that a statement needs to write codes and messages of one user. */
export interface OutboxValues {
  orgId: string;
  userId: string;
  codes: string;
  messages: string;
  now: Date;
}

export function issuedToJson(issued: readonly Issued[]): Pick<OutboxValues, "codes" | "messages"> {
  return {
    codes: JSON.stringify(issued.map(({ code }) => code)),
    messages: JSON.stringify(issued.flatMap(({ message }) => message ?? [])),
  };
}

/** The part of a statement that writes codes, once for the row that the part `changed` returns. */
export function insertCodes<Values extends OutboxValues>(
  param: Param<Values>,
  changed: string,
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into codes (org_id, id, user_id, kind, recipient, secret_hash, digits_hash, digits_key, sequence, created_at,
      expires_at)
    select ${param("orgId", "uuid")}, code.id, ${param("userId", "uuid")}, code.kind, code.recipient,
      decode(code.secret_hash, 'base64'), decode(code.digits_hash, 'base64'), code.digits_key, changed.sequence,
      changed.changed_at, code.expires_at
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("codes", "jsonb")}) as code
      (id uuid, kind text, recipient text, secret_hash text, digits_hash text, digits_key text,
      expires_at timestamptz))`;
}

/**
 * The part of a statement that queues messages, once for the row that the part `changed` returns. They are due at once, also
 * where a clock that was ahead has dated the user's last change later than now.
 */
export function queueMessages<Values extends OutboxValues>(
  param: Param<Values>,
  changed: string,
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into messages (org_id, id, user_id, code_id, channel, recipient, content, content_key, created_at,
      next_attempt_at)
    select ${param("orgId", "uuid")}, message.id, ${param("userId", "uuid")}, message.code_id, message.channel,
      message.recipient, decode(message.content, 'base64'), message.content_key, changed.changed_at,
      ${param("now", "timestamptz")}
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("messages", "jsonb")}) as message
      (id uuid, code_id uuid, channel text, recipient text, content text, content_key text))`;
}

/** A row of `codes` in JSON: bytes in base64. */
interface CodeRow {
  readonly id: string;
  readonly kind: CodeKind;
  readonly recipient: string | null;
  readonly secret_hash: string;
  readonly digits_hash?: string;
  readonly digits_key?: string;
  readonly expires_at?: string;
}

/** A row of `messages` in JSON: bytes in base64. */
interface MessageRow {
  readonly id: string;
  readonly code_id: string;
  readonly channel: "email" | "sms";
  readonly recipient: string;
  readonly content: string;
  readonly content_key: string;
}

function issueCode(kind: CodeKind, recipient: string | null): { code: CodeRow; secret: string } {
  const secret = createLinkSecret();
  return { code: { id: createId(), kind, recipient, secret_hash: hashSecret(secret).toString("base64") }, secret };
}

function sealMessage(
  keyring: Keyring,
  {
    channel,
    to,
    code,
    content,
  }: { channel: MessageRow["channel"]; to: string; code: CodeRow; content: MessageContent },
): MessageRow {
  const id = createId();
  const sealed = keyring.seal(toPlace(id), JSON.stringify(content));
  return {
    id,
    code_id: code.id,
    channel,
    recipient: to,
    content: sealed.ciphertext.toString("base64"),
    content_key: sealed.keyId,
  };
}

function toPlace(messageId: string) {
  return { table: "messages", column: "content", rowId: messageId };
}
