import { getPriority, setPriority } from "node:os";
import { type HashSettings, hashNewPassword } from "./new-hash.ts";
import { createVerifier, type Verification, type Verify } from "./verifier.ts";

/**
 * The nice value of a hashing thread. Other calls go first: with a hash on each of two cores, their p50 falls from 19 to
 * 11 ms. A core that is always busy still leaves a hash a sixth of its time. At 19, it would leave a 68th: with two busy
 * processes on two cores, no hash of 335 ms would meet its deadline of 15 s.
 */
const NICE = 7;

// On Linux, both functions are about the calling thread. A process may not lower the nice value that it was started with.
if (process.platform === "linux" && getPriority() < NICE) setPriority(NICE);

/** A plaintext password to hash, or to verify against the stored hash if there is one. */
export type PasswordTask =
  | { readonly kind: "hash"; readonly password: string; readonly settings: HashSettings }
  | {
      readonly kind: "verify";
      readonly password: string;
      readonly storedHash: string | null;
      readonly settings: HashSettings;
    };

/** All tasks of a thread have the same settings. */
let verify: Verify | undefined;

/** Returns the new hash, or the result of the verification. Blocks its thread. */
export function runPasswordTask(task: PasswordTask): string | Verification {
  if (task.kind === "hash") return hashNewPassword(task.settings, task.password);
  verify ??= createVerifier(task.settings);
  return verify(task.password, task.storedHash);
}
