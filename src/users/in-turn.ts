/** Runs `act` once all that was given before for the same key has ended, well or badly. Within this process alone. */
export type InTurn = <T>(key: string, act: () => Promise<T>) => Promise<T>;

export function createInTurn(): InTurn {
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
