/** The number of the page in the address, from 1; the first one for anything else. */
export function readPage(parameters: URLSearchParams): number {
  const page = Number(parameters.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** The parameter, if it is a key of the table. */
export function keyOf<Key extends string>(table: Readonly<Record<Key, unknown>>, text: string | null): Key | undefined {
  return text !== null && Object.hasOwn(table, text) ? (text as Key) : undefined;
}
