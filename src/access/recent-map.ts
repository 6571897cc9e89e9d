/** A map that keeps only the most recently added keys. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  /** Adds the key, or replaces its value. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export function createRecentMap<Value>(size: number): RecentMap<Value> {
  // A Map keeps insertion order.
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.set(key, value);
      if (values.size > size) values.delete(values.keys().next().value ?? "");
    },
    delete(key) {
      values.delete(key);
    },
  };
}
