/**
 * What tells two user names apart: the name in NFC and in lower case, so that `José`, `JOSÉ` and one with a combining
 * accent are the same. It depends on no locale and no database collation, and the key of a key is the key itself.
 *
 * Lower case is Unicode's default mapping, so `I` is `i` in Turkey too, and `ß` differs from `ss`. The final sigma counts as
 * a sigma, because which of the two letters Σ becomes depends on what follows it.
 */
export function userNameKey(name: string): string {
  // Lower-casing can leave NFC: İ becomes i with a combining dot, which then sorts with what follows.
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** What is wrong with a user name, already trimmed, as the end of a sentence about it; undefined when it is accepted. */
export function describeUserNameProblem(trimmed: string): string | undefined {
  if (trimmed === "") return "must not be empty";
  if (UNSEEN.test(trimmed)) return "must not contain control characters or lone surrogates";
  const length = [...trimmed].length;
  if (length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters, is ${length}`;
  if (Buffer.byteLength(userNameKey(trimmed)) > LONGEST_KEY)
    return `must be at most ${LONGEST_KEY} bytes in its NFC form`;
  return undefined;
}

/** Unicode code points. */
const LONGEST_NAME = 500;

/**
 * Bytes of UTF-8. 500 code points have that at most, but a few musical symbols triple their size in NFC, and PostgreSQL
 * refuses an index entry of more than 2,704 bytes.
 */
const LONGEST_KEY = 2_000;

// Control characters, line and paragraph separators, lone surrogates, and what reverses the order of the letters around it.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;
