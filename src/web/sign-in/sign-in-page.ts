import { html } from "../../messages/html.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { idpButtons } from "./idp-buttons.ts";
import { PASSKEY_SIGN_IN_SCRIPT, type PasskeyRequestOptions, passkeyPart } from "./passkey-part.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The value of the `do` button that declines the sign-in. */
export const CANCEL = "cancel";

export interface SignInForm {
  /** The value of the hidden field `token`. */
  readonly token: string;
  readonly userName: string;
  readonly remember: boolean;
  readonly passkeyOptions: PasskeyRequestOptions;
  /** Describes the purpose of the sign-in if it is not signing in to the application. */
  readonly notice?: string | undefined;
  readonly problem?: SignInProblem;
}

/** What is wrong with a submitted form. */
export interface SignInProblem {
  readonly status: number;
  readonly text: string;
  readonly headers?: PageHeaders;
  /** Whether the form's page has expired, in which case the values did not cause the problem. */
  readonly isAboutPage?: true;
}

/** The form with user name and password. Only the user name is rendered again. */
export function signInPage(visit: SignInVisit, form: SignInForm): PageResponse {
  const { signIn, language } = visit;
  const texts = SIGN_IN_TEXTS[language];
  const { token, userName, remember, passkeyOptions, notice, problem } = form;
  const focus = html` autofocus`;
  const hasFieldError = problem !== undefined && problem.isAboutPage === undefined;
  return renderPage({
    status: problem?.status ?? 200,
    language,
    title: texts.title,
    leadsAway: true,
    script: PASSKEY_SIGN_IN_SCRIPT.address,
    ...(problem?.headers && { headers: problem.headers }),
    content: html`${detailsList([
      [texts.app, signIn.app.name],
      [texts.org, signIn.org.name],
    ])}
${notice !== undefined && html`<p>${notice}</p>`}
${problem?.isAboutPage && html`<p class="error" role="alert">${problem.text}</p>`}
<form method="post" action="${stepPath(signIn, "signIn")}">
<input type="hidden" name="token" value="${token}">
${field({
  name: "username",
  label: texts.userName,
  attributes: html`type="text" value="${userName}" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" required${userName === "" && !hasFieldError && focus}`,
})}
${field({
  name: "password",
  label: texts.password,
  error: hasFieldError ? problem.text : undefined,
  attributes: html`type="password" autocomplete="current-password" required${userName !== "" && !hasFieldError && focus}`,
})}
<label class="check"><input type="checkbox" name="remember" value="yes"${remember && html` checked`}> ${texts.remember}</label>
<button>${texts.submit}</button>
<button class="quiet" name="do" value="${CANCEL}" formnovalidate>${texts.cancel}</button>
${idpButtons(visit)}</form>
<p class="small"><a href="${stepPath(signIn, "forgotten")}">${texts.forgotten}</a></p>
${passkeyPart(visit, { token, options: passkeyOptions })}`,
  });
}

/** The URL at which the user can start again, if the application is known. */
export interface Restart {
  readonly name: string;
  readonly url: string;
}

/** The page of a sign-in that has ended, or was started in a different browser. */
export function endedPage({ language }: Pick<Visit, "language">, restart: Restart | undefined): PageResponse {
  const { title, text, startAgain, noApp } = SIGN_IN_TEXTS[language].ended;
  return renderPage({
    status: 410,
    language,
    title,
    icon: "problem",
    content: html`<p>${text}</p>
${
  restart === undefined
    ? html`<p>${noApp}</p>`
    : html`<p><a class="button" href="${restart.url}">${startAgain(restart.name)}</a></p>`
}`,
  });
}
