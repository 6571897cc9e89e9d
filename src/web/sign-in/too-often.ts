import type { Language } from "../../messages/languages.ts";
import { formatDelay } from "../frame/format-delay.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The parts of the response to a check that was rejected because of too many attempts. */
export function tooOften(retrySeconds: number, language: Language) {
  const text = SIGN_IN_TEXTS[language].errors.tooOften(formatDelay(retrySeconds, language));
  return { status: 429, text, headers: { "retry-after": String(retrySeconds) } } as const;
}
