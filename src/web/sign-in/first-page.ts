import { listPasskeyDescriptors, type PasskeyDescriptor } from "../../passkeys/find-passkeys.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { type SignInForm, type SignInProblem, signInPage } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** How long the browser waits for a passkey, in milliseconds. */
const PASSKEY_TIMEOUT_MS = 300_000;

/** The first page. If a specific user must sign in, the browser is asked for that user's passkeys. */
export async function showFirstPage(
  parts: SignInParts,
  visit: SignInVisit,
  problem?: SignInProblem,
): Promise<PageResponse> {
  const { language, caller, signIn, idps, pendingLink } = visit;
  const expected = await findExpectedUser(parts, visit);
  const userName = expected?.userName ?? signIn.loginHint ?? "";
  const passkeys = expected === undefined ? [] : await listPasskeyDescriptors(parts, expected, caller);
  const idp = pendingLink && idps.find(({ id }) => id === pendingLink.idpId);
  const notice = idp && IDP_TEXTS[language].linkNotice(idp.name);
  const form = toSignInForm(parts, visit, { userName, passkeys });
  return signInPage(visit, { ...form, notice, ...(problem && { problem }) });
}

/** Shows the form again: by default because it has no valid token, or its step has expired. */
export function askAgain(
  parts: SignInParts,
  visit: SignInVisit,
  text = SIGN_IN_TEXTS[visit.language].errors.stale,
): PageResponse {
  const form = toSignInForm(parts, visit, { userName: visit.signIn.loginHint ?? "" });
  return signInPage(visit, { ...form, problem: { status: 422, text, isAboutPage: true } });
}

export function toSignInForm(
  { config, formTokens, passkeyChallenges }: SignInParts,
  { signIn }: SignInVisit,
  values: {
    readonly userName: string;
    readonly remember?: boolean;
    readonly passkeys?: readonly PasskeyDescriptor[];
  },
): SignInForm {
  const { userName, remember = false, passkeys = [] } = values;
  const passkeyOptions = {
    challenge: passkeyChallenges.create(signIn.id),
    rpId: config.webauthnRpId,
    userVerification: "required",
    timeout: PASSKEY_TIMEOUT_MS,
    allowCredentials: passkeys,
  } as const;
  return { token: formTokens.create(signIn.id), userName, remember, passkeyOptions };
}
