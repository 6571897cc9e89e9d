import { LANGUAGES, type Language } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** A format takes much longer to create than to use, and the account page has hundreds of times. */
const DAYS = createFormats({ dateStyle: "medium" });
const TIMES = createFormats({ dateStyle: "medium", timeStyle: "short" });

/** A day in UTC, such as "Nov 3, 2026". */
export function formatDay(language: PageLanguage, time: Date | string): string {
  return DAYS[language.tag].format(new Date(time));
}

/** Day and time in UTC, such as "Nov 3, 2026, 4:05 PM UTC". */
export function formatTime(language: PageLanguage, time: Date): string {
  return `${TIMES[language.tag].format(time)} UTC`;
}

function createFormats(options: Intl.DateTimeFormatOptions): Readonly<Record<Language, Intl.DateTimeFormat>> {
  const formats = LANGUAGES.map((tag) => [tag, new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" })] as const);
  return Object.fromEntries(formats) as Record<Language, Intl.DateTimeFormat>;
}
