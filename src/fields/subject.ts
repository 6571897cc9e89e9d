/**
 * Describes what is wrong with the subject of a user, as the end of a sentence about it; undefined if it is accepted. The
 * schema bounds its length (OpenID Connect Core 1.0, section 2: at most 255 ASCII characters). A space at an end is a
 * mistake, and would make two users of one subject.
 */
export function describeSubjectProblem(subject: string): string | undefined {
  if (!/^[ -~]*$/.test(subject)) return "must consist of printable ASCII characters";
  return /^ | $/.test(subject) ? "must not begin or end with a space" : undefined;
}
