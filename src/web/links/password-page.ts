import type { CodeState, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../messages/html.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import { SIGN_IN_LINK_TEXTS, signInLink } from "../frame/sign-in-link.ts";
import { newPasswordFields, type RefusedPassword } from "./new-password-fields.ts";
import { INIT_TEXTS } from "./texts/init-texts.ts";
import { RESET_TEXTS } from "./texts/reset-texts.ts";

export const PASSWORD_PATH = "/ui/password";

/** The form in which a user enters a new password twice. */
export function passwordPage(code: FoundCode, { language }: Visit, refused?: RefusedPassword): PageResponse {
  const { title, text, button } = RESET_TEXTS[language].choose;
  const { user } = code;
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title,
    content: html`<p>${text}</p>
${detailsList([
  [INIT_TEXTS[language].name, user.displayName],
  [SIGN_IN_LINK_TEXTS[language].userName, user.userName],
])}
<form method="post" action="${PASSWORD_PATH}">
<input type="hidden" name="code" value="${code.text}">
${newPasswordFields(user, language, { isRequired: true, refused })}
<button>${button}</button>
</form>`,
  });
}

/** @param deviceCookie The header `set-cookie` that marks the browser as a known device of the user. */
export function passwordDonePage({ orgId }: FoundCode, { language }: Visit, deviceCookie: string): PageResponse {
  const { title, text } = RESET_TEXTS[language].done;
  const content = html`<p>${text}</p>
${signInLink(language, orgId)}`;
  return renderPage({ language, title, icon: "done", headers: { "set-cookie": deviceCookie }, content });
}

/** The page for a link that can no longer be used. Unlike other pages, it sends no new one. */
export function unusablePasswordLinkPage(state: Exclude<CodeState, "valid">, visit: Visit): PageResponse {
  // The user was deactivated or locked after the link was opened.
  if (state === "blocked") return problemPage("blocked-user", visit);
  const { language } = visit;
  const { title, text } = RESET_TEXTS[language][state];
  return renderPage({ status: 410, language, title, icon: "problem", content: html`<p>${text}</p>` });
}
