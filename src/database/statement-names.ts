import { createHash } from "node:crypto";

const NAMES = new Map<string, string>();

/**
 * Makes PostgreSQL prepare the statement with this text once per connection, under a name. Only for constant SQL: the
 * number of statements that depend on requests is unbounded.
 */
export function nameStatement(text: string): void {
  NAMES.set(text, createHash("sha256").update(text).digest("base64url"));
}

/** The name of a statement; undefined for a statement that is parsed and planned each time. */
export function statementName(text: string): string | undefined {
  return NAMES.get(text);
}
