import { html } from "../messages/html.ts";
import type { Language } from "../messages/languages.ts";
import type { PageRequest, PageResponse } from "./page.ts";
import { PROBLEM_TEXTS } from "./problem-texts.ts";
import { PROBLEMS, type Problem } from "./problems.ts";
import { renderPage } from "./render-page.ts";
import { whenToTry } from "./when-to-try.ts";

/** @param options `retrySeconds`: after what time to try again, told in words and as `Retry-After`. */
export function problemPage(
  problem: Problem,
  { language, request }: { language: Language; request: PageRequest },
  { retrySeconds, headers }: { retrySeconds?: number; headers?: Readonly<Record<string, string>> } = {},
): PageResponse {
  const texts = PROBLEM_TEXTS[language];
  const { title, text } = texts[problem];
  return renderPage({
    status: PROBLEMS[problem],
    language,
    title,
    mood: "problem",
    headers: { ...(retrySeconds !== undefined && { "retry-after": String(retrySeconds) }), ...headers },
    content: html`<p>${text}</p>
${retrySeconds !== undefined && html`<p>${texts.tryAgain(whenToTry(retrySeconds, language))}</p>`}
${problem === "failed" && html`<p class="small">${texts.requestId} <code>${request.requestId}</code></p>`}`,
  });
}
