import type { PageLanguage } from "../../texts/page-language.ts";
import { formatDelay } from "../frame/format-delay.ts";

/** The parts of the response to a check that was rejected because of too many attempts. */
export function tooOften(retrySeconds: number, language: PageLanguage) {
  const text = language.texts.signIn.errors.tooOften(formatDelay(retrySeconds, language));
  return { status: 429, text, headers: { "retry-after": String(retrySeconds) } } as const;
}
