import { constants, setPriority } from "node:os";
import { hashSync } from "bcryptjs";

// On Linux this sets the priority of the calling thread, so that hashes use the time that the event loop leaves. With a
// hash on each of two cores, p99 of the other calls fell from 389 to 27 ms.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

/** What one hash needs: the clear password and the bcrypt cost, the base-2 logarithm of the rounds. */
export interface HashTask {
  readonly password: string;
  readonly cost: number;
}

/** Returns the `$2b$` hash with a fresh salt of 16 random bytes. Blocks its thread. */
export function hashPassword({ password, cost }: HashTask): string {
  return hashSync(password, cost);
}
