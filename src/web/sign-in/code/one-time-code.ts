import { html } from "../../../html.ts";
import { checkOneTimeCode } from "../../../sign-in/code/check-one-time-code.ts";
import { withOneTimeCode } from "../../../sign-in/methods.ts";
import { detailsList } from "../../frame/details-list.ts";
import { DEVICE_COOKIE } from "../../frame/device-cookie.ts";
import { field } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import type { SubmitProblem } from "../../frame/render-page.ts";
import { reportCheck, tooOften } from "../checks.ts";
import { backToSignIn, gateFields } from "../gate-form.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";

/** Attributes of a field for a one-time code: phones and password managers fill it in. */
export const CODE_ATTRIBUTES = html`type="text" class="digits" inputmode="numeric" autocomplete="one-time-code" maxlength="20"`;

/** Attributes of a field for a recovery code. */
export const RECOVERY_ATTRIBUTES = html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60"`;

interface CodeProblem extends SubmitProblem {
  /** Whether a recovery code was submitted. */
  readonly isRecovery: boolean;
}

/** The form for a user with one-time codes, and a second one for a recovery code. */
export function askForOneTimeCode(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  problem?: CodeProblem,
): PageResponse {
  const { signIn, language } = visit;
  const { title, text, code, submit, recovery } = language.texts.signIn.oneTimeCode;
  const hidden = gateFields(parts, visit, at);
  const action = stepPath(signIn, "one-time-code");
  const errorOf = (isRecovery: boolean) => (problem?.isRecovery === isRecovery ? problem.text : undefined);
  return stepPage(language, {
    title,
    problem,
    content: html`<p>${text}</p>
${detailsList([[language.texts.signIn.userName, at.user.userName]])}
<form method="post" action="${action}">
${hidden}
${field({
  name: "code",
  label: code,
  error: errorOf(false),
  attributes: html`${CODE_ATTRIBUTES} required${problem === undefined && html` autofocus`}`,
})}
<button>${submit}</button>
</form>
<details${problem?.isRecovery === true && html` open`}>
<summary>${recovery.open}</summary>
<form method="post" action="${action}">
${hidden}
${field({
  name: "recovery",
  label: recovery.code,
  hint: recovery.hint,
  error: errorOf(true),
  attributes: html`${RECOVERY_ATTRIBUTES} required`,
})}
<button class="secondary">${submit}</button>
</form>
</details>
${backToSignIn(visit)}`,
  });
}

export const verifyOneTimeCode: GateStep["answer"] = async (parts, visit, at, form) => {
  const { request, language, caller } = visit;
  const recovery = form.get("recovery");
  const texts = language.texts.signIn.oneTimeCode;
  const attempt = {
    code: recovery ?? form.get("code") ?? "",
    address: request.address,
    deviceCookie: DEVICE_COOKIE.read(parts, visit),
  };
  const check = checkOneTimeCode(parts, at.user, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "one_time_code", check);
  const refuse = (problem: Omit<CodeProblem, "isRecovery">) =>
    askForOneTimeCode(parts, visit, at, { ...problem, isRecovery: recovery !== null });
  switch (outcome.kind) {
    case "failed":
      return refuse({ text: recovery === null ? texts.wrong : texts.recovery.wrong });
    case "too-often":
      return refuse(tooOften(outcome.retrySeconds, language));
    case "proved":
      return { user: outcome.user, proved: { ...at.proved, methods: withOneTimeCode(at.proved.methods) } };
    default:
      return outcome satisfies never;
  }
};
