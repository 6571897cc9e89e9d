import { type Language, TEXTS } from "../../texts/languages.ts";
import { formatDelay } from "../frame/format-delay.ts";

/** The parts of the response to a check that was rejected because of too many attempts. */
export function tooOften(retrySeconds: number, language: Language) {
  const text = TEXTS[language].signIn.errors.tooOften(formatDelay(retrySeconds, language));
  return { status: 429, text, headers: { "retry-after": String(retrySeconds) } } as const;
}
