import { html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { jsonResponse } from "./json-response.ts";
import type { PageRequest, PageResponse } from "./page.ts";
import { PROBLEM_TEXTS } from "./problem-texts.ts";
import { PROBLEMS, type Problem } from "./problems.ts";
import { renderPage } from "./render-page.ts";
import { whenToTry } from "./when-to-try.ts";

/**
 * The page that says what is wrong; or, to a script that sent JSON, an object with the problem and a message in words.
 *
 * @param options `retrySeconds`: after what time to try again, told in words and as `Retry-After`.
 */
export function problemPage(
  problem: Problem,
  { language, request }: { language: Language; request: PageRequest },
  { retrySeconds, headers }: { retrySeconds?: number; headers?: Readonly<Record<string, string>> } = {},
): PageResponse {
  const texts = PROBLEM_TEXTS[language];
  const { title, text } = texts[problem];
  const status = PROBLEMS[problem];
  const tryAgain = retrySeconds === undefined ? undefined : texts.tryAgain(whenToTry(retrySeconds, language));
  const allHeaders = { ...(retrySeconds !== undefined && { "retry-after": String(retrySeconds) }), ...headers };
  if (isJson(request)) {
    const parts = [`${title}.`, text, problem === "failed" && request.requestId, tryAgain];
    return jsonResponse(status, { code: problem, message: parts.filter(Boolean).join(" ") }, allHeaders);
  }
  return renderPage({
    status,
    language,
    title,
    mood: "problem",
    headers: allHeaders,
    content: html`<p>${text}</p>
${tryAgain !== undefined && html`<p>${tryAgain}</p>`}
${problem === "failed" && html`<p class="small">${texts.requestId} <code>${request.requestId}</code></p>`}`,
  });
}

function isJson({ method, headers }: PageRequest): boolean {
  return method === "POST" && /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
}
