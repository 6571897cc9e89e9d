import type { Place, WorkIndex } from "./work-index.ts";

/** An index in memory, for inputs of a limited size. */
export function createMemoryIndex(): WorkIndex {
  const seen = new Map<string, Place>();
  const joined = new Map<string, string[]>();
  return {
    claim(kind, value, place) {
      const key = `${kind}\0${value}`;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, place);
      return first;
    },
    addValues(kind, key, values) {
      const id = `${kind} ${key}`;
      const known = joined.get(id);
      if (known === undefined) joined.set(id, [values]);
      else known.push(values);
    },
    findValues: (kind, key) => joined.get(`${kind} ${key}`) ?? [],
    close() {
      seen.clear();
      joined.clear();
    },
  };
}
