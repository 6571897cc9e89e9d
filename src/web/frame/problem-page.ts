import { html } from "../../html.ts";
import type { PageProblem } from "../../texts/en/frame.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { formatDelay } from "./format-time.ts";
import type { PageHeaders, PageRequest, PageResponse } from "./page.ts";
import { renderInBranding } from "./render-page.ts";
import { jsonResponse } from "./responses.ts";
import { signInLink } from "./sign-in-link.ts";

/** The parts of a visit that a problem page needs. */
export interface ProblemVisit {
  readonly language: PageLanguage;
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
  const status = STATUS[problem];
  const allHeaders = { ...(retrySeconds !== undefined && { "retry-after": String(retrySeconds) }), ...headers };
  const describe = ({ tag, texts: { frame } }: PageLanguage) => {
    const tryAgain =
      retrySeconds === undefined
        ? undefined
        : fillIn(frame.problems.tryAgain, { delay: formatDelay(retrySeconds, { tag }) });
    return { ...frame.problems[problem], tryAgain };
  };
  if (isJson(request)) {
    const { title, text, tryAgain } = describe(language);
    const parts = [`${title}.`, text, details, problem === "failed" && request.requestId, tryAgain];
    return jsonResponse(status, { code: problem, message: parts.filter(Boolean).join(" ") }, allHeaders);
  }
  return renderInBranding(language.tag, (shown) => {
    const { title, text, tryAgain } = describe(shown);
    const { problems } = shown.texts.frame;
    const content = html`<p>${text}</p>
${tryAgain !== undefined && html`<p>${tryAgain}</p>`}
${details !== undefined && html`<p class="small">${problems.details} <code>${details}</code></p>`}
${(problem === "invalid-link" || problem === "not-found") && signInLink(shown, undefined)}
${problem === "failed" && html`<p class="small">${problems.requestId} <code>${request.requestId}</code></p>`}`;
    return { status, title, icon: "problem", headers: allHeaders, content };
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
