import { type RawBuilder, sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import { createId, createLinkSecret, hashSecret } from "../crypto/secrets.ts";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { createDigits, hashDigits } from "./digits.ts";
import { type CodeKind, VALID_SECONDS } from "./kinds.ts";

/** A new code: the secrets for its holder, and the row to store. */
export interface IssuedCode {
  readonly id: string;
  readonly secret: string;
  /** The six digits of the SMS; only for a phone code. */
  readonly digits?: string;
  /** Records that the code was issued. */
  readonly event: NewEvent;
  readonly row: CodeRow;
}

/** A row of `codes` in JSON: bytes in base64. */
export interface CodeRow {
  readonly id: string;
  readonly kind: CodeKind;
  readonly recipient: string | null;
  readonly secret_hash: string;
  readonly digits_hash?: string;
  readonly digits_key?: string;
  readonly expires_at?: string;
}

/**
 * Issues the code of the initialization email, which verifies the address and lets the user set a password.
 *
 * @param now The time, if no message carries the code, so that it is valid immediately.
 */
export function issueInitializationCode(email: string, now?: Date): IssuedCode {
  const { id, secret, row } = issue("initialization", email);
  return {
    id,
    secret,
    row: { ...row, ...(now && { expires_at: expiryOf("initialization", now) }) },
    event: { type: "user.human.initialization.requested", payload: { codeId: id, ...(now && { isReturned: true }) } },
  };
}

/** Issues the code of the email that verifies a new address. */
export function issueEmailCode(email: string): IssuedCode {
  const { id, secret, row } = issue("email", email);
  return { id, secret, row, event: { type: "user.human.email.verification.requested", payload: { codeId: id } } };
}

/** Issues the code of the email that asks the user to confirm the address that replaces the current one. */
export function issueEmailChangeCode(email: string): IssuedCode {
  const { id, secret, row } = issue("email-change", email);
  return { id, secret, row, event: { type: "user.human.email.change.requested", payload: { codeId: id } } };
}

/** Issues the code of the SMS that verifies a phone number: a link and six digits. */
export function issuePhoneCode(keyring: Keyring, phone: string): IssuedCode {
  const { id, secret, row } = issue("phone", phone);
  const digits = createDigits();
  const { digits_hash, digits_key } = hashDigits(keyring, id, digits);
  return {
    id,
    secret,
    digits,
    row: { ...row, digits_hash: digits_hash.toString("base64"), digits_key },
    event: { type: "user.human.phone.verification.requested", payload: { codeId: id } },
  };
}

/** Issues the code of a link to set a new password. The statement that stores it determines the recipient. */
export function issuePasswordCode(): IssuedCode {
  const { id, secret, row } = issue("password", null);
  return { id, secret, row, event: { type: "user.human.password.reset.requested", payload: { codeId: id } } };
}

/** Issues the code of a link to register a passkey. No message carries it, so it is valid immediately. */
export function issuePasskeyCode(now: Date): IssuedCode {
  const { id, secret, row } = issue("passkey", null);
  return {
    id,
    secret,
    row: { ...row, expires_at: expiryOf("passkey", now) },
    event: { type: "user.human.passwordless.registration.requested", payload: { codeId: id } },
  };
}

function expiryOf(kind: CodeKind, now: Date): string {
  return new Date(now.getTime() + VALID_SECONDS[kind] * 1_000).toISOString();
}

function issue(kind: CodeKind, recipient: string | null) {
  const [id, secret] = [createId(), createLinkSecret()];
  const row: CodeRow = { id, kind, recipient, secret_hash: hashSecret(secret).toString("base64") };
  return { id, secret, row };
}

/** The values that a statement needs to store codes of the user that it changes. */
export interface CodeValues extends EventValues {
  /** The rows of the codes in JSON. */
  codes: string;
}

/** The part of a statement that stores codes for the user whose row the part `changed` returns. */
export function insertCodes<Values extends CodeValues>(
  param: Param<Values>,
  changed: string,
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into codes (org_id, id, user_id, kind, recipient, secret_hash, digits_hash, digits_key, sequence, created_at,
      expires_at)
    select ${param("ownerId", "uuid")}, code.id, ${param("aggregateId", "uuid")}, code.kind, code.recipient,
      decode(code.secret_hash, 'base64'), decode(code.digits_hash, 'base64'), code.digits_key, changed.sequence,
      changed.changed_at, code.expires_at
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("codes", "jsonb")}) as code
      (id uuid, kind text, recipient text, secret_hash text, digits_hash text, digits_key text,
      expires_at timestamptz))`;
}
