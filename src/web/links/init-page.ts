import type { CodeUser, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../messages/html.ts";
import { needsPassword } from "../../users/initialize-human.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { SIGN_IN_LINK_TEXTS, signInLink } from "../frame/sign-in-link.ts";
import { newPasswordFields, type RefusedPassword } from "./new-password-fields.ts";
import { INIT_TEXTS, type InitTexts } from "./texts/init-texts.ts";
import type { TitledText } from "./texts/link-texts.ts";

export const INIT_PATH = "/ui/init";

/** The form that confirms the address unless it is verified, and sets a password if none is stored. */
export function initPage(code: FoundCode, { language }: Visit, refused?: RefusedPassword): PageResponse {
  const texts = INIT_TEXTS[language];
  const { user } = code;
  const { title, text } = introOf(user, texts);
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title,
    content: html`<p>${text}</p>
${detailsList([
  [texts.name, user.displayName],
  [SIGN_IN_LINK_TEXTS[language].userName, user.userName],
  [texts.email, user.email],
])}
<form method="post" action="${INIT_PATH}">
<input type="hidden" name="code" value="${code.text}">
${!user.hasPassword && newPasswordFields(user, language, { isRequired: needsPassword(code), refused })}
<button>${user.hasPassword ? texts.confirmButton : texts.finish}</button>
</form>`,
  });
}

export function initDonePage({ user, orgId }: FoundCode, { language }: Visit, setsPassword: boolean): PageResponse {
  const { title, ...texts } = INIT_TEXTS[language].done;
  const text = user.emailVerified
    ? texts[setsPassword ? "passwordSet" : "nothingSet"]
    : texts[setsPassword ? "confirmedAndPasswordSet" : "confirmed"];
  const content = html`<p>${text}</p>
${(setsPassword || user.hasPassword) && signInLink(language, orgId)}`;
  return renderPage({ language, title, icon: "done", content });
}

function introOf({ emailVerified, hasPassword }: CodeUser, texts: InitTexts): TitledText {
  if (hasPassword) return texts.confirm;
  return emailVerified ? texts.setPassword : texts.setUp;
}
