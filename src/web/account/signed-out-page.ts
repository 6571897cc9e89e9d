import { html } from "../../html.ts";
import { TEXTS } from "../../texts/languages.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";

/** The page after a sign-out that no application has requested. */
export function signedOutPage({ language }: Pick<Visit, "language">): PageResponse {
  const { title, text, signIn } = TEXTS[language].account.signedOut;
  const content = html`<p>${text}</p>
<p><a class="button" href="${ACCOUNT_PATH}">${signIn}</a></p>`;
  return renderPage({ language, title, icon: "done", content });
}
