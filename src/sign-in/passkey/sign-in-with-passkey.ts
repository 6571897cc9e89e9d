import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { type Assertion, type RelyingParty, readClientData, verifyAssertion } from "../../passkeys/ceremony.ts";
import { type FoundPasskey, findPasskey } from "../../passkeys/find-passkeys.ts";
import { appendToUser, toOwnEvents } from "../append-to-user.ts";
import type { AttemptOutcome } from "../attempt-limit.ts";
import type { AttemptParts } from "../failed-sign-ins.ts";
import { findSignInUser } from "../find-sign-in-user.ts";
import { toMethods } from "../methods.ts";
import { type SignInOrigin, toSignInOrigin } from "../sign-in-origin.ts";
import type { PasskeyChallenges } from "./passkey-challenges.ts";

interface SignInWithPasskeyParts extends AttemptParts {
  readonly relyingParty: RelyingParty;
  readonly passkeyChallenges: PasskeyChallenges;
}

interface PasskeyAttempt {
  /** The organization whose users may sign in. */
  readonly orgId: string;
  readonly signInId: string;
  readonly response: AuthenticationResponseJSON;
  /** The address that the attempt comes from. */
  readonly address: string;
  /** The user whose passkeys were requested from the browser; undefined for any user. */
  readonly expectedUserId: string | undefined;
}

/** `methods` is as in `Proof`. */
type PasskeyOutcome = AttemptOutcome<{ readonly methods: readonly string[] }>;

/**
 * Verifies a passkey response for a user of an organization (WebAuthn, section 7.2).
 *
 * An unknown passkey, a user who is in another organization, deactivated or locked, a challenge that was used or
 * belongs to another sign-in, a wrong signature and a decreased counter result in the same error.
 *
 * @throws SignetError for a failure of the database.
 */
export async function signInWithPasskey(
  parts: SignInWithPasskeyParts,
  { orgId, signInId, response, address, expectedUserId }: PasskeyAttempt,
  caller: Caller,
): Promise<PasskeyOutcome> {
  const { attemptLimit, passkeyChallenges, relyingParty, failedSignIns, clock } = parts;
  const attempt = { kind: "passkey", orgId, nameKey: response.id, address, device: undefined } as const;
  const admission = await attemptLimit.admit(attempt, caller);
  if (!admission.ok) return { kind: "too-often", retrySeconds: admission.retrySeconds };
  const origin = toSignInOrigin(address, caller.userAgent);
  const fail = (userId?: string): PasskeyOutcome => {
    failedSignIns.add({ orgId, userId, kind: "passkey", origin }, clock());
    return { kind: "failed" };
  };
  const challenge = readClientData(response)?.challenge;
  if (typeof challenge !== "string" || !(await passkeyChallenges.use(signInId, challenge, caller))) return fail();
  const passkey = await findPasskey(parts, { orgId, id: response.id }, caller);
  if (passkey === undefined) return fail();
  if (!isHandleOf(passkey, response, expectedUserId)) return fail(passkey.userId);
  const assertion = await verifyAssertion(response, challenge, passkey, relyingParty);
  if (assertion === undefined) return fail(passkey.userId);
  caller.throwIfOver();
  const sequence = await recordPasskeySuccess(parts, orgId, passkey, assertion, origin);
  if (sequence === undefined) {
    const wentBack = assertion.counter <= passkey.counter && passkey.counter > 0;
    if (wentBack) await recordPasskeyCopy(parts, orgId, passkey, assertion, origin);
    return fail(passkey.userId);
  }
  await attemptLimit.forgive(attempt);
  const user = await findSignInUser(parts, passkey.userId, caller);
  if (user?.state !== "active") return fail(passkey.userId);
  // A later sequence could be from the removal of the passkey.
  return { kind: "proved", user: { ...user, sequence }, methods: toMethods(assertion) };
}

/**
 * A discoverable passkey comes with the handle of its user, which must be present unless the user was known before
 * (WebAuthn, section 7.2, step 6). That of an imported passkey is from another system, and may not be known: the id and
 * the signature suffice to identify the passkey.
 */
function isHandleOf(
  { userId, userHandle: stored }: FoundPasskey,
  { response: { userHandle } }: AuthenticationResponseJSON,
  expectedUserId: string | undefined,
): boolean {
  if (userHandle === undefined) return expectedUserId === userId;
  const expected = stored ?? Buffer.from(userId.replaceAll("-", ""), "hex");
  return expected.length === 0 || Buffer.from(userHandle, "base64url").equals(expected);
}

/**
 * Records the use of a passkey, and stores its time, its counter, and whether it can be and is backed up.
 *
 * @returns The user's sequence; undefined if the user is not active, the passkey was removed, or the counter did not
 *   increase (and is not always 0).
 */
async function recordPasskeySuccess(
  { db, clock }: ChangeParts,
  orgId: string,
  { id, userId }: FoundPasskey,
  { counter, backedUp, deviceType }: Assertion,
  origin: SignInOrigin,
): Promise<bigint | undefined> {
  const event = { type: "user.human.passwordless.check.succeeded", payload: { passkeyId: id, ...origin } } as const;
  const [row] = await storeSuccess(db, {
    ...toOwnEvents({ orgId, id: userId }, clock(), [event]),
    passkeyId: id,
    counter: BigInt(counter),
    backedUp,
    deviceType,
  });
  return row?.sequence;
}

/** Records a counter that has not increased, with a valid signature: the passkey may have been copied. */
async function recordPasskeyCopy(
  { db, clock }: ChangeParts,
  orgId: string,
  passkey: FoundPasskey,
  { counter }: Assertion,
  origin: SignInOrigin,
): Promise<void> {
  const payload = { passkeyId: passkey.id, counter, storedCounter: Number(passkey.counter), ...origin };
  const event = { type: "user.human.passwordless.check.failed", payload } as const;
  await appendToUser({ db, now: clock() }, { orgId, id: passkey.userId }, event);
}

interface SuccessValues extends EventValues {
  passkeyId: string;
  counter: bigint;
  backedUp: boolean;
  deviceType: "singleDevice" | "multiDevice";
}

/** The statement compares and stores the counter, so that only one of two responses with the same counter succeeds. */
const storeSuccess = prepareStatement<SuccessValues, { sequence: bigint }>((db, param) =>
  db
    // Lock the user first, as other statements do.
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .where("state", "=", "active")
        .forNoKeyUpdate(),
    )
    .with("used", (query) =>
      query
        .updateTable("passkeys")
        .from("held")
        .set({
          counter: param("counter", "bigint"),
          backed_up: param("backedUp", "boolean"),
          device_type: param("deviceType", "text"),
          last_used_at: param("now", "timestamptz"),
        })
        .whereRef("passkeys.org_id", "=", "held.org_id")
        .whereRef("passkeys.user_id", "=", "held.id")
        .where("passkeys.id", "=", param("passkeyId", "text"))
        .where(
          sql<boolean>`(passkeys.counter < ${param("counter", "bigint")}
            or passkeys.counter = 0 and ${param("counter", "bigint")} = 0)`,
        )
        .returning(["passkeys.org_id", "passkeys.user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("used")
        .set(changedColumns(param, "users"))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "used.user_id")
        .returning(["users.sequence", "users.changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
