import { readError } from "../../clients/typescript/src/web.ts";

/** A failed call, for the page. */
export interface Problem {
  /** Of the API; undefined if it was not reached. */
  readonly reason: string | undefined;
  /** What the API says. */
  readonly message: string;
  /** What is wrong with the fields of the request, by their JSON path. */
  readonly fields: ReadonlyMap<string, string>;
  readonly requestId: string | undefined;
}

/** Thrown instead of overwriting what somebody else has changed since the page was loaded. */
export class StaleError extends Error {}

/** The reason of a `StaleError`, which the API does not have. */
export const STALE = "STALE";

export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof StaleError) {
    return { reason: STALE, message: thrown.message, fields: new Map(), requestId: undefined };
  }
  const { reason, message, violations, requestId } = readError(thrown);
  const fields = new Map(violations.map(({ field, description }) => [field, description]));
  return { reason, message, fields, requestId };
}

/** Whether the token is no longer valid: it has expired, or its session has ended. */
export function isSignedOut({ reason }: Problem): boolean {
  return reason === "TOKEN_INVALID" || reason === "TOKEN_MISSING";
}
