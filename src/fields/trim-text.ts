/**
 * Removes white space, directional marks and soft hyphens from the ends of a text. Programs add the marks to what is
 * copied from them, such as contacts and tables, and nobody sees them.
 */
export function trimText(text: string): string {
  const trimmed = text.trim();
  let [start, end] = [0, trimmed.length];
  while (start < end && REMOVED.test(trimmed.charAt(start))) start += 1;
  while (end > start && REMOVED.test(trimmed.charAt(end - 1))) end -= 1;
  return trimmed.slice(start, end);
}

/** Soft hyphen, and Bidi_Control of Unicode. */
const REMOVED = /[\s\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
