import { describeInvisibleProblem } from "./name.ts";

/**
 * The key by which user names are equal: NFC, in lower case, and with a single space for each run of spaces of any kind. So
 * `José`, `JOSÉ` and one with a combining accent are the same user. It depends on no locale and no database collation, and
 * the key of a key is the key itself.
 *
 * Lower case is Unicode's default mapping, so `I` is `i` in Turkish too, and `ß` differs from `ss`. The final sigma counts as
 * a sigma, because which of the two letters Σ becomes depends on what follows it.
 */
export function userNameKey(name: string): string {
  // Lower-casing can leave NFC: İ becomes i with a combining dot, which is then reordered with the marks that follow.
  return name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ");
}

/**
 * Describes what is wrong with a user name, already trimmed, as the end of a sentence about it; undefined when it is
 * accepted.
 *
 * The rules are wider than the profile for user names in RFC 8265, because imported users keep their names: spaces, symbols
 * and emoji are accepted. Invisible characters are not, emoji sequences included: two names could look alike.
 */
export function describeUserNameProblem(trimmed: string): string | undefined {
  if (trimmed === "") return "must not be empty";
  const length = [...trimmed].length;
  if (length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters, is ${length}`;
  if (Buffer.byteLength(userNameKey(trimmed)) > LONGEST_KEY)
    return `must be at most ${LONGEST_KEY} bytes in its NFC form`;
  return describeInvisibleProblem(trimmed, { sequences: false });
}

/** Unicode code points. */
const LONGEST_NAME = 500;

/**
 * Bytes of UTF-8. 500 code points have that at most, but a few musical symbols triple their size in NFC, and PostgreSQL
 * refuses an index entry of more than 2,704 bytes.
 */
const LONGEST_KEY = 2_000;
