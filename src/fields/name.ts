import { findInvisible, hasVisible } from "./invisible.ts";

/** Unicode code points. */
const LONGEST_NAME = 200;

/**
 * Describes what is wrong with a name that people read (of a person, an organization or a link), already trimmed, as the
 * end of a sentence about it; undefined when it is accepted.
 *
 * The rules are those of nicknames in RFC 8266, without the mapping for comparison: a name is stored as it was given. Emoji
 * are accepted. Characters that RFC 8264 refuses although everybody can see them, such as the middle dot outside of
 * Catalan, are accepted too: real names have them.
 */
export function describeNameProblem(trimmed: string): string | undefined {
  if (trimmed === "") return "must not be empty";
  const length = [...trimmed].length;
  if (length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters, is ${length}`;
  return describeInvisibleProblem(trimmed, { sequences: true });
}

/** The part of the rules that names and user names share. The text should be bounded before. */
export function describeInvisibleProblem(text: string, options: { sequences: boolean }): string | undefined {
  const invisible = findInvisible(text, options);
  if (invisible !== undefined)
    return `must not contain ${invisible}: control, invisible, private-use and unassigned characters are not allowed`;
  return hasVisible(text) ? undefined : "must contain a letter, digit, punctuation mark or symbol";
}

/** Cuts a name to the longest that is accepted, between characters as people see them, and without a space at its end. */
export function cutName(name: string): string {
  if ([...name].length <= LONGEST_NAME) return name;
  let kept = "";
  let length = 0;
  for (const { segment } of GRAPHEMES.segment(name)) {
    length += [...segment].length;
    if (length > LONGEST_NAME) break;
    kept += segment;
  }
  return kept.trimEnd();
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
