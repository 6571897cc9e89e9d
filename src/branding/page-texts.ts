import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import { PAGE_TEXT_KEYS, type PageLanguage, type ReplacedTexts, replaceTexts } from "../texts/page-language.ts";

/** The replaced texts of pages, by language. */
export type PageTextsByLanguage = Readonly<Partial<Record<Language, ReplacedTexts>>>;

/**
 * The texts that only the instance can replace. Those of `oidc` are on pages that belong to no organization. By the
 * others, people decide about a link to an external account: an organization could otherwise swap the labels of "link"
 * and "do not link", and gain the account of a user with more roles than its own members.
 */
const OF_INSTANCE = [
  "oidc.",
  "signIn.idp.unknown.",
  "signIn.idp.linked.",
  "signIn.idp.linkNotice",
  "signIn.idp.confirm.",
];

/** Whether a text of pages can be replaced by an owner of a kind. */
export function isReplaceable(key: string, kind: Owner["kind"]): boolean {
  return kind === "instance" || !OF_INSTANCE.some((prefix) => key.startsWith(prefix));
}

/** The keys of the texts that an owner of a kind can replace. */
export function keysOf(kind: Owner["kind"]): readonly string[] {
  return PAGE_TEXT_KEYS.filter((key) => isReplaceable(key, kind));
}

/**
 * Returns a function that returns a language with the texts of owners, each of which replaces those of the ones before
 * it.
 */
export function createLanguages(owners: readonly PageTextsByLanguage[]): (tag: Language) => PageLanguage {
  const made = new Map<Language, PageLanguage>();
  return (tag) => {
    const known = made.get(tag);
    if (known !== undefined) return known;
    const language = replaceTexts(tag, Object.assign({}, ...owners.map((texts) => texts[tag])));
    made.set(tag, language);
    return language;
  };
}
