import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { type Param, prepareStatement } from "../../database/prepare.ts";
import { appendEvents } from "../../events/append-events.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { type NoticeValues, queueNotices } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import { macRecoveryCode } from "../../users/recovery-code-mac.ts";
import { USER_SEALED } from "../../users/user-sealed.ts";
import { toOwnEvents, type UserKey } from "../append-to-user.ts";
import { openOtpCode, type StoredOneTimeCode } from "./one-time-code.ts";
import { createRecoveryCodes } from "./recovery-codes.ts";

interface CodeParts extends ChangeParts {
  readonly outbox: Outbox;
  readonly keyring: Keyring;
}

/**
 * Sets up one-time codes with a secret after the user has entered its first code.
 *
 * @param options `base32`: the secret. `step`: the step of the entered code, which is used up. `former`: the stored
 *   value to replace, which is not a secret.
 * @returns The recovery codes, to be shown once; undefined if the user or the one-time codes have changed since.
 * @throws SignetError for a failure of the database.
 */
export async function addOneTimeCode(
  { db, clock, outbox, keyring }: CodeParts,
  user: UserKey,
  { base32, step, former }: { readonly base32: string; readonly step: bigint; readonly former: Buffer | null },
  { userAgent }: Caller,
): Promise<readonly string[] | undefined> {
  const codes = createRecoveryCodes();
  const { keyId, ciphertext } = keyring.seal({ ...USER_SEALED, rowId: user.id }, base32);
  const notices = outbox.notices("one-time-codes-added", { isOwn: true, userAgent });
  const events: NewEvent[] = [
    { type: "user.human.otp.added", payload: {} },
    { type: "user.human.recovery.codes.added", payload: {} },
  ];
  const rows = await storeSecret(db, {
    ...toOwnEvents(user, clock(), events),
    notices: JSON.stringify(notices),
    otpCode: ciphertext,
    otpCodeKey: keyId,
    step,
    former,
    hashes: toHashes(base32, codes),
  });
  if (rows.length === 0) return undefined;
  outbox.announce([], notices);
  return codes;
}

/**
 * Replaces the recovery codes of a user who has one-time codes.
 *
 * @param user With the stored secret.
 * @param codes Created by `createRecoveryCodes`, and shown to the user.
 * @returns Whether the user still has these one-time codes.
 * @throws SignetError for a failure of the database.
 */
export async function replaceRecoveryCodes(
  { db, clock, outbox, keyring }: CodeParts,
  user: UserKey & StoredOneTimeCode,
  codes: readonly string[],
  { userAgent }: Caller,
): Promise<boolean> {
  const otpCode = openOtpCode(keyring, user);
  if (otpCode === undefined) return false;
  const notices = outbox.notices("recovery-codes-replaced", { isOwn: true, userAgent });
  const rows = await storeCodes(db, {
    ...toOwnEvents(user, clock(), [{ type: "user.human.recovery.codes.added", payload: {} }]),
    notices: JSON.stringify(notices),
    former: user.otpCode,
    hashes: toHashes(otpCode, codes),
  });
  if (rows.length === 0) return false;
  outbox.announce([], notices);
  return true;
}

function toHashes(otpCode: string, codes: readonly string[]): Buffer[] {
  return codes.flatMap((code) => macRecoveryCode(otpCode, code) ?? []);
}

interface CodesValues extends NoticeValues {
  hashes: Buffer[];
}

interface SecretValues extends CodesValues {
  otpCode: Buffer;
  otpCodeKey: string;
  step: bigint;
  former: Buffer | null;
}

/** The part of a statement that deletes the recovery codes of the user whose row the part `changed` returns. */
function deleteCodes<Values extends NoticeValues>(param: Param<Values>) {
  return sql<object>`(
    delete from recovery_codes using changed
    where recovery_codes.org_id = ${param("ownerId", "uuid")} and recovery_codes.user_id = ${param("aggregateId", "uuid")})`;
}

function insertCodes<Values extends CodesValues>(param: Param<Values>) {
  return sql<object>`(
    insert into recovery_codes (org_id, user_id, hash, created_at)
    select ${param("ownerId", "uuid")}, ${param("aggregateId", "uuid")}, listed.hash, changed.changed_at
    from changed, unnest(${param("hashes", "bytea[]")}) as listed (hash))`;
}

const storeSecret = prepareStatement<SecretValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, {
        otp_code: param("otpCode", "bytea"),
        otp_code_key: param("otpCodeKey", "text"),
        otp_last_step: param("step", "bigint"),
        // From now on, each sign-in asks for a code.
        second_factor_required: false,
      })
        .where("kind", "=", "human")
        .where("state", "=", "active")
        .where("otp_code", "is not distinct from", param("former", "bytea")),
    )
    .with("removed", () => deleteCodes(param))
    .with("added", () => insertCodes(param))
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);

const storeCodes = prepareStatement<CodesValues & { former: Buffer | null }, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param).where("state", "=", "active").where("otp_code", "=", param("former", "bytea")),
    )
    .with("removed", () => deleteCodes(param))
    .with("added", () => insertCodes(param))
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
