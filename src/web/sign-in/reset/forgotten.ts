import { trimText } from "../../../fields/trim-text.ts";
import { html } from "../../../html.ts";
import { readIdentifier } from "../../../sign-in/identifier.ts";
import { requestPasswordReset } from "../../../sign-in/reset/request-password-reset.ts";
import { acceptedRegion } from "../../frame/accepted-language.ts";
import { field } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import { RESET_ORIGIN } from "../../frame/page-cookies.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { redirect, withCookies } from "../../frame/responses.ts";
import { canResetPassword } from "../allowed.ts";
import { evenly } from "../checks.ts";
import { showFirstPage } from "../first-page/first-page.ts";
import { identifierTexts } from "../identifier-texts.ts";
import type { SignInParts, SignInStep, SignInVisit } from "../sign-in-parts.ts";
import { BACK, backButton, requestedPage, stepPage } from "../step-page.ts";
import { OPEN_FORGOTTEN, stepPath } from "../steps.ts";

/**
 * Sends a link to set a new password. The response is the same whatever was entered. Each request counts as a failure
 * for the address, because users need few. The buttons that lead here and back keep what was entered.
 */
export const requestReset: SignInStep["postForm"] = async (parts, visit, form) => {
  const { request, signIn, language, caller } = visit;
  const { limit } = parts;
  if (!canResetPassword(signIn)) return redirect(stepPath(signIn, "signIn"));
  const userName = trimText(form.get("username") ?? "");
  const action = form.get("do");
  if (action === BACK) return await showFirstPage(parts, visit, undefined, userName);
  if (action === OPEN_FORGOTTEN || userName === "") return showForgotten(parts, visit, userName);
  const retrySeconds = limit.secondsBlocked(request.address) ?? (await limit.countFailure(request.address, caller));
  if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
  const identifier = readIdentifier(userName, signIn.policy, acceptedRegion(request.headers));
  await evenly(requestPasswordReset(parts, { orgId: signIn.org.id, identifier }, caller));
  const { title } = language.texts.signIn.reset.sent;
  const texts = { title, text: identifierTexts(visit).sentText };
  const page = requestedPage(parts, visit, texts, { step: "forgotten", name: "username", value: userName });
  return withCookies(page, [RESET_ORIGIN.header(parts, stepPath(signIn, "signIn"))]);
};

/** The form for the user name, address or number. By default, it contains what the application suggests. */
export function showForgotten(
  { formTokens }: SignInParts,
  visit: SignInVisit,
  userName = visit.signIn.loginHint ?? "",
): PageResponse {
  const { signIn, language } = visit;
  if (!canResetPassword(signIn)) return redirect(stepPath(signIn, "signIn"));
  const { reset } = language.texts.signIn;
  const { label, resetText } = identifierTexts(visit);
  return stepPage(language, {
    title: reset.title,
    content: html`<p>${resetText}</p>
<form method="post" action="${stepPath(signIn, "forgotten")}">
<input type="hidden" name="token" value="${formTokens.create(signIn.id)}">
${field({
  name: "username",
  label,
  attributes: html`type="text" value="${userName}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus`,
})}
<button>${reset.submit}</button>
${backButton(language)}
</form>`,
  });
}
