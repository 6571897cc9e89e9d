import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Caller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { type FoundPasskey, findPasskey } from "../passkeys/find-passkeys.ts";
import { type Assertion, readClientData, verifyAssertion } from "../passkeys/verify-assertion.ts";
import type { RelyingParty } from "../passkeys/verify-passkey.ts";
import type { AttemptLimit } from "./attempt-limit.ts";
import { findSignInUser, type SignInUser } from "./find-sign-in-user.ts";
import type { PasskeyChallenges } from "./passkey-challenges.ts";
import { recordPasskeyCopy, recordPasskeySuccess } from "./record-passkey-events.ts";

export interface SignInWithPasskeyParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly relyingParty: RelyingParty;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly attemptLimit: AttemptLimit;
}

export interface PasskeyAttempt {
  /** The organization whose users may sign in. */
  readonly orgId: string;
  readonly signInId: string;
  readonly response: AuthenticationResponseJSON;
  /** The address that the attempt comes from. */
  readonly address: string;
  /** The user whose passkeys were requested from the browser; undefined for any user. */
  readonly expectedUserId: string | undefined;
}

export type PasskeyOutcome =
  /** The user is active; see `nextGate` for the remaining steps. `methods` is as in `Proof`. */
  | { readonly kind: "proved"; readonly user: SignInUser; readonly methods: readonly string[] }
  | { readonly kind: "failed" }
  | { readonly kind: "too-often"; readonly retrySeconds: number };

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
  const { attemptLimit, passkeyChallenges, relyingParty } = parts;
  const attempt = { kind: "passkey", orgId, nameKey: response.id, address, device: undefined } as const;
  const admission = await attemptLimit.admit(attempt, caller);
  if (!admission.ok) return { kind: "too-often", retrySeconds: admission.retrySeconds };
  const challenge = readClientData(response)?.challenge;
  if (typeof challenge !== "string" || !(await passkeyChallenges.use(signInId, challenge, caller))) return FAILED;
  const passkey = await findPasskey(parts, { orgId, id: response.id }, caller);
  if (passkey === undefined || !isHandleOf(passkey, response, expectedUserId)) return FAILED;
  const assertion = await verifyAssertion(response, challenge, passkey, relyingParty);
  if (assertion === undefined) return FAILED;
  caller.throwIfOver();
  const sequence = await recordPasskeySuccess(parts, orgId, passkey, assertion);
  if (sequence === undefined) {
    const wentBack = assertion.counter <= passkey.counter && passkey.counter > 0;
    if (wentBack) await recordPasskeyCopy(parts, orgId, passkey, assertion);
    return FAILED;
  }
  await attemptLimit.forgive(attempt);
  const user = await findSignInUser(parts, passkey.userId, caller);
  if (user?.state !== "active") return FAILED;
  // A later sequence could be from the removal of the passkey.
  return { kind: "proved", user: { ...user, sequence }, methods: toMethods(assertion) };
}

const FAILED = { kind: "failed" } as const;

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
 * RFC 8176: a key that can be synchronized is a software key. User presence and verification, together with possession
 * of the key, count as multiple factors.
 */
export function toMethods({ deviceType }: Pick<Assertion, "deviceType">): readonly string[] {
  return [deviceType === "singleDevice" ? "hwk" : "swk", "user", "mfa"];
}
