import { trimEnds } from "./trim-ends.ts";

/**
 * Removes white space of XML 1.0 (section 2.3) at the ends of a text, and no other: with `trim`, values that differ in other
 * spaces, such as U+00A0, would identify the same user.
 */
export function trimXmlSpace(text: string): string {
  return trimEnds(text, (character) => " \t\r\n".includes(character));
}
