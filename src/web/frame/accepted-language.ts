import type { IncomingHttpHeaders } from "node:http";
import Negotiator from "negotiator";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../../texts/languages.ts";

/** Browsers send fewer characters. 16 KiB of languages took 5 ms. */
const MAX_LENGTH = 200;

/** The supported language that the browser prefers, according to the first characters of `Accept-Language`. */
export function acceptedLanguage(headers: IncomingHttpHeaders): Language {
  const [accepted] = createNegotiator(headers).languages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? DEFAULT_LANGUAGE;
}

function createNegotiator(headers: IncomingHttpHeaders): Negotiator {
  return new Negotiator({ headers: { "accept-language": headers["accept-language"]?.slice(0, MAX_LENGTH) } });
}

/**
 * The region of the browser's user, such as `CH`: that of the preferred language tag in `Accept-Language`, or else the
 * most likely one of its language.
 */
export function acceptedRegion(headers: IncomingHttpHeaders): string | undefined {
  // It need not be a language tag.
  const [tag = ""] = createNegotiator(headers).languages();
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    return undefined;
  }
}
