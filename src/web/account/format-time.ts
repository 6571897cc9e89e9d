import type { Language } from "../../texts/languages.ts";

/** A day in UTC, such as "Nov 3, 2026". */
export function formatDay(language: Language, time: Date | string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
}

/** Day and time in UTC, such as "Nov 3, 2026, 4:05 PM UTC". */
export function formatTime(language: Language, time: Date): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(time)} UTC`;
}
