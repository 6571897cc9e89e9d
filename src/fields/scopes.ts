/**
 * Describes what is wrong with an OAuth scope, as the end of a sentence about it; undefined for a scope-token of RFC
 * 6749, section 3.3. The schema limits its length.
 */
export function describeScopeProblem(scope: string): string | undefined {
  if (scope === "") return "must not be empty";
  if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) return undefined;
  return 'must be a single scope of printable ASCII characters without space, " and \\ (RFC 6749, section 3.3)';
}

/** Removes duplicate scopes, keeping the first of each, in order. Scopes are case-sensitive. */
export function uniqueScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes)];
}
