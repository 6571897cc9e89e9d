import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../../events/append-events.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { type NoticeValues, queueNotices, verifiedEmail } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import { macRecoveryCode } from "../../users/recovery-code-mac.ts";
import { appendToUser, toOwnEvents } from "../append-to-user.ts";
import type { Attempt, AttemptOutcome } from "../attempt-limit.ts";
import { type AttemptParts, isRecorded } from "../failed-sign-ins.ts";
import { findSignInUser, type SignInUser } from "../find-sign-in-user.ts";
import type { KnownDevices } from "../known-devices.ts";
import { type SignInOrigin, toSignInOrigin } from "../sign-in-origin.ts";
import { openOtpCode } from "./one-time-code.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { findStep, parseTotpSecret } from "./totp.ts";

interface CheckOneTimeCodeParts extends AttemptParts {
  readonly keyring: Keyring;
  readonly outbox: Outbox;
  readonly knownDevices: KnownDevices;
}

interface OneTimeCodeAttempt {
  /** The entered text: a one-time code, or a recovery code. */
  readonly code: string;
  /** The address that the attempt comes from. */
  readonly address: string;
  /** The cookie of `KnownDevices`. */
  readonly deviceCookie: string | undefined;
}

/**
 * Verifies a user's one-time code, or a recovery code instead. Each works once. A used code, a wrong code, and a user
 * without codes result in the same error.
 *
 * @returns The user after the code was used.
 * @throws SignetError if the database fails.
 */
export async function checkOneTimeCode(
  parts: CheckOneTimeCodeParts,
  user: SignInUser,
  { code, address, deviceCookie }: OneTimeCodeAttempt,
  caller: Caller,
): Promise<AttemptOutcome> {
  const { db, clock, attemptLimit, knownDevices } = parts;
  const account = { orgId: user.orgId, nameKey: userNameKey(user.userName) };
  // An attacker who can read the user's emails could register any number of known devices, each with separate attempts.
  const device = knownDevices.find(deviceCookie, account, ["sign-in"]);
  const attempt: Attempt = { kind: "one-time-code", ...account, address, device };
  const admission = await attemptLimit.admit(attempt, caller);
  if (!admission.ok) return { kind: "too-often", retrySeconds: admission.retrySeconds };
  const { failures } = admission;
  const origin = toSignInOrigin(address, caller.userAgent);
  const sequence = await useCode(parts, user, { text: code, failures: failures - 1, origin }, caller);
  if (sequence === undefined) {
    parts.failedSignIns.add({ orgId: user.orgId, userId: user.id, kind: "one-time-code", origin }, clock());
    if (isRecorded(failures)) {
      const payload = { failures, knownDevice: device !== undefined, ...origin };
      await appendToUser({ db, now: clock() }, user, { type: "user.human.otp.check.failed", payload });
    }
    return { kind: "failed" };
  }
  await attemptLimit.forgive(attempt);
  const changed = await findSignInUser(parts, user.id, caller);
  // A later sequence could be from the removal of the one-time codes.
  return changed?.state === "active" ? { kind: "proved", user: { ...changed, sequence } } : { kind: "failed" };
}

/** Returns the user's sequence; undefined for a code that is not valid. */
async function useCode(
  { db, keyring, clock, outbox }: CheckOneTimeCodeParts,
  user: SignInUser,
  { text, failures, origin }: { readonly text: string; readonly failures: number; readonly origin: SignInOrigin },
  caller: Caller,
): Promise<bigint | undefined> {
  const otpCode = openOtpCode(keyring, user) ?? "";
  const secret = parseTotpSecret(otpCode);
  if (secret === undefined) return undefined;
  const now = clock();
  const digits = text.replaceAll(/[-\s]/g, "");
  if (/^\d+$/.test(digits)) {
    const step = findStep(secret, digits, now, user.otpLastStep);
    const event = { type: "user.human.otp.check.succeeded", payload: { failures, ...origin } } as const;
    if (step !== undefined)
      return (await useStep(db, { ...toOwnEvents(user, now, [event]), step }, caller))[0]?.sequence;
  }
  const hashes = [hashRecoveryCode(text), macRecoveryCode(otpCode, text)].flatMap((hash) => hash ?? []);
  if (hashes.length === 0) return undefined;
  const event = { type: "user.human.recovery.code.used", payload: { ...origin } } as const;
  const notices = outbox.notices("recovery-code-used", { isOwn: true, userAgent: caller.userAgent });
  const values = { ...toOwnEvents(user, now, [event]), hashes, notices: JSON.stringify(notices) };
  const [row] = await useRecoveryCode(db, values, caller);
  if (row !== undefined) outbox.announce([], notices);
  return row?.sequence;
}

/** Returns no row if this step or a later one was already used. */
const useStep = prepareStatement<EventValues & { step: bigint }, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, { otp_last_step: param("step", "bigint") })
        .where("state", "=", "active")
        .where("otp_code", "is not", null)
        .where(sql<boolean>`(otp_last_step is null or otp_last_step < ${param("step", "bigint")})`),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);

/** Deletes the code. Returns no row if there is none. */
const useRecoveryCode = prepareStatement<NoticeValues & { hashes: Buffer[] }, { sequence: bigint }>((db, param) =>
  db
    // Lock the user first, as other statements do.
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("state", "=", "active")
        .where("otp_code", "is not", null)
        .forNoKeyUpdate(),
    )
    .with("used", (query) =>
      query
        .deleteFrom("recovery_codes")
        .using("held")
        .where("recovery_codes.org_id", "=", param("ownerId", "uuid"))
        .whereRef("recovery_codes.user_id", "=", "held.id")
        .where(sql<boolean>`recovery_codes.hash = any(${param("hashes", "bytea[]")})`)
        .returning(["recovery_codes.org_id", "recovery_codes.user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("used")
        .set(changedColumns(param, "users"))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "used.user_id")
        .returning(["users.sequence", "users.changed_at", verifiedEmail.as("verified_email")]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
