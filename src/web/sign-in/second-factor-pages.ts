import { type Html, html } from "../../html.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { formatDay } from "../account/format-time.ts";
import { qrCode } from "../account/qr-code.ts";
import { RECOVERY_CODES_SCRIPT } from "../account/recovery-codes-page.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { GateForm } from "./gate-form.ts";
import { CODE_ATTRIBUTES } from "./one-time-code-page.ts";
import { PASSKEY_SIGN_IN_SCRIPT, type PasskeyRequestOptions, passkeyPart } from "./passkey-part.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The values of the `do` buttons. */
export const FACTOR_ACTIONS = { app: "app", passkey: "passkey", later: "later", code: "code" } as const;

/** Asks a user without a second factor to set one up. */
export function chooseFactorPage(
  { signIn, language }: SignInVisit,
  form: GateForm & {
    readonly allowsPasskey: boolean;
    /** When the second factor is required, if the user can postpone it until then. */
    readonly postponableUntil: string | undefined;
  },
): PageResponse {
  const { title, text, until, app, passkey, later } = language.texts.signIn.secondFactor;
  const { postponableUntil } = form;
  return renderPage({
    language,
    title,
    leadsAway: true,
    content: html`<p>${postponableUntil === undefined ? text : until(formatDay(language, postponableUntil))}</p>
<form method="post" action="${stepPath(signIn, "secondFactor")}">
${hidden(form)}
<button name="do" value="${FACTOR_ACTIONS.app}">${app}</button>
${form.allowsPasskey && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.passkey}">${passkey}</button>`}
${postponableUntil !== undefined && html`<button class="secondary" name="do" value="${FACTOR_ACTIONS.later}">${later}</button>`}
</form>`,
  });
}

export interface SetUpForm extends GateForm {
  /** The secret, encrypted. */
  readonly secret: string;
  readonly base32: string;
  /** See `totpUri`. */
  readonly uri: string;
  /** What is wrong with the submitted code. */
  readonly problem?: string | undefined;
}

/** Shows a new secret of one-time codes, and asks for its first code. */
export function setUpFactorPage({ signIn, language }: SignInVisit, user: SignInUser, form: SetUpForm): PageResponse {
  const { title, text, picture, byHand, submit } = language.texts.accountForms.setUpCodes;
  const { problem, base32, uri, secret } = form;
  return renderPage({
    status: problem === undefined ? 200 : 422,
    language,
    title,
    leadsAway: true,
    content: html`<p>${text}</p>
${qrCode(uri, picture)}
<details>
<summary>${byHand}</summary>
<p><code>${base32.match(/.{1,4}/g)?.join(" ") ?? base32}</code></p>
</details>
${detailsList([[language.texts.signIn.userName, user.userName]])}
<form method="post" action="${stepPath(signIn, "secondFactor")}">
${hidden(form)}
<input type="hidden" name="secret" value="${secret}">
${field({
  name: "code",
  label: language.texts.signIn.oneTimeCode.code,
  error: problem,
  attributes: html`${CODE_ATTRIBUTES} required`,
})}
<button name="do" value="${FACTOR_ACTIONS.code}">${submit}</button>
</form>`,
  });
}

/** Shows the recovery codes of the new one-time codes, then continues with the sign-in. */
export function savedFactorPage(
  { signIn, language }: SignInVisit,
  user: SignInUser,
  { codes, host, ...form }: GateForm & { readonly codes: readonly string[]; readonly host: string },
): PageResponse {
  const { title, text, copy, copied, download, print, fileTitle } = language.texts.accountForms.recoveryCodes;
  const file = [fileTitle(user.userName, host), "", ...codes, ""].join("\r\n");
  return renderPage({
    language,
    title,
    leadsAway: true,
    scripts: [RECOVERY_CODES_SCRIPT],
    content: html`<p>${text}</p>
<ol class="codes" id="codes">
${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<div class="tools" data-copied="${copied}">
<button type="button" class="secondary" id="copy" hidden>${copy}</button>
<a class="button secondary" download="signet-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${download}</a>
<button type="button" class="secondary" id="print" hidden>${print}</button>
</div>
<p role="status" class="small"></p>
<form method="post" action="${stepPath(signIn, "passkeyOffer")}">
${hidden(form)}
<button>${language.texts.signIn.oneTimeCode.submit}</button>
</form>`,
  });
}

/** What is wrong with a submitted passkey. */
export interface PasskeyProblem {
  readonly status: number;
  readonly text: string;
  readonly headers?: PageHeaders;
}

/** Asks a user with a passkey to use it after the password. */
export function confirmFactorPage(
  visit: SignInVisit,
  form: GateForm & { readonly options: PasskeyRequestOptions; readonly problem?: PasskeyProblem | undefined },
): PageResponse {
  const { title, text, needsScript } = visit.language.texts.signIn.secondFactor.confirm;
  const { problem } = form;
  return renderPage({
    status: problem?.status ?? 200,
    language: visit.language,
    title,
    leadsAway: true,
    scripts: [PASSKEY_SIGN_IN_SCRIPT],
    ...(problem?.headers && { headers: problem.headers }),
    content: html`<p>${text}</p>
${problem !== undefined && html`<p class="notice bad" role="alert">${problem.text}</p>`}
<noscript><p class="error">${needsScript}</p></noscript>
<div id="other-ways" hidden>
${passkeyPart(visit, { token: form.token, options: form.options, step: "secondFactor", proof: form.proof })}</div>`,
  });
}

function hidden({ token, proof }: GateForm): Html {
  return html`<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">`;
}
