import type { CodeUser, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import { TEXTS } from "../../texts/languages.ts";
import type { PageTexts, TitledText } from "../../texts/page-language.ts";
import { needsPassword } from "../../users/credentials/initialize-human.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { detailsList } from "../frame/details-list.ts";
import { PASSWORD_FIELD_SCRIPT } from "../frame/field.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import { newPasswordFields, type RefusedPassword } from "./new-password-fields.ts";

export const INIT_PATH = "/ui/init";

/** The form that confirms the address unless it is verified, and sets a password if none is stored. */
export function initPage(code: FoundCode, { language }: Visit, refused?: RefusedPassword): PageResponse {
  const texts = language.texts.links.init;
  const { user } = code;
  const { title, text } = introOf(user, texts);
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title,
    scripts: user.hasPassword ? [] : [PASSWORD_FIELD_SCRIPT],
    // Setting a password leads through the sign-in to the application.
    leadsAway: !user.hasPassword,
    content: html`<p>${text}</p>
${detailsList([
  [texts.name, user.displayName],
  [language.texts.frame.signInLink.userName, user.userName],
  [texts.email, user.email],
])}
<form method="post" action="${INIT_PATH}">
<input type="hidden" name="code" value="${code.text}">
${!user.hasPassword && newPasswordFields(user, language, { isRequired: needsPassword(code), refused })}
<button>${user.hasPassword ? texts.confirmButton : texts.finish}</button>
</form>`,
  });
}

/** What the form has done. */
export type InitDone = Exclude<keyof PageTexts["links"]["init"]["done"], "title">;

export function isInitDone(text: string): text is InitDone {
  return text !== "title" && Object.hasOwn(TEXTS.en.links.init.done, text);
}

/** The user of a link whose form is done. */
export interface InitializedUser extends Pick<FoundCode, "orgId" | "userId"> {
  readonly user: Pick<CodeUser, "hasPassword">;
}

/** @param signedIn Whether another user is signed in in this browser, whose session the sign-in would have to end. */
export function initDonePage(
  { user, orgId }: InitializedUser,
  { language }: Visit,
  done: InitDone,
  signedIn?: "other-user",
): PageResponse {
  const { done: texts, otherUser } = language.texts.links.init;
  const toOther = html`<p>${otherUser.text}</p>\n<p><a class="button" href="${ACCOUNT_PATH}">${otherUser.open}</a></p>`;
  const toSignIn = user.hasPassword ? signInLink(language, orgId) : undefined;
  const next = signedIn === "other-user" ? toOther : toSignIn;
  return notePage(language, { title: texts.title, text: texts[done] }, { icon: "done", next });
}

function introOf({ emailVerified, hasPassword }: CodeUser, texts: PageTexts["links"]["init"]): TitledText {
  if (hasPassword) return texts.confirm;
  return emailVerified ? texts.setPassword : texts.setUp;
}
