import { html } from "../../html.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import type { Proved } from "../../sign-in/proof.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { askAgain } from "./first-page.ts";
import { type GateForm, toGateForm } from "./gate-form.ts";
import { CODE_ATTRIBUTES } from "./one-time-code-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The value of the `do` button that sends a code. */
export const SEND_CODE = "send";

/**
 * The page for a user whose provider has not confirmed a recent sign-in: it offers a code by email. Without a mail server,
 * the user has to sign in another way.
 */
export function askForCode(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  problem?: CodePageProblem,
): PageResponse {
  const { idp: texts, recentProof } = visit.language.texts.signIn;
  const name = visit.idps.find(({ id }) => id === proved.idp?.id)?.name ?? "";
  if (!parts.outbox.sendsEmail) return askAgain(parts, visit, texts.errors.notFresh(name));
  const form = toGateForm(parts, visit, user, proved);
  return codePage(visit, user, { ...form, text: recentProof.text(name), sent: undefined, problem });
}

export interface CodePageProblem {
  readonly status: number;
  readonly text: string;
  readonly headers?: PageHeaders;
}

interface CodeForm extends GateForm {
  readonly text: string;
  /** The code that was sent, encrypted; undefined if none was. */
  readonly sent: string | undefined;
  readonly problem?: CodePageProblem | undefined;
}

/** The button that sends a code, below the field for the code that was sent. */
export function codePage(
  { signIn, language }: SignInVisit,
  { userName }: SignInUser,
  { token, proof, text, sent, problem }: CodeForm,
): PageResponse {
  const { recentProof, oneTimeCode, userName: userNameLabel } = language.texts.signIn;
  return renderPage({
    status: problem?.status ?? 200,
    language,
    title: recentProof.title,
    leadsAway: true,
    ...(problem?.headers && { headers: problem.headers }),
    content: html`<p>${text}</p>
${detailsList([[userNameLabel, userName]])}
${problem !== undefined && sent === undefined && html`<p class="error" role="alert">${problem.text}</p>`}
<form method="post" action="${stepPath(signIn, "recentProof")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">
${
  sent !== undefined &&
  html`<input type="hidden" name="sent" value="${sent}">
${field({
  name: "code",
  label: recentProof.code,
  error: problem?.text,
  attributes: html`${CODE_ATTRIBUTES} required autofocus`,
})}
<button>${oneTimeCode.submit}</button>`
}
<button${sent !== undefined && html` class="secondary"`} name="do" value="${SEND_CODE}" formnovalidate>${sent === undefined ? recentProof.send : recentProof.sendAgain}</button>
</form>
<p class="cancel"><a href="${stepPath(signIn, "signIn")}">${recentProof.otherWay}</a></p>`,
  });
}
