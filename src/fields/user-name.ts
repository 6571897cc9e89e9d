import { describeInvisibleProblem } from "./name.ts";

/**
 * Returns the key by which user names are compared: in NFC and lower case, with a single space for each run of spaces
 * of any kind. Thus `José`, `JOSÉ` and `José` with a combining accent are the same user. The key does not depend on a
 * locale or a database collation, and the key of a key is the key itself.
 *
 * Lower case is Unicode's default mapping, so `I` becomes `i` in Turkish too, and `ß` differs from `ss`. The final
 * sigma counts as a sigma, because which of the two Σ becomes depends on what follows it.
 *
 * A longer text than any name is returned unchanged, because sorting the marks on one letter takes quadratic time.
 */
export function userNameKey(name: string): string {
  if (name.length > LONGEST_COMPARED) return name;
  // Lower-casing can leave NFC: İ becomes i with a combining dot, which is then reordered with the marks that follow.
  return name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFC")
    .replace(/\p{Zs}+/gu, " ");
}

/**
 * Describes what is wrong with a trimmed user name, as the end of a sentence about it; undefined if it is accepted.
 *
 * The rules are wider than the profile for user names in RFC 8265, because imported users keep their names: spaces,
 * symbols and emoji are accepted. Invisible characters and emoji sequences are rejected, because two names could look
 * alike.
 */
export function describeUserNameProblem(trimmed: string): string | undefined {
  if (trimmed === "") return "must not be empty";
  const length = [...trimmed].length;
  if (length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters, is ${length}`;
  if (new TextEncoder().encode(userNameKey(trimmed)).length > LONGEST_KEY)
    return `must be at most ${LONGEST_KEY} bytes in its NFC form`;
  return describeInvisibleProblem(trimmed, { sequences: false });
}

/** Unicode code points. */
const LONGEST_NAME = 500;

/** UTF-16 code units: a name of 500 code points has at most 1,000, and up to four times as many when it is decomposed. */
const LONGEST_COMPARED = 4_000;

/**
 * Bytes of UTF-8. 500 code points have at most 2,000 bytes, but a few musical symbols triple their size in NFC, and
 * PostgreSQL rejects index entries of more than 2,704 bytes.
 */
const LONGEST_KEY = 2_000;
