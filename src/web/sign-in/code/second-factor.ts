import { createSealedValues } from "../../../crypto/sealed-values.ts";
import { type Html, html } from "../../../html.ts";
import type { PasskeyRequestOptions } from "../../../passkeys/ceremony.ts";
import { listPasskeyDescriptors } from "../../../passkeys/find-passkeys.ts";
import { addOneTimeCode } from "../../../sign-in/code/one-time-code-changes.ts";
import { createTotpSecret, findFirstStep } from "../../../sign-in/code/totp.ts";
import { findSignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { canPostpone } from "../../../sign-in/gates.ts";
import { withOneTimeCode } from "../../../sign-in/methods.ts";
import { lacksOwnProof } from "../../../sign-in/proof.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { formatDay } from "../../frame/format-time.ts";
import type { PageResponse } from "../../frame/page.ts";
import type { SubmitProblem } from "../../frame/render-page.ts";
import { isSecureContext } from "../allowed.ts";
import { askAgain, askForOwnProof, toPasskeyOptions } from "../first-page/first-page.ts";
import { PASSKEY_SIGN_IN_SCRIPT, passkeyPart } from "../first-page/passkey-part.ts";
import { backToSignIn, gateFields } from "../gate-form.ts";
import { addPasskey } from "../passkey/passkey-offer.ts";
import { verifyPasskey } from "../passkey/submit-passkey.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";
import { codesHeading, codesList, RECOVERY_CODES_SCRIPT, secretForm } from "./new-codes.ts";

/** The values of the `do` buttons. */
const FACTOR_ACTIONS = { app: "app", passkey: "passkey", later: "later", code: "code" } as const;

/** A secret is stored once its first code has been entered. Until then, only the form contains it. */
const SEALED_SECRETS = createSealedValues<string>({
  table: "sign-in",
  column: "one-time-code",
  validSeconds: 15 * 60,
});

/**
 * The page for a user whose sign-in requires a second factor. A user with a passkey has to use it: someone who knows only
 * the password must not be able to set up another factor instead.
 */
export async function askForSecondFactor(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  problem?: SubmitProblem,
): Promise<PageResponse> {
  const { user, proved } = at;
  const passkeys = await listPasskeyDescriptors(parts, user, visit.caller);
  if (passkeys.length > 0) {
    return confirmFactorPage(visit, gateFields(parts, visit, at), toPasskeyOptions(parts, visit, passkeys), problem);
  }
  return lacksOwnProof(proved, user) ? await askForOwnProof(parts, visit) : chooseFactorPage(parts, visit, at);
}

/** Sets up the chosen factor, or verifies the passkey that the user already has. */
export const submitSecondFactor: GateStep["answer"] = async (parts, visit, at, form) => {
  const { user, proved } = at;
  const canWait = canPostpone(visit.signIn, user, proved, parts.clock());
  if (canWait && form.get("do") === FACTOR_ACTIONS.later) {
    return { user, proved: { ...proved, isFactorPostponed: true } };
  }
  const passkeys = await listPasskeyDescriptors(parts, user, visit.caller);
  if (passkeys.length > 0) return await confirmWithPasskey(parts, visit, at, form);
  if (lacksOwnProof(proved, user)) return await askForOwnProof(parts, visit);
  switch (form.get("do")) {
    case FACTOR_ACTIONS.app:
      return askForCode(parts, visit, at, createTotpSecret());
    case FACTOR_ACTIONS.code:
      return await setUpCodes(parts, visit, at, form);
    case FACTOR_ACTIONS.passkey:
      return await addPasskey(parts, visit, at);
    default:
      return await askForSecondFactor(parts, visit, at);
  }
};

async function confirmWithPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  form: URLSearchParams,
): Promise<StepResult> {
  const { user, proved } = at;
  if (!form.has("response")) return await askForSecondFactor(parts, visit, at);
  const outcome = await verifyPasskey(parts, visit, form, user.id);
  if (!outcome.ok) return await askForSecondFactor(parts, visit, at, outcome.problem);
  // A passkey of another account says nothing about this one.
  if (outcome.user.id !== user.id) {
    const text = fillIn(visit.language.texts.signIn.errors.otherUser, { userName: user.userName });
    return await askForSecondFactor(parts, visit, at, { text });
  }
  const methods = [...new Set([...proved.methods, ...outcome.methods])];
  return { user: outcome.user, proved: { ...proved, methods } };
}

/** Shows a new secret of one-time codes, and asks for its first code. */
async function askForCode(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  base32: string,
  problem?: string,
): Promise<PageResponse> {
  const { signIn, language } = visit;
  const { back } = language.texts.signIn.secondFactor;
  const secret = { base32, sealed: SEALED_SECRETS.seal(parts, signIn.id, base32), problem };
  return stepPage(language, {
    status: problem === undefined ? 200 : 422,
    title: language.texts.accountForms.setUpCodes.title,
    content: await secretForm(parts, visit, at.user, secret, {
      action: stepPath(signIn, "second-factor"),
      hidden: gateFields(parts, visit, at),
      button: html` name="do" value="${FACTOR_ACTIONS.code}"`,
      // Any other value shows the choice again.
      below: html`<p class="cancel"><button class="link" name="do" value="back" formnovalidate>${back}</button></p>`,
    }),
  });
}

/** Stores the secret, and shows the recovery codes. */
async function setUpCodes(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { signIn, language, caller } = visit;
  const { user, proved } = at;
  const base32 = SEALED_SECRETS.open(parts, signIn.id, form.get("secret") ?? "");
  if (base32 === undefined) return await askForSecondFactor(parts, visit, at);
  const step = findFirstStep(base32, form.get("code") ?? "", parts.clock());
  const { wrong } = language.texts.signIn.oneTimeCode;
  if (step === undefined) return askForCode(parts, visit, at, base32, wrong);
  caller.throwIfOver();
  const codes = await addOneTimeCode(parts, user, { base32, step, former: user.otpCode }, caller);
  const changed = await findSignInUser(parts, user.id, caller);
  if (codes === undefined || changed === undefined) return await askAgain(parts, visit);
  const confirmed = { user: changed, proved: { ...proved, methods: withOneTimeCode(proved.methods) } };
  const { title, text } = language.texts.accountForms.recoveryCodes;
  const heading = codesHeading(language, changed.userName, parts.config.publicUrl);
  return stepPage(language, {
    title,
    scripts: [RECOVERY_CODES_SCRIPT],
    content: html`<p>${text}</p>
${codesList(language, codes, heading)}
<form method="post" action="${stepPath(signIn, "passkey-offer")}">
${gateFields(parts, visit, confirmed)}
<button>${language.texts.signIn.oneTimeCode.submit}</button>
</form>`,
  });
}

/** Asks a user without a second factor to set one up. */
function chooseFactorPage(parts: SignInParts, visit: SignInVisit, at: ProvedUser): PageResponse {
  const { signIn, language } = visit;
  const { title, text, until, app, passkey, later } = language.texts.signIn.secondFactor;
  const canWait = canPostpone(signIn, at.user, at.proved, parts.clock());
  // When the second factor is required, if the user can postpone it until then.
  const day = canWait ? signIn.policy.forceMfaFrom : null;
  return stepPage(language, {
    title,
    content: html`<p>${day === null ? text : fillIn(until, { day: formatDay(language, day) })}</p>
<form method="post" action="${stepPath(signIn, "second-factor")}">
${gateFields(parts, visit, at)}
<button name="do" value="${FACTOR_ACTIONS.app}">${app}</button>
${isSecureContext(parts.config.publicUrl) && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.passkey}">${passkey}</button>`}
${day !== null && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.later}">${later}</button>`}
</form>
${backToSignIn(visit)}`,
  });
}

/** Asks a user with a passkey to use it after the password. */
function confirmFactorPage(
  visit: SignInVisit,
  hidden: Html,
  options: PasskeyRequestOptions,
  problem: SubmitProblem | undefined,
): PageResponse {
  const { title, text, needsScript } = visit.language.texts.signIn.secondFactor.confirm;
  return stepPage(visit.language, {
    title,
    scripts: [PASSKEY_SIGN_IN_SCRIPT],
    problem,
    content: html`<p>${text}</p>
${problem !== undefined && html`<p class="notice bad" role="alert">${problem.text}</p>`}
<noscript><p class="error">${needsScript}</p></noscript>
<div id="other-ways" hidden>
${passkeyPart(visit, { hidden, options, step: "second-factor" })}</div>
${backToSignIn(visit)}`,
  });
}
