import { SignetError } from "../errors.ts";

/** Each attempt waits for its turn at the row's lock, so that this many other changes came first each time. */
const MAX_ATTEMPTS = 20;

/**
 * Runs an optimistic update at most 20 times, until no concurrent change of the object conflicts with it.
 *
 * @param attempt Resolves to undefined if the object has changed since it was read.
 * @throws SignetError ABORTED after the last attempt.
 */
export async function retryWhenChanged<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new SignetError("ABORTED", "the object was changed concurrently; try again");
}
