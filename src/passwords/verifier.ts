import { parsePasswordHash, verifyPasswordHash } from "./modular-crypt-format.ts";
import { type HashSettings, isCurrentHash, spendTime } from "./new-hash.ts";
import { describePasswordProblem, isVerifiablePassword, LONGEST_PASSWORD } from "./policy.ts";

export interface Verification {
  readonly matches: boolean;
  /**
   * Whether the password should be hashed again, because the stored hash has another scheme or other costs than new
   * ones. Never true for a password that does not match, or that cannot be hashed.
   */
  readonly needsRehash: boolean;
}

/** Verifies a password against a stored hash, or against none. Blocks its thread. */
export type Verify = (password: string, storedHash: string | null) => Verification;

/**
 * Creates a function that takes the same CPU time for a current hash, a cheaper imported one, an unusable password, and
 * no hash at all. Only an imported hash that is more expensive than new ones takes longer.
 */
export function createVerifier(settings: HashSettings): Verify {
  /** The CPU time of a current hash on this thread in µs: a moving average, which follows the warming of the code. */
  let usual: number | undefined;
  let measured = 0;

  return (password, storedHash) => {
    const parsed = storedHash === null ? undefined : parsePasswordHash(storedHash);
    if (!parsed?.ok || !isVerifiablePassword(password)) {
      measureUsual(() => spendTime(settings, 1));
      return { matches: false, needsRehash: false };
    }
    const { hash } = parsed;
    const isCurrent = isCurrentHash(settings, hash);
    let matches = false;
    const verify = () => {
      matches = verifyPasswordHash(hash, password);
    };
    if (isCurrent) {
      measureUsual(verify);
    } else {
      const spent = cpuTimeOf(verify);
      if (usual === undefined) measureUsual(() => spendTime(settings, 1));
      else if (spent < usual) spendTime(settings, 1 - spent / usual);
    }
    return { matches, needsRehash: matches && !isCurrent && isRehashable(hash.scheme, password) };
  };

  function measureUsual(run: () => void): void {
    const time = cpuTimeOf(run);
    measured = Math.min(measured + 1, 16);
    usual = (usual ?? 0) + (time - (usual ?? 0)) / measured;
  }

  function isRehashable(scheme: string, password: string): boolean {
    // A hash of bcrypt does not prove what follows the bytes that it hashes.
    const longest = LONGEST_PASSWORD[scheme === "bcrypt" ? "bcrypt" : settings.scheme];
    return describePasswordProblem(password, longest) === undefined;
  }
}

/** In µs, of this thread only: other threads of a busy machine do not prolong it. */
function cpuTimeOf(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
