import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { declinePasskey, lacksPasskey } from "../../../sign-in/passkey/passkey-offer.ts";
import { addPasskeyRegistration } from "../../../users/credentials/add-passkey-registration.ts";
import type { PageResponse } from "../../frame/page.ts";
import { PASSKEY_SCRIPT, passkeyCeremony } from "../../links/passkey-ceremony.ts";
import { isSecureContext } from "../allowed.ts";
import { gateFields } from "../gate-form.ts";
import type { GateStep, ProvedUser, QuestionStep, SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";

/** The values of the `do` buttons: to add a passkey, and to not be asked again. */
const ADD = "add";
const LATER = "later";

/** Asks whether to add a passkey, if that is due. */
export const offerPasskey: QuestionStep["ask"] = async (parts, visit, at) => {
  if (!(await isDue(parts, visit, at))) return undefined;
  const { signIn, language } = visit;
  const { title, text, add, later } = language.texts.signIn.passkeyOffer;
  return stepPage(language, {
    title,
    content: html`<p>${text}</p>
<form method="post" action="${stepPath(signIn, "passkey-offer")}">
${gateFields(parts, visit, at)}
<button name="do" value="${ADD}">${add}</button>
<button class="secondary" name="do" value="${LATER}">${later}</button>
</form>`,
  });
};

/** Lets the user add a passkey, or continues without one. */
export const answerPasskeyOffer: GateStep["answer"] = async (parts, visit, at, form) => {
  const answer = form.get("do");
  const isOffered = await isDue(parts, visit, at);
  if (answer === ADD && isOffered) return await addPasskey(parts, visit, at);
  if (answer === LATER && isOffered) {
    visit.caller.throwIfOver();
    await declinePasskey(parts, at.user);
  }
  return at;
};

/**
 * Whether to offer a passkey to a user who has signed in with a password and has no passkey: once, or again some time
 * after the user has declined it.
 */
async function isDue(
  { config, db, clock }: SignInParts,
  { signIn, caller, hasDeclinedPasskey = false }: SignInVisit,
  { user, proved: { methods } }: ProvedUser,
): Promise<boolean> {
  const { allowPasswordless, mfaInitSkipSeconds } = signIn.policy;
  const isPossible = !hasDeclinedPasskey && allowPasswordless && isSecureContext(config.publicUrl);
  const isAsked = mfaInitSkipSeconds === null ? config.passkeyOffer === "once" : mfaInitSkipSeconds > 0;
  if (!isPossible || !isAsked || !methods.includes("pwd")) return false;
  const declinedBefore = mfaInitSkipSeconds === null ? null : new Date(clock().getTime() - mfaInitSkipSeconds * 1_000);
  return await lacksPasskey({ db }, user, declinedBefore, caller);
}

/** Lets the browser create a passkey, then continues with the sign-in. */
export async function addPasskey(parts: SignInParts, visit: SignInVisit, at: ProvedUser): Promise<PageResponse> {
  const { signIn, language } = visit;
  const { link } = await addPasskeyRegistration(parts, { userId: at.user.id }, toOwnCall(at.user, visit.caller));
  const code = new URL(link).searchParams.get("code") ?? "";
  const { title, intro } = language.texts.links.passkey;
  return stepPage(language, {
    title,
    scripts: [PASSKEY_SCRIPT],
    content: html`<p>${intro}</p>
${passkeyCeremony(language, { code })}
<form id="continue" method="post" action="${stepPath(signIn, "passkey-offer")}">
${gateFields(parts, visit, at)}
<button class="secondary" name="do" value="${LATER}">${language.texts.signIn.passkeyOffer.without}</button>
</form>`,
  });
}
