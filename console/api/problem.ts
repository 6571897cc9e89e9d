import { readError } from "../../clients/typescript/src/web.ts";

/** A failed call, for the page. */
export interface Problem {
  /** Of the API; undefined if it was not reached. */
  readonly reason: string | undefined;
  /** What the API says. */
  readonly message: string;
  /** What is wrong with the fields of the request, by their JSON path; empty if the reason says it. */
  readonly fields: ReadonlyMap<string, string>;
  readonly requestId: string | undefined;
  /** The user who has what was entered, if the caller may know. */
  readonly takenBy?: string | undefined;
}

class StaleError extends Error {}

/** @throws StaleError if an object is no longer what the page has loaded, so that nothing is overwritten. */
export function requireUnchanged(latest: object | undefined, stored: object): void {
  if (latest !== undefined && JSON.stringify(latest) !== JSON.stringify(stored)) throw new StaleError();
}

/** The reason of a `StaleError`, which the API does not have. */
export const STALE = "STALE";

export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof StaleError) return { reason: STALE, message: STALE, fields: new Map(), requestId: undefined };
  const { reason, message, violations, requestId, metadata } = readError(thrown);
  const named = (metadata.field ?? "").split(/, */).filter((field) => field !== "");
  const fields = new Map([
    ...named.map((field) => [field, ""] as const),
    ...violations.map(({ field, description }) => [field, description] as const),
  ]);
  const takenBy = reason === "USER_NAME_TAKEN" ? metadata.userId : undefined;
  return { reason, message, fields, requestId, takenBy };
}

/** Whether the token is no longer valid: it has expired, or its session has ended. */
export function isSignedOut({ reason }: Problem): boolean {
  return reason === "TOKEN_INVALID" || reason === "TOKEN_MISSING";
}
