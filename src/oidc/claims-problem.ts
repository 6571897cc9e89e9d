/** Those of OpenID Connect Core 1.0, section 5.5, have four. Each takes some of the stack, here and in JSON.stringify. */
const MAX_CLAIMS_LEVELS = 20;

/**
 * Returns why claims cannot be used, as the end of a sentence: they are nested too deeply, or contain a character that
 * PostgreSQL cannot store.
 *
 * @param level Of the given claims.
 */
export function describeClaimsProblem(claims: object, level = 1): string | undefined {
  if (level > MAX_CLAIMS_LEVELS) return `must not have more than ${MAX_CLAIMS_LEVELS} levels`;
  for (const part of Object.entries(claims).flat() as unknown[]) {
    if (typeof part === "string" && (!part.isWellFormed() || part.includes("\0"))) {
      return "must not contain NUL or an incomplete surrogate pair";
    }
    const problem = typeof part === "object" && part !== null ? describeClaimsProblem(part, level + 1) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
