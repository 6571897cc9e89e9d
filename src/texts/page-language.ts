import { type Language, TEXTS } from "./languages.ts";
import { hasItsPlaceholders, namesOf } from "./page-text-keys.ts";
import { fillIn } from "./placeholders.ts";
import type { PageTexts } from "./shapes/texts.ts";

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
  const usable = new Map(Object.entries(replaced).filter(([key, text]) => hasItsPlaceholders(key, text)));
  if (usable.size === 0) return builtInLanguage(tag);
  const { messages: _, ...texts } = TEXTS[tag];
  // Each text keeps its key and its type, which the compiler cannot see.
  return { tag, texts: replaceIn(texts, "", usable) as PageTexts };
}

function replaceIn(part: unknown, key: string, usable: ReadonlyMap<string, string>): unknown {
  if (typeof part === "object" && part !== null) {
    const entries = Object.entries(part);
    const replaced = entries.map(([name, inner]) => [
      name,
      replaceIn(inner, key === "" ? name : `${key}.${name}`, usable),
    ]);
    // Parts without replaced texts are shared, because thousands of organizations may have one text of the instance.
    return replaced.every(([, inner], index) => inner === entries[index]?.[1]) ? part : Object.fromEntries(replaced);
  }
  const text = usable.get(key);
  if (text === undefined) return part;
  if (typeof part !== "function") return text;
  const names = namesOf(key);
  return (...values: readonly unknown[]) =>
    fillIn(text, Object.fromEntries(names.map((name, index) => [name, String(values[index])])));
}
