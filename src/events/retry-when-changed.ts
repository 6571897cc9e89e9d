import { SignetError } from "../errors.ts";

const MAX_ATTEMPTS = 5;

/**
 * Runs an optimistic update, and repeats it if a concurrent change of the same object defeats it: 5 attempts at most.
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
