import { timingSafeEqual } from "node:crypto";

/**
 * A family of password hashes. Verifying the most expensive one takes less than 10 s and 1.1 GiB; for those that are
 * imported, see `MAX_IMPORTED_MEMORY`.
 */
export interface Scheme<Parsed> {
  /** For messages. */
  readonly name: string;
  /** Parses a value that starts with one of the scheme's `PREFIXES`. */
  parse(value: string): ParseResult<Parsed>;
  /**
   * Whether a password matches a hash that `parse` returned. Blocks its thread. The comparison takes constant time.
   *
   * @param password Well-formed, without U+0000, and at most `LONGEST_VERIFIED_PASSWORD` bytes.
   */
  verify(hash: Parsed, password: string): boolean;
}

/** A problem is a phrase that follows the field's name. It never contains any part of the salt or the hash. */
export type ParseResult<Parsed> =
  | { readonly ok: true; readonly hash: Parsed }
  | { readonly ok: false; readonly problem: string };

/** The result for a value that does not match the form of its scheme. Forms have placeholders in angle brackets. */
export function incomplete(name: string, ...forms: string[]): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: `must be a complete ${name} hash: ${forms.join(" or ")}` };
}

/** Returns the parsed hash, unless there is a problem. */
export function unlessProblem<Parsed>(problem: string | undefined, hash: Parsed): ParseResult<Parsed> {
  return problem === undefined ? { ok: true, hash } : { ok: false, problem };
}

/** Compares a computed hash with a stored one. The duration depends only on their lengths, which are not secret. */
export function isEqual(computed: Buffer | string, stored: Buffer | string): boolean {
  const [left, right] = [toBytes(computed), toBytes(stored)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function toBytes(value: Buffer | string): Buffer {
  return typeof value === "string" ? Buffer.from(value) : value;
}
