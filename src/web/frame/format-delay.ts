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
