import { findInvisible, hasVisible } from "./invisible.ts";

/** Unicode code points. */
const LONGEST_NAME = 200;

/**
 * Describes what is wrong with a trimmed display name (of a person, an organization or a link), as the end of a
 * sentence about it; undefined if it is accepted.
 *
 * The rules are those of nicknames in RFC 8266, without the mapping for comparison: a name is stored as given. Emoji
 * are accepted, and so are visible characters that RFC 8264 rejects, such as the middle dot outside of Catalan, because
 * real names contain them.
 */
export function describeNameProblem(trimmed: string): string | undefined {
  if (trimmed === "") return "must not be empty";
  const length = [...trimmed].length;
  if (length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters, is ${length}`;
  return describeInvisibleProblem(trimmed, { sequences: true });
}

/** In UTF-16 code units: the schema and the callers allow at most 1,000 code points. Looking for emoji takes 5 µs each. */
const LONGEST_TEXT = 2_000;

/** The rules shared by names and user names. The caller limits the length of the text. */
export function describeInvisibleProblem(text: string, options: { sequences: boolean }): string | undefined {
  if (text.length > LONGEST_TEXT) return "is too long";
  const invisible = findInvisible(text, options);
  if (invisible !== undefined)
    return `must not contain ${invisible}: control, invisible, private-use and unassigned characters are not allowed`;
  return hasVisible(text) ? undefined : "must contain a letter, digit, punctuation mark or symbol";
}

/** Truncates a name to the maximum length, between graphemes, and without a trailing space. */
export function cutName(name: string): string {
  return cutTo(LONGEST_NAME, name);
}

/** Like `cutName`, to a length in code points. */
export function cutTo(maxLength: number, name: string): string {
  if ([...name].length <= maxLength) return name;
  let kept = "";
  let length = 0;
  for (const { segment } of createGraphemes().segment(name)) {
    length += [...segment].length;
    if (length > maxLength) break;
    kept += segment;
  }
  return kept.trimEnd();
}

/** Loading its data takes 8 ms, so startup does not wait for it. */
function createGraphemes(): Intl.Segmenter {
  return new Intl.Segmenter("en", { granularity: "grapheme" });
}
