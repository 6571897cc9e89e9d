import type { QueryCaller } from "../call.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import { type FindCodeParts, type FoundCode, findCodeAgain } from "./find-code.ts";

/**
 * Runs a step that requires the user to be unchanged since the code was read. Reads the code again and repeats the step
 * if the user has changed.
 *
 * @param act Resolves to undefined if the user has changed.
 * @throws SignetError ABORTED if the user changes too often.
 */
export async function retryWithCode<T>(
  parts: FindCodeParts,
  held: FoundCode,
  caller: QueryCaller | undefined,
  act: (code: FoundCode) => Promise<T | undefined>,
): Promise<T> {
  let code = held;
  return await retryWhenChanged(async () => {
    const result = await act(code);
    if (result === undefined) code = await findCodeAgain(parts, code, caller);
    return result;
  });
}
