import type { PageLanguage } from "../../texts/page-language.ts";

/** A day in UTC, such as "Nov 3, 2026". */
export function formatDay(language: PageLanguage, time: Date | string): string {
  return new Intl.DateTimeFormat(language.tag, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
}

/** Day and time in UTC, such as "Nov 3, 2026, 4:05 PM UTC". */
export function formatTime(language: PageLanguage, time: Date): string {
  const format = new Intl.DateTimeFormat(language.tag, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(time)} UTC`;
}
