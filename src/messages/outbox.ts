import { type RawBuilder, sql } from "kysely";
import { type CodeRow, type CodeValues, type IssuedCode, issueCode, issuePhoneCode } from "../codes/issue-code.ts";
import { toLink } from "../codes/link.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import type { Columns } from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { isNoAddress } from "../fields/no-address.ts";
import type { Notice } from "../texts/en/notices.ts";
import { type MessageContent, sealContent } from "./message-content.ts";
import { createNotice, type NoticeOrigin, type NoticeRow } from "./notices.ts";

/** A code that was issued to a user, and the message that carries it, if any. */
export interface Issued {
  readonly code: IssuedCode;
  readonly message: MessageRow | undefined;
}

/** Issues codes together with the messages that carry them. The statement of the operation stores both. */
export interface Outbox {
  /** Whether emails are sent. Otherwise they stay queued. */
  readonly sendsEmail: boolean;
  /** Whether an SMS provider is configured. Without one, no SMS is queued. */
  readonly sendsSms: boolean;
  /** The email that lets a user verify the address and set a password. */
  initialization(email: string): Issued;
  /** The link of that email. It has no message, because the response contains the link. */
  initializationLink(email: string, now: Date): Issued & { readonly link: string };
  /** The email that lets a user verify a new address. */
  emailVerification(email: string): Issued;
  /** The email that lets a user verify the address that replaces the current one. */
  emailChange(email: string): Issued;
  /** The SMS with six digits that verify a phone number. */
  phoneVerification(phone: string): Issued;
  /** The link that lets a user set a new password. The statement that stores it has to add its recipient. */
  passwordReset(channel: "email" | "sms"): Issued;
  /** The email that reports a change to the user, for `queueNotices`. Empty if no emails are sent. */
  notices(notice: Notice, origin: NoticeOrigin): readonly NoticeRow[];
  /** A link to register a passkey. It has no message, because the response contains the link. */
  passkeyRegistration(now: Date): Issued & { readonly link: string };
  /**
   * Call this after the statement has stored what was issued, or other messages without codes. Wakes the delivery if a
   * message may be queued.
   */
  announce(issued: readonly Pick<Issued, "message">[], others?: readonly { readonly id: string }[]): void;
}

/** @param options `onQueued` is called after messages were queued. */
export function createOutbox(options: {
  readonly keyring: Keyring;
  readonly publicUrl: string;
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
  readonly onQueued: () => void;
}): Outbox {
  const { keyring, publicUrl, sendsEmail, sendsSms, onQueued } = options;
  const inMessage = (channel: MessageRow["channel"], recipient: string, code: IssuedCode) => ({
    code,
    message: sealMessage(keyring, channel, recipient, code),
  });
  const inResponse = (kind: "initialization" | "passkey", code: IssuedCode) => ({
    code,
    message: undefined,
    link: toLink(publicUrl, kind, code),
  });
  return {
    sendsEmail,
    sendsSms,
    initialization: (email) => inMessage("email", email, issueCode("initialization", email)),
    initializationLink: (email, now) => inResponse("initialization", issueCode("initialization", email, now)),
    emailVerification: (email) => inMessage("email", email, issueCode("email", email)),
    emailChange: (email) => inMessage("email", email, issueCode("email-change", email)),
    phoneVerification: (phone) => inMessage("sms", phone, issuePhoneCode(keyring, phone)),
    passwordReset: (channel) => inMessage(channel, "", issueCode("password", null)),
    notices: (notice, origin) => (sendsEmail ? [createNotice(keyring, notice, origin)] : []),
    passkeyRegistration: (now) => inResponse("passkey", issueCode("passkey", null, now)),
    announce(issued, others = []) {
      if (others.length > 0 || issued.some(({ message }) => message !== undefined)) onQueued();
    },
  };
}

/** A row of `messages` in JSON: bytes in base64. */
export interface MessageRow {
  readonly id: string;
  readonly code_id: string;
  readonly channel: "email" | "sms";
  readonly recipient: string;
  readonly content: string;
  readonly content_key: string;
}

function sealMessage(
  keyring: Keyring,
  channel: MessageRow["channel"],
  recipient: string,
  { id: code_id, secret, digits }: IssuedCode,
): MessageRow | undefined {
  if (isNoAddress(recipient)) return undefined;
  const id = createId();
  const content: MessageContent = { secret, digits };
  return { id, code_id, channel, recipient, ...sealContent(keyring, id, content) };
}

/** The values that a statement needs to store codes and messages of the user that it changes. */
export interface OutboxValues extends CodeValues {
  /** The messages in JSON, created by `issuedToJson`. */
  messages: string;
}

export function issuedToJson(issued: readonly Issued[]): Pick<OutboxValues, "codes" | "messages"> {
  const { codes, messages } = issuedToRows(issued);
  return { codes: JSON.stringify(codes), messages: JSON.stringify(messages) };
}

/** Like `OutboxValues`, for a command in a list, which becomes JSON as a whole. */
export interface ListedOutboxValues extends Omit<OutboxValues, "events" | "codes" | "messages"> {
  events: readonly NewEvent[];
  codes: readonly CodeRow[];
  messages: readonly MessageRow[];
}

export const LISTED_OUTBOX_COLUMNS = {
  ownerId: "uuid",
  aggregateId: "uuid",
  editorId: "uuid",
  now: "timestamptz",
  events: "jsonb",
  codes: "jsonb",
  messages: "jsonb",
} as const satisfies Columns<ListedOutboxValues>;

/** Like `issuedToJson`, for a command in a list. */
export function issuedToRows(issued: readonly Issued[]): Pick<ListedOutboxValues, "codes" | "messages"> {
  return { codes: issued.map(({ code }) => code.row), messages: issued.flatMap(({ message }) => message ?? []) };
}

/**
 * The part of a statement that queues messages to the user whose row the part `changed` returns. They are due now, even
 * if the user's last change is in the future because of a wrong clock.
 *
 * @param options `byImport`: puts them in the line of messages that imports have queued; see `claimMessages`.
 */
export function queueMessages<Values extends OutboxValues>(
  param: Param<Values>,
  changed: string,
  { byImport = false }: { readonly byImport?: boolean } = {},
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into messages (org_id, id, user_id, code_id, channel, recipient, content, content_key, created_at,
      next_attempt_at, by_import)
    select ${param("ownerId", "uuid")}, message.id, ${param("aggregateId", "uuid")}, message.code_id,
      message.channel, message.recipient, decode(message.content, 'base64'), message.content_key, changed.changed_at,
      ${param("now", "timestamptz")}, ${sql.lit(byImport)}
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("messages", "jsonb")}) as message
      (id uuid, code_id uuid, channel text, recipient text, content text, content_key text))`;
}
