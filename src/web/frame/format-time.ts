import type { Language } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** A delay in words, such as "in 5 minutes"; rounded up. */
export function formatDelay(seconds: number, language: Pick<PageLanguage, "tag">): string {
  const format = new Intl.RelativeTimeFormat(language.tag);
  if (seconds < 60) return format.format(Math.max(1, Math.ceil(seconds)), "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? format.format(minutes, "minute") : format.format(Math.ceil(minutes / 60), "hour");
}

/** Whole seconds until a time, at least one: a value for `Retry-After`. */
export function secondsUntil(at: Date, now: Date): number {
  return Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000));
}

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
