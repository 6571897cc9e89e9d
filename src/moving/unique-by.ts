/** The first item with each key, in order. */
export function uniqueBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const key = toKey(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}
