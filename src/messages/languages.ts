/** The languages of messages and pages. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language where nothing says which one is preferred. */
export const DEFAULT_LANGUAGE: Language = "en";

/**
 * The language for a user's preferred one, a BCP 47 tag, by lookup (RFC 4647, section 3.4): `de-CH` gives `de`.
 * Undefined where there is none of ours, or no preference.
 */
export function chooseLanguage(preferred: string | null): Language | undefined {
  const [primary] = preferred === null ? [] : canonicalize(preferred).split("-");
  // Ours have one subtag, so that the last step of the lookup decides.
  return LANGUAGES.find((language) => language === primary);
}

/** Gives `deu` and `DE` as `de`; no text at all for what is no tag. */
function canonicalize(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "";
  } catch {
    return "";
  }
}
