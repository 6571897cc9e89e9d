import { timingSafeEqual } from "node:crypto";

/** One family of password hashes. Verifying the most expensive hash that it accepts takes less than 10 s and 1.1 GiB. */
export interface Scheme<Parsed> {
  /** For messages. */
  readonly name: string;
  /** How a value begins; nothing else tells schemes apart. Names in braces are compared regardless of case. */
  readonly prefixes: readonly string[];
  /** Parses a whole value that begins with one of the prefixes. */
  parse(value: string): ParseResult<Parsed>;
  /**
   * Whether a hash that `parse` returned is that of a password. Blocks its thread. The comparison takes the same time
   * wherever the hashes differ.
   *
   * @param password Well-formed, without U+0000, and at most `LONGEST_VERIFIED_PASSWORD` bytes.
   */
  verify(hash: Parsed, password: string): boolean;
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

/** Compares a computed hash with a stored one. The time depends on their lengths only, which are no secret. */
export function isEqual(computed: Buffer | string, stored: Buffer | string): boolean {
  const [left, right] = [toBytes(computed), toBytes(stored)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function toBytes(value: Buffer | string): Buffer {
  return typeof value === "string" ? Buffer.from(value) : value;
}
