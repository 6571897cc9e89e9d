/**
 * Removes white space of XML 1.0 (section 2.3) at the ends of a text, and no other: with `trim`, values that differ in other
 * spaces, such as U+00A0, would identify the same user.
 */
export function trimXmlSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACES.has(text.charAt(start))) start++;
  while (end > start && SPACES.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const SPACES: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n"]);
