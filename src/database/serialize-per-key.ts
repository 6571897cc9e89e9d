/**
 * Runs `act` once all earlier calls with the same key have settled. Applies within this process only.
 *
 * @param act Gets whether there were earlier calls to wait for.
 */
export type SerializePerKey = <T>(key: string, act: (hasWaited: boolean) => Promise<T>) => Promise<T>;

export function createSerializePerKey(): SerializePerKey {
  const ends = new Map<string, Promise<void>>();

  return async (key, act) => {
    const earlier = ends.get(key);
    const result = (earlier ?? Promise.resolve()).then(() => act(earlier !== undefined));
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
