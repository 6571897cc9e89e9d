import { Piscina } from "piscina";
import { SignetError } from "../errors.ts";
import type { HashTask } from "./password-worker.ts";

/** Hashes passwords in worker threads, so that the event loop never waits for one. */
export interface Passwords {
  /**
   * The bcrypt hash (`$2b$`, Modular Crypt Format) of a password. Rejects with a TypeError for a password that
   * `describePasswordProblem` describes: it would be cut without a word. Rejects with SignetError UNAVAILABLE where too
   * many wait already, with what `throwIfOver` throws when its turn comes, and after `close`.
   */
  hash(password: string, throwIfOver?: () => void): Promise<string>;
  /** Waits for the hashes under way, then ends the threads, so that the process can exit. May be called twice. */
  close(): Promise<void>;
}

/** `cost` is the base-2 logarithm of bcrypt's rounds, `threads` how many hashes run at the same time. */
export function createPasswords({ cost, threads }: { cost: number; threads: number }): Passwords {
  const pool = new Piscina({
    filename: new URL("./password-worker.ts", import.meta.url).href,
    name: "hashPassword",
    // A thread takes 130 ms to start and 15 to 35 MB, a hash of cost 12 takes 335 ms: so none before the first hash,
    // and what a burst has started stays for the next one.
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 300_000,
  });
  const waiting: Waiting[] = [];
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Hands over what the threads can take; who does not wait any more is passed by. */
  function handOver(): void {
    while (underWay.size < threads) {
      const next = waiting.shift();
      if (next === undefined) return;
      try {
        next.throwIfOver();
      } catch (error) {
        next.reject(error);
        continue;
      }
      const hashing: Promise<string> = pool.run({ password: next.password, cost } satisfies HashTask);
      underWay.add(hashing);
      hashing.then(next.resolve, next.reject).finally(() => {
        underWay.delete(hashing);
        handOver();
      });
    }
  }

  async function closeOnce(): Promise<void> {
    // What waits is handed over as the threads get free.
    while (underWay.size > 0) await Promise.allSettled(underWay);
    await pool.destroy();
  }

  return {
    async hash(password, throwIfOver = () => {}) {
      if (closed) throw new Error("the password hasher is closed");
      const problem = describePasswordProblem(password);
      if (problem) throw new TypeError(`the password ${problem}`);
      if (waiting.length >= MAX_WAITING) {
        throw new SignetError("UNAVAILABLE", "too many passwords wait to be hashed; try again");
      }
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.push({ password, throwIfOver, resolve, reject });
      handOver();
      return promise;
    },
    close() {
      closed ??= closeOnce();
      return closed;
    },
  };
}

/** More than any number of threads hashes before a caller gives up. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly password: string;
  readonly throwIfOver: () => void;
  readonly resolve: (hash: string) => void;
  readonly reject: (error: unknown) => void;
}

/** The longest password, in bytes of UTF-8: bcrypt ignores what comes after. */
const LONGEST_PASSWORD = 72;

/**
 * What is wrong with a password in clear form, as the end of a sentence about it and without the password; undefined
 * when bcrypt can tell it from every other. NUL ends a password in bcrypt's C implementations, and a lone surrogate has
 * no UTF-8: all of them would have the same hash.
 */
export function describePasswordProblem(password: string): string | undefined {
  if (password === "") return "must not be empty";
  if (password.includes("\0")) return "must not contain the character U+0000";
  if (!password.isWellFormed()) return "must be well-formed Unicode";
  const bytes = Buffer.byteLength(password, "utf8");
  if (bytes > LONGEST_PASSWORD) return `must be at most ${LONGEST_PASSWORD} bytes of UTF-8, is ${bytes}`;
  return undefined;
}
