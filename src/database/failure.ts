import { DatabaseError } from "pg";
import { type Reason, SignetError } from "../errors.ts";

/** Constraints whose violation is an answer rather than a fault, and what the caller is told. */
const CONSTRAINTS = {
  orgs__name: { reason: "ORG_NAME_TAKEN", message: "name: is taken" },
  users__user_name: { reason: "USER_NAME_TAKEN", message: "userName: is taken in the organization" },
  user_idp_links__pkey: {
    reason: "IDP_LINK_TAKEN",
    message: "idps: an external user is already linked in the organization",
  },
} as const satisfies Record<string, { reason: Reason; message: string }>;

/**
 * What an error of the database means for the caller.
 *
 * The `cause` holds SQLSTATE, constraint and table alone, because the text of a database error quotes rows.
 */
export function toSignetError(error: unknown): SignetError {
  if (error instanceof SignetError) return error;
  const cause = withoutRows(error);
  if (error instanceof DatabaseError) {
    const answer = Object.entries(CONSTRAINTS).find(([name]) => name === error.constraint)?.[1];
    if (answer !== undefined) return new SignetError(answer.reason, answer.message, { cause });
    if (isConflict(error)) return new SignetError("ABORTED", "conflict with another change; try again", { cause });
    if (!isOutOfReach(error)) return new SignetError("INTERNAL", "internal error", { cause });
  } else if (!isConnectionError(error)) {
    return new SignetError("INTERNAL", "internal error", { cause });
  }
  return new SignetError("UNAVAILABLE", "the database cannot be reached; try again", { cause });
}

/** What a violation of `users__user_name` means, for a statement that returns no row instead of failing. */
export function userNameTaken(): SignetError {
  return new SignetError(CONSTRAINTS.users__user_name.reason, CONSTRAINTS.users__user_name.message);
}

/** Serialization failure or deadlock: the statement did nothing, and may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "40001" || error.code === "40P01");
}

/** Whether a `SignetError` is the answer of the database to a statement that it has undone, because of what it was to do. */
export function hasRolledBack(error: unknown): boolean {
  if (!(error instanceof SignetError) || !(error.cause instanceof SafeError)) return false;
  // 57014: it took longer than statement_timeout, such as at a locked row.
  return error.reason !== "UNAVAILABLE" || error.cause.code === "57014";
}

/** What the log may show of an error of the database. */
class SafeError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** An error of the database without the text that may quote rows; any other error as it is. */
export function withoutRows(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code, constraint, table, stack } = error;
  const safe = new SafeError(
    `SQLSTATE ${code}${constraint ? `, constraint ${constraint}` : ""}${table ? `, table ${table}` : ""}`,
    code,
  );
  // The first line of a stack repeats the message.
  safe.stack = [
    `DatabaseError: ${safe.message}`,
    ...(stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)),
  ].join("\n");
  return safe;
}

/** Errors of a database that cannot serve at the moment (PostgreSQL, appendix A). */
function isOutOfReach({ severity, code: sqlstate = "" }: DatabaseError): boolean {
  // It ended the session, or kept it from beginning: the password was changed, or the database refuses connections.
  if (severity === "FATAL" || severity === "PANIC") return true;
  const connection = sqlstate.startsWith("08");
  const resources = sqlstate.startsWith("53");
  // 57P01–57P05: shut down, starting up, dropped; 57014: cancelled by statement_timeout; 25006: a standby.
  return connection || resources || sqlstate.startsWith("57") || sqlstate === "25006";
}

/** Errors of `pg` and of the socket that carry no SQLSTATE: refused, reset, ended, or no connection free in time. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A host with several addresses, none of which answers.
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if ("syscall" in error) return true;
  return /^(timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|query read timeout|client was closed|cannot use a pool after calling end)/i.test(
    error.message,
  );
}
