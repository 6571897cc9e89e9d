import { type PasswordHash, parsePasswordHash, verifyPasswordHash } from "./modular-crypt-format.ts";
import { type HashSettings, isCurrentHash, spendTime } from "./new-hash.ts";
import { describePasswordProblem, isVerifiablePassword, LONGEST_PASSWORD } from "./policy.ts";

export interface Verification {
  readonly matches: boolean;
  /**
   * Whether the password should be hashed again, because the stored hash has a different scheme or different costs than
   * new ones. Never true for a password that does not match, or that cannot be hashed.
   */
  readonly needsRehash: boolean;
}

/** Verifies a password against a stored hash, if there is one. Blocks its thread. */
export type Verify = (password: string, storedHash: string | null) => Verification;

/**
 * Creates a function that takes the same CPU time for a current hash, a cheaper imported one, an unusable password, and
 * no hash at all, so that it reveals neither which users exist nor which have an old hash. The median durations differ
 * by less than 5 %, or by up to 10 % for an imported hash that takes a noticeable share of the time. An imported hash
 * that is more expensive than new ones takes longer, until the first sign-in replaces it: hiding that would make every
 * sign-in as slow as the slowest hash.
 */
export function createVerifier(settings: HashSettings): Verify {
  /** The latest CPU times of current hashes on this thread, in µs. */
  const latest: number[] = [];

  return (password, storedHash) => {
    const [entered, other] = [verifyForm(password, storedHash), otherForm(password)];
    if (other === undefined) return entered;
    // Also after a match: a user who may not sign in gets the same response after a correct and a wrong password.
    const ofOther = verifyForm(other, storedHash);
    return entered.matches ? entered : ofOther;
  };

  function verifyForm(password: string, storedHash: string | null): Verification {
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
      const spent = timeOf(verify, usesThreads(hash) ? "wall" : "cpu");
      const usual = medianOf(latest);
      if (usual === undefined) measureUsual(() => spendTime(settings, 1));
      else if (spent < usual) spendTime(settings, 1 - spent / usual);
    }
    return { matches, needsRehash: matches && !isCurrent && isRehashable(hash.scheme, password) };
  }

  function measureUsual(run: () => void): void {
    latest.push(timeOf(run, "cpu"));
    if (latest.length > KEPT_TIMES) latest.shift();
  }

  function isRehashable(scheme: string, password: string): boolean {
    // A bcrypt hash does not prove the password bytes that it ignores.
    const longest = LONGEST_PASSWORD[scheme === "bcrypt" ? "bcrypt" : settings.scheme];
    return describePasswordProblem(password, longest) === undefined;
  }
}

/**
 * The other Unicode form of a password, NFC or NFD: which one a keyboard sends depends on the device. Undefined if the
 * password is the same in both, as in ASCII. It is verified besides the entered one, so that the time depends only on
 * what was entered.
 */
function otherForm(password: string): string | undefined {
  const composed = password.normalize("NFC");
  const other = password === composed ? password.normalize("NFD") : composed;
  return other === password ? undefined : other;
}

/** Enough for a median that tolerates individual slow runs, and few enough to track JIT optimization. */
const KEPT_TIMES = 15;

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}

/** @node-rs/argon2 computes lanes in several threads. */
function usesThreads(hash: PasswordHash): boolean {
  return hash.scheme === "argon2" && hash.lanes > 1;
}

/** In µs. Only this thread's CPU time, which does not depend on the machine's load. */
function timeOf(run: () => void, clock: "cpu" | "wall"): number {
  const start = performance.now();
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return clock === "cpu" ? user + system : (performance.now() - start) * 1_000;
}
