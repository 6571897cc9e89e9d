import { SignetError } from "../../errors.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { formatDelay } from "../frame/format-delay.ts";
import type { FormProblem } from "./account-step.ts";

/**
 * The problem of a form after the error TOO_MANY_MESSAGES.
 *
 * @returns Undefined for any other error.
 */
export function tooSoon(
  error: unknown,
  language: PageLanguage,
  tooOften: (delay: string) => string,
): FormProblem | undefined {
  if (!(error instanceof SignetError) || error.reason !== "TOO_MANY_MESSAGES") return undefined;
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 0) / 1_000));
  return { text: tooOften(formatDelay(seconds, language)), status: 429, headers: { "retry-after": String(seconds) } };
}
