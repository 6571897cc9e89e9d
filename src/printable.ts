/**
 * What a terminal acts on instead of showing it, or shows in another place: control characters (C0, DEL and C1), line
 * separators, and the marks, embeddings, overrides and isolates of bidirectional text.
 */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Escapes these characters in a line, like `\u001b`: names and files must not control the terminal on which
 * they are listed. In a text of JSON, the value stays the same.
 */
export function toPrintable(line: string): string {
  return line.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
