import { createHash } from "node:crypto";

const NAMES = new Map<string, string>();

/**
 * Has PostgreSQL prepare the statement with this text once per connection, under a name. For texts that are written in the
 * code, not for those that depend on a request: their number is bounded by nothing.
 */
export function nameStatement(text: string): void {
  NAMES.set(text, createHash("sha256").update(text).digest("base64url"));
}

/** The name of a statement; undefined for one that is parsed and planned each time, for its values. */
export function statementName(text: string): string | undefined {
  return NAMES.get(text);
}
