import { SignetError } from "../../../errors.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn, type TextWith } from "../../../texts/placeholders.ts";
import { formatDelay } from "../../frame/format-time.ts";
import type { PageResponse } from "../../frame/page.ts";
import type { FormProblem } from "../account-step.ts";

interface TooSoonTexts {
  readonly tooOften: TextWith<"delay">;
  /** For a limit of the recipient, which other users may have reached. */
  readonly recipientTooOften: string;
}

/**
 * Makes a change that sends a message. After the error TOO_MANY_MESSAGES, shows the form again with the problem: that of the
 * field with the recipient, if the limit is that of the recipient.
 */
export async function unlessTooSoon(
  language: PageLanguage,
  { tooOften, recipientTooOften }: TooSoonTexts,
  change: () => Promise<PageResponse>,
  showAgain: (problem: FormProblem) => PageResponse,
): Promise<PageResponse> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof SignetError) || error.reason !== "TOO_MANY_MESSAGES") throw error;
    const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 0) / 1_000));
    const { field } = error.metadata;
    const text = field === undefined ? fillIn(tooOften, { delay: formatDelay(seconds, language) }) : recipientTooOften;
    return showAgain({ text, field, status: 429, headers: { "retry-after": String(seconds) } });
  }
}
