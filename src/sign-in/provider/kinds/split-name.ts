/** The given and family name of a user whose provider knows only a full name: the family name is the last word. */
export function splitName(name: unknown): { readonly given_name?: string; readonly family_name?: string } {
  const words = typeof name === "string" ? name.trim().split(/\s+/) : [];
  const family_name = words.pop();
  return words.length === 0 || family_name === undefined ? {} : { given_name: words.join(" "), family_name };
}
