import { constants, setPriority } from "node:os";
import { type HashSettings, hashNewPassword } from "./new-hash.ts";
import { createVerifier, type Verification, type Verify } from "./verifier.ts";

// On Linux this sets the priority of the calling thread, so that hashes use the time that the event loop leaves idle.
// With a hash on each of two cores, p99 of other calls fell from 389 to 27 ms.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

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
