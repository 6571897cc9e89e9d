import { listPasskeyDescriptors, type PasskeyDescriptor } from "../../passkeys/find-passkeys.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import type { PasskeyRequestOptions } from "./passkey-part.ts";
import { type SignInForm, type SignInProblem, signInPage } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** How long the browser waits for a passkey, in milliseconds. */
const PASSKEY_TIMEOUT_MS = 300_000;

/**
 * The first page. If a specific user must sign in, the browser is asked for that user's passkeys.
 *
 * @param entered What was entered in its first field before.
 */
export async function showFirstPage(
  parts: SignInParts,
  visit: SignInVisit,
  problem?: SignInProblem,
  entered?: string,
): Promise<PageResponse> {
  const { language, caller, signIn, idps, pendingLink } = visit;
  const expected = await findExpectedUser(parts, visit);
  const userName = expected?.userName ?? entered ?? suggestedIdentifier(signIn);
  const passkeys = expected === undefined ? [] : await listPasskeyDescriptors(parts, expected, caller);
  const idp = pendingLink && idps.find(({ id }) => id === pendingLink.idpId);
  const notice = idp && language.texts.signIn.idp.linkNotice(idp.name);
  const form = toSignInForm(parts, visit, { userName, passkeys });
  return signInPage(visit, { ...form, notice, ...(problem && { problem }) });
}

/** What the first field contains before anything is entered there. */
function suggestedIdentifier({ discovery, loginHint }: SignInVisit["signIn"]): string {
  return discovery?.identifier ?? loginHint ?? "";
}

/** Shows the form again: by default because it has no valid token, or its step has expired. */
export function askAgain(
  parts: SignInParts,
  visit: SignInVisit,
  text = visit.language.texts.signIn.errors.stale,
): PageResponse {
  const form = toSignInForm(parts, visit, { userName: suggestedIdentifier(visit.signIn) });
  return signInPage(visit, { ...form, problem: { status: 422, text, isAboutPage: true } });
}

/** The first page, for a user whose provider's confirmation is not enough for the next step. */
export function askForOwnProof(parts: SignInParts, visit: SignInVisit): PageResponse {
  return askAgain(parts, visit, visit.language.texts.signIn.idp.errors.notEnough);
}

export function toSignInForm(
  parts: SignInParts,
  visit: SignInVisit,
  values: {
    readonly userName: string;
    readonly remember?: boolean;
    readonly passkeys?: readonly PasskeyDescriptor[];
  },
): SignInForm {
  const { userName, remember = false, passkeys = [] } = values;
  const passkeyOptions = toPasskeyOptions(parts, visit, passkeys);
  return { token: parts.formTokens.create(visit.signIn.id), userName, remember, passkeyOptions };
}

/** @param passkeys The accepted passkeys. If empty, all discoverable passkeys are accepted. */
export function toPasskeyOptions(
  { config, passkeyChallenges }: SignInParts,
  { signIn }: SignInVisit,
  passkeys: readonly PasskeyDescriptor[],
): PasskeyRequestOptions {
  return {
    challenge: passkeyChallenges.create(signIn.id),
    rpId: config.webauthnRpId,
    userVerification: "required",
    timeout: PASSKEY_TIMEOUT_MS,
    allowCredentials: passkeys,
  };
}
