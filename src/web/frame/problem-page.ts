import { html } from "../../html.ts";
import { type Language, TEXTS } from "../../texts/languages.ts";
import type { PageProblem } from "../../texts/shapes/frame-texts.ts";
import { ACCOUNT_PATH } from "./account-app.ts";
import { formatDelay } from "./format-delay.ts";
import { jsonResponse } from "./json-response.ts";
import type { PageHeaders, PageRequest, PageResponse } from "./page.ts";
import { renderPage } from "./render-page.ts";

/** The parts of a visit that a problem page needs. */
export interface ProblemVisit {
  readonly language: Language;
  readonly request: Pick<PageRequest, "method" | "headers" | "requestId">;
}

/**
 * The page that describes a problem. The response to a JSON POST is an object with the problem and a message instead.
 *
 * @param options `retrySeconds`: the delay before another attempt, for the text and the header `Retry-After`. `details`:
 *   what is wrong, in English.
 */
export function problemPage(
  problem: PageProblem,
  { language, request }: ProblemVisit,
  { retrySeconds, details, headers }: { retrySeconds?: number; details?: string; headers?: PageHeaders } = {},
): PageResponse {
  const texts = TEXTS[language].frame.problems;
  const { title, text } = texts[problem];
  const status = STATUS[problem];
  const tryAgain = retrySeconds === undefined ? undefined : texts.tryAgain(formatDelay(retrySeconds, language));
  const allHeaders = { ...(retrySeconds !== undefined && { "retry-after": String(retrySeconds) }), ...headers };
  if (isJson(request)) {
    const parts = [`${title}.`, text, details, problem === "failed" && request.requestId, tryAgain];
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
${details !== undefined && html`<p class="small">${texts.details} <code>${details}</code></p>`}
${problem === "invalid-link" && html`<p><a class="button" href="${ACCOUNT_PATH}">${TEXTS[language].frame.signInLink.signIn}</a></p>`}
${problem === "failed" && html`<p class="small">${texts.requestId} <code>${request.requestId}</code></p>`}`,
  });
}

const STATUS: Readonly<Record<PageProblem, number>> = {
  "invalid-link": 404,
  "blocked-user": 403,
  "not-found": 404,
  "wrong-method": 405,
  foreign: 403,
  "wrong-type": 415,
  unreadable: 400,
  malformed: 400,
  "too-slow": 408,
  "too-large": 413,
  "too-many": 429,
  failed: 500,
  unavailable: 503,
};

function isJson({ method, headers }: ProblemVisit["request"]): boolean {
  return method === "POST" && /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
}
