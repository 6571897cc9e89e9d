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

/** What records that a code of a kind was issued. */
const EVENTS = {
  initialization: "user.human.initialization.requested",
  email: "user.human.email.verification.requested",
  "email-change": "user.human.email.change.requested",
  phone: "user.human.phone.verification.requested",
  passkey: "user.human.passwordless.registration.requested",
  password: "user.human.password.reset.requested",
} as const satisfies Record<CodeKind, NewEvent["type"]>;

/**
 * Issues the code of a link.
 *
 * @param recipient The address or number that it verifies. Null for a new password, whose recipient the statement that
 *   stores the code determines, and for a passkey.
 * @param now The time, if no message carries the code, so that it is valid immediately.
 */
export function issueCode(kind: CodeKind, recipient: string | null, now?: Date): IssuedCode {
  const [id, secret] = [createId(), createLinkSecret()];
  const row = { id, kind, recipient, secret_hash: hashSecret(secret).toString("base64") };
  const expiry = now && { expires_at: new Date(now.getTime() + VALID_SECONDS[kind] * 1_000).toISOString() };
  const payload = { codeId: id, ...(kind === "initialization" && now && { isReturned: true as const }) };
  return { id, secret, row: { ...row, ...expiry }, event: { type: EVENTS[kind], payload } };
}

/** Issues the code of the SMS that verifies a phone number: a link and six digits. */
export function issuePhoneCode(keyring: Keyring, phone: string): IssuedCode {
  const code = issueCode("phone", phone);
  const digits = createDigits();
  const { digits_hash, digits_key } = hashDigits(keyring, code.id, digits);
  return { ...code, digits, row: { ...code.row, digits_hash: digits_hash.toString("base64"), digits_key } };
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
