import type { CodeState, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { PASSWORD_FIELD_SCRIPT } from "../frame/password-field.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import { newPasswordFields, type RefusedPassword } from "./new-password-fields.ts";

export const PASSWORD_PATH = "/ui/password";

/** The form in which a user enters a new password twice. */
export function passwordPage(code: FoundCode, { language }: Visit, refused?: RefusedPassword): PageResponse {
  const { title, text, button } = language.texts.links.reset.choose;
  const { user } = code;
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title,
    scripts: [PASSWORD_FIELD_SCRIPT],
    content: html`<p>${text}</p>
${detailsList([
  [language.texts.links.init.name, user.displayName],
  [language.texts.frame.signInLink.userName, user.userName],
])}
<form method="post" action="${PASSWORD_PATH}">
<input type="hidden" name="code" value="${code.text}">
${newPasswordFields(user, language, { isRequired: true, refused })}
<button>${button}</button>
</form>`,
  });
}

/** @param origin The path of the sign-in in which the link was requested, if it was in this browser. */
export function passwordDonePage({ orgId }: FoundCode, { language }: Visit, origin: string | undefined): PageResponse {
  const { title, text } = language.texts.links.reset.done;
  const content = html`<p>${text}</p>
${signInLink(language, orgId, origin)}`;
  return renderPage({ language, title, icon: "done", content });
}

/** The page for a link that can no longer be used. The sign-in page sends a new one. */
export function unusablePasswordLinkPage(
  { orgId }: FoundCode,
  state: Exclude<CodeState, "valid">,
  visit: Visit,
): PageResponse {
  // The user was deactivated or locked after the link was opened.
  if (state === "blocked") return problemPage("blocked-user", visit);
  const { language } = visit;
  const { title, text } = language.texts.links.reset[state];
  // The holder of an outdated link may be another person, and must not learn the organization.
  const content = html`<p>${text}</p>
${signInLink(language, state === "outdated" ? undefined : orgId)}`;
  return renderPage({ status: 410, language, title, icon: "problem", content });
}
