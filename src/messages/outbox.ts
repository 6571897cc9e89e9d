import { type RawBuilder, sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import { createDigits, createId, createLinkSecret, hashSecret } from "../crypto/secrets.ts";
import type { Param } from "../database/prepare.ts";
import type { NewEvent } from "../events/catalogue.ts";

/** How long the link to register a passkey is valid. */
export const PASSKEY_LINK_SECONDS = 3_600;

/** A code that a user gets, with the message that brings it, if one does, and the event that records it. */
export interface Issued {
  readonly code: CodeRow;
  readonly message: MessageRow | undefined;
  readonly event: NewEvent;
}

/** Makes codes, and the messages that carry them. The rows are written by the statement of the operation. */
export interface Outbox {
  /** Whether an SMS provider is configured; without one no SMS is queued. */
  readonly sendsSms: boolean;
  /** The email that lets a user verify the address and set a password. */
  initialization(email: string): Issued;
  /** The SMS with six digits that verify a phone number. */
  phoneVerification(phone: string): Issued;
  /** A link to register a passkey. No message carries it: the answer does. */
  passkeyRegistration(now: Date): Issued & { readonly link: string };
}

export function createOutbox(options: { keyring: Keyring; publicUrl: string; sendsSms: boolean }): Outbox {
  const { keyring, publicUrl, sendsSms } = options;
  return {
    sendsSms,
    initialization(email) {
      const { code, secret } = issueCode("initialization");
      const message = sealMessage(keyring, { channel: "email", to: email, code, content: { secret } });
      return { code, message, event: { type: "user.human.initialization.requested", payload: { codeId: code.id } } };
    },
    phoneVerification(phone) {
      const { code: link, secret } = issueCode("phone");
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
      const { code: link, secret } = issueCode("passkey");
      const code = { ...link, expires_at: new Date(now.getTime() + PASSKEY_LINK_SECONDS * 1_000).toISOString() };
      return {
        code,
        message: undefined,
        event: { type: "user.human.passwordless.registration.requested", payload: { codeId: code.id } },
        link: `${publicUrl}/ui/passkey?code=${code.id}.${secret}`,
      };
    },
  };
}

/** The values that a statement needs to write codes and messages of one user. */
export interface OutboxValues {
  orgId: string;
  userId: string;
  codes: string;
  messages: string;
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
    insert into codes (org_id, id, user_id, kind, secret_hash, digits_hash, digits_key, created_at, expires_at)
    select ${param("orgId", "uuid")}, code.id, ${param("userId", "uuid")}, code.kind, decode(code.secret_hash, 'base64'),
      decode(code.digits_hash, 'base64'), code.digits_key, changed.changed_at, code.expires_at
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("codes", "jsonb")}) as code
      (id uuid, kind text, secret_hash text, digits_hash text, digits_key text, expires_at timestamptz))`;
}

/** The part of a statement that queues messages, once for the row that the part `changed` returns. */
export function queueMessages<Values extends OutboxValues>(
  param: Param<Values>,
  changed: string,
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into messages (org_id, id, user_id, code_id, channel, recipient, content, content_key, created_at)
    select ${param("orgId", "uuid")}, message.id, ${param("userId", "uuid")}, message.code_id, message.channel,
      message.recipient, decode(message.content, 'base64'), message.content_key, changed.changed_at
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("messages", "jsonb")}) as message
      (id uuid, code_id uuid, channel text, recipient text, content text, content_key text))`;
}

/** A row of `codes` in JSON: bytes in base64. */
interface CodeRow {
  readonly id: string;
  readonly kind: "initialization" | "phone" | "passkey";
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

function issueCode(kind: CodeRow["kind"]): { code: CodeRow; secret: string } {
  const secret = createLinkSecret();
  return { code: { id: createId(), kind, secret_hash: hashSecret(secret).toString("base64") }, secret };
}

function sealMessage(
  keyring: Keyring,
  { channel, to, code, content }: { channel: MessageRow["channel"]; to: string; code: CodeRow; content: object },
): MessageRow {
  const id = createId();
  const sealed = keyring.seal({ table: "messages", column: "content", rowId: id }, JSON.stringify(content));
  return {
    id,
    code_id: code.id,
    channel,
    recipient: to,
    content: sealed.ciphertext.toString("base64"),
    content_key: sealed.keyId,
  };
}
