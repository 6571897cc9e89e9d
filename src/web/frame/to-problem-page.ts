import { type Reason, SignetError } from "../../errors.ts";
import type { PageProblem } from "../../texts/en/frame.ts";
import type { PageResponse } from "./page.ts";
import { type ProblemVisit, problemPage } from "./problem-page.ts";

const PROBLEMS: Partial<Record<Reason, PageProblem>> = {
  INVALID_ARGUMENT: "malformed",
  PATH_NOT_FOUND: "not-found",
  METHOD_NOT_ALLOWED: "wrong-method",
  CONTENT_TYPE_UNSUPPORTED: "wrong-type",
  BODY_TOO_LARGE: "too-large",
  DEADLINE_EXCEEDED: "too-slow",
  TOO_MANY_REQUESTS: "too-many",
  UNAVAILABLE: "unavailable",
  ABORTED: "unavailable",
};

/** The page for an error. An error that is not the client's is its cause, for the log. */
export function toProblemPage(error: unknown, visit: ProblemVisit): PageResponse {
  const problem = error instanceof SignetError ? PROBLEMS[error.reason] : undefined;
  if (!(error instanceof SignetError) || problem === undefined) {
    return { ...problemPage("failed", visit), cause: error };
  }
  switch (problem) {
    case "malformed":
      return problemPage(problem, visit, { details: error.message });
    case "too-many":
      return problemPage(problem, visit, { retrySeconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) });
    case "unavailable":
      return { ...problemPage(problem, visit, { retrySeconds: 10 }), cause: error };
    default:
      return problemPage(problem, visit);
  }
}
