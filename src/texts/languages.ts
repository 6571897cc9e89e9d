import { DE } from "./de/de.ts";
import { EN, type Texts } from "./en/en.ts";
import { ES } from "./es/es.ts";
import { FR } from "./fr/fr.ts";

/** The list of languages: their BCP 47 tags, and all texts of messages and pages. */
export const TEXTS = { en: EN, de: DE, fr: FR, es: ES } satisfies Readonly<Record<string, Texts>>;

export type Language = keyof typeof TEXTS;

export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

/** The fallback if no preferred language is supported. */
export const DEFAULT_LANGUAGE: Language = "en";

/**
 * Returns the supported language that matches a BCP 47 tag by lookup (RFC 4647, section 3.4): `de` for `de-CH`.
 * Returns undefined if none matches or the tag is null.
 */
export function chooseLanguage(preferred: string | null): Language | undefined {
  const [primary] = preferred === null ? [] : canonicalize(preferred).split("-");
  // The supported tags have one subtag, so the last step of the lookup decides.
  return LANGUAGES.find((language) => language === primary);
}

/** Converts `deu` and `DE` to `de`. Returns an empty string for a malformed tag. */
function canonicalize(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "";
  } catch {
    return "";
  }
}
