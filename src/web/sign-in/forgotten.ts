import { setTimeout as delay } from "node:timers/promises";
import { html } from "../../messages/html.ts";
import { requestPasswordReset } from "../../sign-in/request-password-reset.ts";
import { field } from "../frame/field.ts";
import type { PageResponse } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The minimum duration, which is longer than storing a link takes: it must not reveal whether a link was sent. */
const SHORTEST_MS = 250;

/**
 * Sends a link to set a new password. The response is the same for every user name. Each request counts as a failure
 * for the address, because users need few.
 */
export async function requestReset(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { request, signIn, caller } = visit;
  const { limit } = parts;
  const userName = (form.get("username") ?? "").trim();
  if (userName === "") return showForgotten(parts, visit);
  const retrySeconds = limit.secondsBlocked(request.address) ?? (await limit.countFailure(request.address, caller));
  if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
  const sent = requestPasswordReset(parts, { orgId: signIn.org.id, userName }, caller);
  await Promise.all([sent, delay(SHORTEST_MS)]);
  return sentPage(visit);
}

/** The form for the user name. */
export function showForgotten({ formTokens }: SignInParts, { signIn, language }: SignInVisit): PageResponse {
  const { reset, userName } = SIGN_IN_TEXTS[language];
  return renderPage({
    language,
    title: reset.title,
    content: html`<p>${reset.text}</p>
<form method="post" action="${stepPath(signIn, "forgotten")}">
<input type="hidden" name="token" value="${formTokens.create(signIn.id)}">
${field({
  name: "username",
  label: userName,
  attributes: html`type="text" value="${signIn.loginHint ?? ""}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus`,
})}
<button>${reset.submit}</button>
</form>
${backLink(signIn, reset.back)}`,
  });
}

function sentPage({ signIn, language }: SignInVisit): PageResponse {
  const { sent, back } = SIGN_IN_TEXTS[language].reset;
  const content = html`<p>${sent.text}</p>
${backLink(signIn, back)}`;
  return renderPage({ language, title: sent.title, icon: "done", content });
}

function backLink(signIn: SignInVisit["signIn"], text: string) {
  return html`<p class="small"><a href="${stepPath(signIn, "signIn")}">${text}</a></p>`;
}
