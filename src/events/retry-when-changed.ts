import { SignetError } from "../errors.ts";

const MAX_ATTEMPTS = 5;

/**
 * Runs an optimistic update at most 5 times, until no concurrent change of the object conflicts with it.
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
