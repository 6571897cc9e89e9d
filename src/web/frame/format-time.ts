import type { Language } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** Creating a format takes much longer than using one, and the account page has hundreds of times. */
const dayFormat = createFormats({ dateStyle: "medium" });
const timeFormat = createFormats({ dateStyle: "medium", timeStyle: "short" });

/** A day in UTC, such as "Nov 3, 2026". */
export function formatDay(language: PageLanguage, time: Date | string): string {
  return dayFormat(language.tag).format(new Date(time));
}

/** Day and time in UTC, such as "Nov 3, 2026, 4:05 PM UTC". */
export function formatTime(language: PageLanguage, time: Date): string {
  return `${timeFormat(language.tag).format(time)} UTC`;
}

/** Creates the format of a language on first use: eight of them took 36 ms, which a start need not wait for. */
function createFormats(options: Intl.DateTimeFormatOptions): (tag: Language) => Intl.DateTimeFormat {
  const formats = new Map<Language, Intl.DateTimeFormat>();
  return (tag) => {
    const format = formats.get(tag) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" });
    formats.set(tag, format);
    return format;
  };
}
