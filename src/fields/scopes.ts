/**
 * Splits a text with one or several scopes (RFC 6749, section 3.3: separated by spaces). A text without a scope has one
 * empty scope.
 */
export function splitScopes(text: string): string[] {
  const scopes = text.split(" ").filter((scope) => scope !== "");
  return scopes.length === 0 ? [""] : scopes;
}

/** Characters. */
const LONGEST_SCOPE = 500;

/**
 * Describes what is wrong with an OAuth scope, as the end of a sentence about it; undefined for a scope-token of RFC
 * 6749, section 3.3, of at most 500 characters.
 */
export function describeScopeProblem(scope: string): string | undefined {
  if (scope === "") return "must not be empty";
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) {
    return 'must be scopes of printable ASCII characters without " and \\, separated by spaces (RFC 6749, section 3.3)';
  }
  if (scope.length > LONGEST_SCOPE)
    return `must have at most ${LONGEST_SCOPE} characters per scope, has ${scope.length}`;
  return undefined;
}

/** Removes duplicate scopes, keeping the first of each, in order. Scopes are case-sensitive. */
export function uniqueScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes)];
}
