import { type RawBuilder, sql } from "kysely";

/** A passkey in JSON: bytes in base64. */
export interface PasskeyToInsert {
  /** In base64url. */
  readonly id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly aaguid: string;
  readonly device_type: string;
  readonly backed_up: boolean;
  readonly name: string;
  /** Null for the id of the user; empty if it is not known. */
  readonly user_handle: string | null;
}

/** The part of a statement that stores the passkeys of the users in the part `written`. */
export const INSERT_PASSKEYS: RawBuilder<object> = sql`(
  insert into passkeys (org_id, id, user_id, public_key, counter, transports, aaguid, device_type, backed_up, name,
    user_handle, created_at)
  select written."ownerId", passkey.id, written."aggregateId", decode(passkey.public_key, 'base64'), passkey.counter,
    passkey.transports, passkey.aaguid, passkey.device_type, passkey.backed_up, passkey.name,
    decode(passkey.user_handle, 'base64'), written.created_at
  from written cross join lateral jsonb_to_recordset(written.passkeys) as passkey (id text, public_key text,
    counter bigint, transports text[], aaguid uuid, device_type text, backed_up boolean, name text, user_handle text)
  order by passkey.id)`;

/** The part that stores their recovery codes: hashes in hexadecimal. */
export const INSERT_RECOVERY_CODES: RawBuilder<object> = sql`(
  insert into recovery_codes (org_id, user_id, hash, created_at)
  select written."ownerId", written."aggregateId", decode(code.hash, 'hex'), written.created_at
  from written cross join lateral jsonb_array_elements_text(written."recoveryCodes") as code (hash))`;
