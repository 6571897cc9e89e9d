/** The words for a name of the API; for one that the console does not know, others. */
export function wordsFor(table: Readonly<Record<string, string>>, name: string, others = name): string {
  return (Object.hasOwn(table, name) && table[name]) || others;
}
