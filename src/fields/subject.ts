/**
 * Describes what is wrong with the subject of a user, as the end of a sentence about it; undefined if it is accepted. The
 * schema bounds its length (OpenID Connect Core 1.0, section 2: at most 255 ASCII characters).
 */
export function describeSubjectProblem(subject: string): string | undefined {
  return /^[ -~]*$/.test(subject) ? undefined : "must consist of printable ASCII characters";
}
