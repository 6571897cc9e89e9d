import type { Texts } from "./en/en.ts";
import { LANGUAGES, type Language, TEXTS } from "./languages.ts";
import { placeholdersIn } from "./placeholders.ts";

/** The texts of pages. */
export type PageTexts = Omit<Texts, "messages">;

/** A heading, and the text below it. */
export type TitledText = PageTexts["links"]["init"]["used"];

/** The language of a page, and its texts, of which the owner of the branding may have replaced some. */
export interface PageLanguage {
  /** The BCP 47 tag. */
  readonly tag: Language;
  readonly texts: PageTexts;
}

/** Replaced texts of pages in a language, with their placeholders, by key (see `PAGE_TEXT_KEYS`). */
export type ReplacedTexts = Readonly<Record<string, string>>;

/** A language with its built-in texts. */
export function builtInLanguage(tag: Language): PageLanguage {
  return { tag, texts: TEXTS[tag] };
}

/** A language in which some texts are replaced. Texts of an older version, which no longer fit, are left out. */
export function replaceTexts(tag: Language, replaced: ReplacedTexts): PageLanguage {
  const usable = Object.entries(replaced).filter(([key, text]) => hasItsPlaceholders(key, text));
  // Parts without replaced texts are shared, because thousands of organizations may have one text of the instance.
  const texts = usable.reduce<unknown>((part, [key, text]) => replaceAt(part, key.split("."), text), TEXTS[tag]);
  // Each text keeps its key and its placeholders, which the compiler cannot see.
  return { tag, texts: texts as PageTexts };
}

function replaceAt(part: unknown, [name, ...path]: readonly string[], text: string): unknown {
  // The forms of a text for numbers are replaced by one.
  if (name === undefined) return typeof part === "string" ? text : { one: text, other: text };
  const parts = part as Readonly<Record<string, unknown>>;
  return { ...parts, [name]: replaceAt(parts[name], path, text) };
}

/** The texts of pages in each language, with their placeholders, by key: the path in `PageTexts`, with dots. */
const ORIGINALS = new Map(
  LANGUAGES.map((tag) => {
    const { messages: _, ...texts } = TEXTS[tag];
    return [tag, new Map(listTexts(texts, ""))];
  }),
);

/** The keys of all texts of pages, such as `signIn.submit`. */
export const PAGE_TEXT_KEYS: readonly string[] = [...(ORIGINALS.get("en")?.keys() ?? [])];

/** The built-in text of a key, with its placeholders; undefined for an unknown key. */
export function originalText(tag: Language, key: string): string | undefined {
  return ORIGINALS.get(tag)?.get(key);
}

/** The names of the placeholders of the text of a key. */
export function namesOf(key: string): readonly string[] {
  return [...new Set(placeholdersIn(originalText("en", key) ?? ""))];
}

/** Whether a text can replace the one of a key: it has each of its placeholders, and no other. */
export function hasItsPlaceholders(key: string, text: string): boolean {
  const names = namesOf(key);
  const used = new Set(placeholdersIn(text));
  return originalText("en", key) !== undefined && used.size === names.length && names.every((name) => used.has(name));
}

/** Of a text with forms for numbers, lists the one for most numbers. */
function listTexts(parts: object, prefix: string): [key: string, text: string][] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const text = typeof part === "object" && "one" in part ? part.other : part;
    return typeof text === "string" ? [[prefix + name, text]] : listTexts(text, `${prefix}${name}.`);
  });
}
