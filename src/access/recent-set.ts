/** A set that keeps only the most recently added values. */
export interface RecentSet {
  has(value: string): boolean;
  add(value: string): void;
  delete(value: string): void;
}

export function createRecentSet(size: number): RecentSet {
  // A Set keeps insertion order.
  const values = new Set<string>();
  return {
    has: (value) => values.has(value),
    add(value) {
      if (values.has(value)) return;
      values.add(value);
      if (values.size > size) values.delete(values.values().next().value ?? "");
    },
    delete(value) {
      values.delete(value);
    },
  };
}
