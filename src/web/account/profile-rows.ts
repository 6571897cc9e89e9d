import { type Html, html } from "../../html.ts";
import type { Language } from "../../texts/languages.ts";
import type { AccountVisit } from "./account-parts.ts";
import { PATHS } from "./paths.ts";
import { actionLink, type Row } from "./rows.ts";

/** The name of an organization that exists everywhere and means nothing to users. */
const DEFAULT_ORG = "default";

/** Who the user is, and how to reach the user. */
export function profileRows({ language, account }: AccountVisit): readonly Row[] {
  const texts = language.texts.account;
  const { actions } = texts;
  const { email, emailVerified, nextEmail, phone, phoneVerified, orgName } = account;
  const change = (path: string, what: string, label = actions.change) => [actionLink(path, label, what)];
  const phoneLabel = phone === null ? actions.add : actions.change;
  return [
    { term: texts.name, value: account.displayName, actions: change(PATHS.name, texts.name) },
    { term: texts.userName, value: account.userName, actions: change(PATHS.userName, texts.userName) },
    {
      term: texts.email,
      value: html`${email}${!emailVerified && unverified(texts.unverified)}`,
      note: nextEmail === null ? undefined : texts.nextEmail(nextEmail),
      actions: change(PATHS.email, texts.email),
    },
    {
      term: texts.phone,
      value: phone === null ? texts.none : html`${phone}${!phoneVerified && unverified(texts.unverified)}`,
      actions: change(PATHS.phone, texts.phone, phoneLabel),
    },
    {
      term: texts.language,
      value: languageName(language.tag, account.preferred_language) ?? texts.browserLanguage,
      actions: change(PATHS.language, texts.language),
    },
    ...(orgName === DEFAULT_ORG ? [] : [{ term: texts.org, value: orgName }]),
  ];
}

/** The name of a language in another one; undefined without a tag. */
export function languageName(language: Language, tag: string | null): string | undefined {
  return tag === null ? undefined : new Intl.DisplayNames(language, { type: "language" }).of(tag);
}

function unverified(text: string): Html {
  return html`<br><span class="small">${text}</span>`;
}
