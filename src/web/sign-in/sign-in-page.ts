import type { OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import { html } from "../../messages/html.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { idpButtons } from "./idp-buttons.ts";
import { PASSKEY_SIGN_IN_SCRIPT, type PasskeyRequestOptions, passkeyPart } from "./passkey-part.ts";
import { stepPath } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The value of the `do` button that declines the sign-in. */
export const CANCEL = "cancel";

export interface SignInForm {
  /** The value of the hidden field `token`. */
  readonly token: string;
  readonly userName: string;
  readonly remember: boolean;
  readonly passkeyOptions: PasskeyRequestOptions;
  /** The providers to offer. */
  readonly idps: readonly OfferedIdp[];
  /** Describes the purpose of the sign-in if it is not signing in to the application. */
  readonly notice?: string | undefined;
  readonly problem?: {
    readonly status: number;
    readonly text: string;
    readonly headers?: PageHeaders;
    /** Whether the form has expired. If so, the submitted values did not cause the problem. */
    readonly isAboutPage?: true;
  };
}

/** The form with user name and password. Only the user name is rendered again. */
export function signInPage(
  request: SignInRequest,
  { language }: Pick<Visit, "language">,
  form: SignInForm,
): PageResponse {
  const texts = SIGN_IN_TEXTS[language];
  const { token, userName, remember, passkeyOptions, idps, notice, problem } = form;
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
      [texts.app, request.app.name],
      [texts.org, request.org.name],
    ])}
${notice !== undefined && html`<p>${notice}</p>`}
${problem?.isAboutPage && html`<p class="error" role="alert">${problem.text}</p>`}
<form method="post" action="${stepPath(request, "signIn")}">
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
${idpButtons(request, language, idps)}</form>
<p class="small"><a href="${stepPath(request, "forgotten")}">${texts.forgotten}</a></p>
${passkeyPart(request, language, { token, options: passkeyOptions })}`,
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
