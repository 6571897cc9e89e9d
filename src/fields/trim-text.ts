import { trimEnds } from "./trim-ends.ts";

/**
 * Removes white space, directional marks and soft hyphens from the ends of a text. Programs add the marks to what is
 * copied from them, such as contacts and tables, and nobody sees them.
 */
export function trimText(text: string): string {
  return trimEnds(text, (character) => REMOVED.test(character));
}

/** Soft hyphen, and Bidi_Control of Unicode. */
const REMOVED = /[\s\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
