/** Runs `act` once all earlier calls with the same key have settled. Applies within this process only. */
export type SerializePerKey = <T>(key: string, act: () => Promise<T>) => Promise<T>;

export function createSerializePerKey(): SerializePerKey {
  const ends = new Map<string, Promise<void>>();

  return async (key, act) => {
    const result = (ends.get(key) ?? Promise.resolve()).then(act);
    const end = result.then(
      () => {},
      () => {},
    );
    ends.set(key, end);
    try {
      return await result;
    } finally {
      if (ends.get(key) === end) ends.delete(key);
    }
  };
}
