import { DatabaseError } from "pg";
import { ConfigError } from "../config.ts";
import { isConnectionError } from "../database/failure.ts";
import { describeTlsError } from "../database/tls-errors.ts";
import { SignetError } from "../errors.ts";

/** SQLSTATEs that the operator can act on (PostgreSQL documentation, appendix A). */
const OPERATOR_ERRORS: Readonly<Record<string, string>> = {
  "25006": "it is read-only",
  "28000": "the server rejects the user",
  "28P01": "wrong user or password",
  "3D000": "no database has this name",
  "42P07": "it contains tables of another application",
  "42501": "the user lacks a privilege, such as CREATE",
  "53300": "too many connections",
  "55P03": "another transaction, such as a backup, holds a lock for too long",
  "55000": "it does not accept connections at the moment",
  "57014": "a statement took too long, such as one that waits for another process",
  "57P03": "it is starting up or shutting down",
};

/**
 * Describes an error that the operator can fix, in one line without secrets and row data. Returns undefined for any
 * other error, for which the caller prints the stack.
 *
 * @param database The name of the database in the description.
 */
export function describeFailure(error: unknown, database?: string): string | undefined {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof SignetError) {
    if (error.code === "internal") return undefined;
    return error.code === "unavailable" ? (describeFailure(error.cause, database) ?? error.message) : error.message;
  }
  if (error instanceof DatabaseError) {
    const problem = OPERATOR_ERRORS[error.code ?? ""] ?? describeConnectionException(error);
    return problem && `cannot use ${database ?? "the database at DATABASE_URL"}: ${problem} (SQLSTATE ${error.code})`;
  }
  const tlsProblem = describeTlsError(error);
  if (tlsProblem !== undefined) return `cannot use ${database ?? "the database at DATABASE_URL"}: ${tlsProblem}`;
  // The message of a file system error names the path and the operation.
  if (error instanceof Error && "path" in error) return error.message;
  return isConnectionError(error) ? `${database ?? "the database"} cannot be reached: ${messageOf(error)}` : undefined;
}

/** Class 08, which poolers use to refuse connections. Such messages do not quote rows. */
function describeConnectionException({ code = "", message }: DatabaseError): string | undefined {
  return code.startsWith("08") ? message.split("\n", 1)[0] : undefined;
}

/**
 * For a host with several addresses, the error is an `AggregateError` without a message, with one error per address.
 */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
