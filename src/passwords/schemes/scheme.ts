/** One family of password hashes. Verifying the most expensive hash that it accepts takes less than 10 s and 1 GiB. */
export interface Scheme<Parsed> {
  /** For messages. */
  readonly name: string;
  /** What stands between the first two dollar signs. */
  readonly identifiers: readonly string[];
  /** Parses a whole value that begins with one of the identifiers. */
  parse(value: string): ParseResult<Parsed>;
}

/** A problem is a phrase that follows the name of the field. It never contains a part of the salt or the hash. */
export type ParseResult<Parsed> =
  | { readonly ok: true; readonly hash: Parsed }
  | { readonly ok: false; readonly problem: string };

/** The result for a value that does not have the form of its scheme. Forms have placeholders in angle brackets. */
export function incomplete(name: string, ...forms: string[]): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: `must be a complete ${name} hash: ${forms.join(" or ")}` };
}

/** The parsed hash, unless there is a problem with its parts. */
export function unlessProblem<Parsed>(problem: string | undefined, hash: Parsed): ParseResult<Parsed> {
  return problem === undefined ? { ok: true, hash } : { ok: false, problem };
}
