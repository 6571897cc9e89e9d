import type { Caller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { OutboundError, type OutboundFetch } from "../outbound/outbound-fetch.ts";
import { openSigningKey, signDelivery } from "../webhooks/signing-key.ts";
import type { HookUser } from "./find-hook-user.ts";
import { PASSWORD_HOOK_SEALED, type PasswordHook } from "./find-password-hook.ts";

/** The time limit for the whole response. */
export const HOOK_LIMIT_MS = 5_000;
/** The maximum size of the response. */
export const MAX_ANSWER_BYTES = 65_536;

/** What a password hook says about a password. */
export type HookAnswer =
  | { readonly kind: "right"; readonly passwordChangeRequired: boolean }
  | { readonly kind: "wrong" }
  /** `isChecked`: whether the password may have been checked. The reason does not contain it. */
  | { readonly kind: "none"; readonly reason: string; readonly isChecked: boolean };

export interface AskPasswordHookParts {
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Reaches public addresses only, unless the operator allows others. Its time limit is `HOOK_LIMIT_MS`. */
  readonly send: OutboundFetch;
}

/**
 * Asks a password hook whether a password is right (docs/moving/password-hook.md). The request is signed like a delivery
 * to a webhook.
 *
 * @throws Error if the signing key cannot be decrypted.
 */
export async function askPasswordHook(
  { keyring, clock, send }: AskPasswordHookParts,
  hook: PasswordHook,
  user: HookUser,
  password: string,
  { signal }: Pick<Caller, "signal">,
): Promise<HookAnswer> {
  const now = clock();
  const body = JSON.stringify(toBody(hook, user, password, now));
  const signingKey = openSigningKey(keyring, hook, PASSWORD_HOOK_SEALED);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "signet",
    ...signDelivery([signingKey], createId(), now, body),
  };
  try {
    return await readAnswer(await send(hook.url, { method: "POST", headers, body, signal }));
  } catch (error) {
    if (error instanceof OutboundError) return { kind: "none", reason: error.message, isChecked: error.isSent };
    throw error;
  }
}

function toBody({ orgId }: PasswordHook, user: HookUser, password: string, now: Date) {
  const { id, subject, externalId, userName, email, emailVerified: isEmailVerified } = user;
  return {
    type: "password.check",
    timestamp: now.toISOString(),
    data: {
      user: {
        id,
        resourceOwner: orgId,
        subject: subject ?? id,
        ...(externalId !== null && { externalId: externalId.toString() }),
        userName,
        email,
        isEmailVerified,
      },
      password,
    },
  };
}

/** Any other response than the documented ones says nothing about the password, although it may have been checked. */
async function readAnswer(response: Response): Promise<HookAnswer> {
  const { status } = response;
  if (status !== 200) {
    return { kind: "none", reason: `the response has the status ${status}`, isChecked: status !== UNCHECKED_STATUS };
  }
  const answer = parseObject(await response.text());
  switch (answer?.valid) {
    case true:
      return { kind: "right", passwordChangeRequired: answer.passwordChangeRequired === true };
    case false:
      return { kind: "wrong" };
    default:
      return { kind: "none", reason: 'the response is not JSON with a boolean "valid"', isChecked: true };
  }
}

/** With this status, a hook says that it has not checked the password, such as while the earlier system is down. */
const UNCHECKED_STATUS = 503;

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
