import {
  type PasskeyDescriptor,
  type PasskeyRequestOptions,
  requestPasskeyOptions,
} from "../../../passkeys/ceremony.ts";
import { listPasskeyDescriptors } from "../../../passkeys/find-passkeys.ts";
import { findSignInUser, type SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import type { PageResponse } from "../../frame/page.ts";
import { offersRegistration } from "../allowed.ts";
import { readPendingLink } from "../pending-link.ts";
import type { SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { findIdpChoice, type IdpChoice } from "./idp-choice.ts";
import { type SignInForm, type SignInProblem, signInPage } from "./sign-in-page.ts";

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
  const { language, caller, signIn } = visit;
  const expected = await findExpectedUser(parts, visit);
  const userName = expected?.userName ?? entered ?? suggestedIdentifier(signIn);
  const passkeys = expected === undefined ? [] : await listPasskeyDescriptors(parts, expected, caller);
  const pendingLink = readPendingLink(parts, visit);
  const choice = await findIdpChoice(parts, visit);
  const idp = pendingLink && choice.idps.find(({ id }) => id === pendingLink.idpId);
  const notice = idp && fillIn(language.texts.signIn.idp.linkNotice, { name: idp.name });
  const form = toSignInForm(parts, visit, { userName, passkeys, choice });
  return signInPage(visit, { ...form, notice, ...(problem && { problem }) });
}

/** What the first field contains before anything is entered there. */
function suggestedIdentifier({ discovery, loginHint }: SignInVisit["signIn"]): string {
  return discovery?.identifier ?? loginHint ?? "";
}

/** Shows the form again: by default because it has no valid token, or its step has expired. */
export async function askAgain(
  parts: SignInParts,
  visit: SignInVisit,
  text = visit.language.texts.signIn.errors.stale,
): Promise<PageResponse> {
  const problem = { text, isAboutPage: true } as const;
  return await refuseForm(parts, visit, { userName: suggestedIdentifier(visit.signIn) }, problem);
}

/** Shows the form again with what was entered, and what is wrong with it. */
export async function refuseForm(
  parts: SignInParts,
  visit: SignInVisit,
  entered: { readonly userName: string; readonly remember?: boolean },
  problem: SignInProblem,
): Promise<PageResponse> {
  const form = toSignInForm(parts, visit, { ...entered, choice: await findIdpChoice(parts, visit) });
  return signInPage(visit, { ...form, problem });
}

/** The first page, for a user whose provider's confirmation is not enough for the next step. */
export function askForOwnProof(parts: SignInParts, visit: SignInVisit): Promise<PageResponse> {
  return askAgain(parts, visit, visit.language.texts.signIn.idp.errors.notEnough);
}

/** The user who must authenticate again, if the application requires a specific one. */
export async function findExpectedUser(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
): Promise<SignInUser | undefined> {
  const { expectedUserId, org } = signIn;
  const user = expectedUserId === undefined ? undefined : await findSignInUser(parts, expectedUserId, caller);
  return user?.orgId === org.id ? user : undefined;
}

export function toSignInForm(
  parts: SignInParts,
  visit: SignInVisit,
  values: {
    readonly userName: string;
    readonly remember?: boolean;
    readonly passkeys?: readonly PasskeyDescriptor[];
    readonly choice: IdpChoice;
  },
): SignInForm {
  const { userName, remember = false, passkeys = [], choice } = values;
  const token = parts.formTokens.create(visit.signIn.id);
  const passkeyOptions = toPasskeyOptions(parts, visit, passkeys);
  return { token, userName, remember, passkeyOptions, choice, canRegister: offersRegistration(parts, visit.signIn) };
}

/** @param passkeys The accepted passkeys. If empty, all discoverable passkeys are accepted. */
export function toPasskeyOptions(
  { config, passkeyChallenges }: SignInParts,
  { signIn }: SignInVisit,
  passkeys: readonly PasskeyDescriptor[],
): PasskeyRequestOptions {
  return requestPasskeyOptions(config.webauthnRpId, passkeyChallenges.create(signIn.id), passkeys);
}
