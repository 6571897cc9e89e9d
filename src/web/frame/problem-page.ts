import { html } from "../../messages/html.ts";
import { formatDelay } from "./format-delay.ts";
import { jsonResponse } from "./json-response.ts";
import type { PageHeaders, PageRequest, PageResponse, Visit } from "./page.ts";
import { PROBLEM_TEXTS } from "./problem-texts.ts";
import { PAGE_PROBLEMS, type PageProblem } from "./problems.ts";
import { renderPage } from "./render-page.ts";

/**
 * The page that describes a problem. The response to a JSON POST is an object with the problem and a message instead.
 *
 * @param options `retrySeconds`: the delay before another attempt, for the text and the header `Retry-After`.
 */
export function problemPage(
  problem: PageProblem,
  { language, request }: Pick<Visit, "language" | "request">,
  { retrySeconds, headers }: { retrySeconds?: number; headers?: PageHeaders } = {},
): PageResponse {
  const texts = PROBLEM_TEXTS[language];
  const { title, text } = texts[problem];
  const status = PAGE_PROBLEMS[problem];
  const tryAgain = retrySeconds === undefined ? undefined : texts.tryAgain(formatDelay(retrySeconds, language));
  const allHeaders = { ...(retrySeconds !== undefined && { "retry-after": String(retrySeconds) }), ...headers };
  if (isJson(request)) {
    const parts = [`${title}.`, text, problem === "failed" && request.requestId, tryAgain];
    return jsonResponse(status, { code: problem, message: parts.filter(Boolean).join(" ") }, allHeaders);
  }
  return renderPage({
    status,
    language,
    title,
    icon: "problem",
    headers: allHeaders,
    content: html`<p>${text}</p>
${tryAgain !== undefined && html`<p>${tryAgain}</p>`}
${problem === "failed" && html`<p class="small">${texts.requestId} <code>${request.requestId}</code></p>`}`,
  });
}

function isJson({ method, headers }: PageRequest): boolean {
  return method === "POST" && /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
}
