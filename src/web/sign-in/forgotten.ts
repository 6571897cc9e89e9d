import { setTimeout as delay } from "node:timers/promises";
import { html } from "../../messages/html.ts";
import { requestPasswordReset } from "../../sign-in/request-password-reset.ts";
import { field } from "../frame/field.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import { type SignInContext, type SignInStep, stepPath } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The minimum duration, which is longer than storing a link takes: it must not reveal whether a link was sent. */
const SHORTEST_MS = 250;

/**
 * `/ui/sign-in/<id>/forgotten`: sends a link to set a new password. The response is the same for every user name. Each
 * request counts as a failure for the address, because a user needs only a few.
 */
export function createForgottenRoute(context: SignInContext): SignInStep {
  const { limit, formTokens } = context;

  return {
    get: (visit, request) => formPage(visit, request, formTokens.create(request.id)),
    async postForm(visit, request, form) {
      const { address } = visit.request;
      const userName = (form.get("username") ?? "").trim();
      if (userName === "") return formPage(visit, request, formTokens.create(request.id));
      const retrySeconds = limit.secondsBlocked(address) ?? (await limit.countFailure(address, visit.caller));
      if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
      const sent = requestPasswordReset({ ...context, caller: visit.caller }, { orgId: request.org.id, userName });
      await Promise.all([sent, delay(SHORTEST_MS)]);
      return sentPage(visit, request);
    },
  };
}

function formPage({ language }: Visit, request: SignInRequest, token: string): PageResponse {
  const { reset, userName } = SIGN_IN_TEXTS[language];
  return renderPage({
    language,
    title: reset.title,
    content: html`<p>${reset.text}</p>
<form method="post" action="${stepPath(request, "forgotten")}">
<input type="hidden" name="token" value="${token}">
${field({
  name: "username",
  label: userName,
  attributes: html`type="text" value="${request.loginHint ?? ""}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus`,
})}
<button>${reset.submit}</button>
</form>
${backLink(request, reset.back)}`,
  });
}

function sentPage({ language }: Visit, request: SignInRequest): PageResponse {
  const { sent, back } = SIGN_IN_TEXTS[language].reset;
  const content = html`<p>${sent.text}</p>
${backLink(request, back)}`;
  return renderPage({ language, title: sent.title, icon: "done", content });
}

function backLink(request: SignInRequest, text: string) {
  return html`<p class="small"><a href="${stepPath(request, "signIn")}">${text}</a></p>`;
}
