import { SignetError } from "../../../errors.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn, type TextWith } from "../../../texts/placeholders.ts";
import { formatDelay } from "../../frame/format-time.ts";
import type { FormProblem } from "../account-step.ts";

interface TooSoonTexts {
  readonly tooOften: TextWith<"delay">;
  /** For a limit of the recipient, which other users may have reached. */
  readonly recipientTooOften: string;
}

/**
 * The problem of a form after the error TOO_MANY_MESSAGES: of the field with the recipient, if the limit is that of the
 * recipient.
 *
 * @returns Undefined for any other error.
 */
export function tooSoon(
  error: unknown,
  language: PageLanguage,
  { tooOften, recipientTooOften }: TooSoonTexts,
): FormProblem | undefined {
  if (!(error instanceof SignetError) || error.reason !== "TOO_MANY_MESSAGES") return undefined;
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 0) / 1_000));
  const { field } = error.metadata;
  const text = field === undefined ? fillIn(tooOften, { delay: formatDelay(seconds, language) }) : recipientTooOften;
  return { text, field, status: 429, headers: { "retry-after": String(seconds) } };
}
