/** Removes characters from the ends of a text. */
export function trimEnds(text: string, isRemoved: (character: string) => boolean): string {
  let [start, end] = [0, text.length];
  while (start < end && isRemoved(text.charAt(start))) start += 1;
  while (end > start && isRemoved(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
