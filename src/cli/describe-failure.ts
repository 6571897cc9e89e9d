import { DatabaseError } from "pg";
import { ConfigError } from "../config.ts";
import { isConnectionError } from "../database/failure.ts";
import { SignetError } from "../errors.ts";

/** What PostgreSQL refuses a connection or a command for, where somebody can mend it (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  "28000": "it refuses the user",
  "28P01": "it refuses the user or the password",
  "3D000": "it has no database of this name",
  "42P07": "another program has its tables there",
  "42501": "its user lacks a privilege there, such as to make tables",
  "53300": "it has too many connections already",
  "55000": "it accepts no connections at the moment",
  "57P03": "it is starting or stopping",
};

/**
 * What went wrong, in one line without secrets and rows, where whoever reads it can mend it; undefined for a fault of
 * Signet, of which the stack is wanted.
 */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof SignetError) {
    if (error.code === "internal") return undefined;
    return error.code === "unavailable" ? (describeFailure(error.cause) ?? error.message) : error.message;
  }
  if (error instanceof DatabaseError) {
    const refusal = REFUSALS[error.code ?? ""];
    return refusal && `the database at DATABASE_URL cannot be used: ${refusal} (SQLSTATE ${error.code})`;
  }
  // Errors of files name the path, and what was to be done with it.
  if (error instanceof Error && "path" in error) return error.message;
  return isConnectionError(error) ? `the database cannot be reached: ${messageOf(error)}` : undefined;
}

/** A host with several addresses gives one error for each (`AggregateError`), and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
