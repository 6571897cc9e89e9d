import { Piscina } from "piscina";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Span } from "../telemetry/span.ts";
import { createTurnQueue } from "../turn-queue.ts";
import { MAX_IMPORTED_MEMORY, memoryOf } from "./hash-memory.ts";
import { createHashSlots, type WaitingPassword } from "./hash-slots.ts";
import { parsePasswordHash } from "./modular-crypt-format.ts";
import { type HashSettings, isCurrentHash, memoryOfNewHash } from "./new-hash.ts";
import type { PasswordTask } from "./password-worker.ts";
import { describePasswordProblem, LONGEST_PASSWORD } from "./policy.ts";
import type { Verification } from "./verifier.ts";

/** Hashes and verifies passwords in worker threads, so that the event loop never waits for a hash. */
export interface Hasher {
  /**
   * Hashes a password with the configured scheme.
   *
   * @returns The hash in Modular Crypt Format (`$2b$` or `$argon2id$`).
   * @throws TypeError for a password that `describePasswordProblem` describes with the scheme's limit.
   * @throws SignetError UNAVAILABLE, with `retryAfterMs`, if too many passwords are waiting, in this turn or in total.
   * @throws The reason of the signal, or the error of `throwIfOver`.
   * @throws Error after `close`.
   */
  hash(password: string, options: HashOptions): Promise<string>;
  /**
   * Verifies a password, which may be any text. The duration depends neither on whether it matches, nor on whether
   * there is a hash; see `createVerifier`. Waits like `hash`, and throws the same errors except for the TypeError.
   *
   * @param storedHash An imported hash, or a result of `hash`; null for an unknown user, or a user without a password.
   */
  verify(password: string, storedHash: string | null, options: HashOptions): Promise<Verification>;
  state(): { readonly running: number; readonly waiting: number; readonly threads: number };
  /** Waits for all running and queued hashes, then stops the threads. May be called more than once. */
  close(): Promise<void>;
}

/** The share of the threads that a hash belongs to: calls or pages, and the organization. */
export interface HashTurn {
  readonly kind: "call" | "page";
  readonly orgId: string;
}

export interface HashOptions {
  /** Calls and pages get equal shares of the time of the threads, and so do the organizations of each. */
  readonly turn: HashTurn;
  /** Aborting it removes a waiting password from the queue immediately. A running hash cannot be stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a thread becomes free for this password. Throws if the hash is no longer needed. */
  readonly throwIfOver?: (() => void) | undefined;
  /** The span of the call or page. */
  readonly span?: Span | undefined;
}

export interface HasherOptions {
  /** The scheme of new hashes; bcrypt if absent. */
  readonly scheme?: HashSettings["scheme"];
  /** The base-2 logarithm of bcrypt's rounds. Ignored for argon2id. */
  readonly cost: number;
  /** The number of hashes that run at the same time. */
  readonly threads: number;
  /**
   * After a hash that took longer, its organization does not get the last free thread, unless the hash has the scheme and
   * costs of new ones. By default 2 s.
   */
  readonly slowMs?: number;
  readonly metrics?: Metrics | undefined;
}

/** Creates a hasher, which starts its threads on demand. */
export function createHasher(options: HasherOptions): Hasher {
  const { scheme = "bcrypt", cost, threads, slowMs = 2_000, metrics } = options;
  const settings: HashSettings = { scheme, cost };
  const maxMemory = MAX_IMPORTED_MEMORY + MEMORY_PER_THREAD * threads;
  const pool = new Piscina({
    filename: new URL("./password-worker.ts", import.meta.url).href,
    name: "runPasswordTask",
    // A thread takes 130 ms to start and 15 to 35 MB; a hash with cost 12 takes 335 ms. Threads are kept after a burst.
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 300_000,
  });
  const queue = createTurnQueue<WaitingPassword>({
    total: MAX_WAITING,
    perGroup: MAX_WAITING,
    perMember: Math.min(MAX_WAITING_PER_THREAD * threads, MAX_WAITING / 4),
  });
  const slots = createHashSlots({ queue, threads, maxMemory, slowMs, run: (task) => pool.run(task), metrics });
  let closed: Promise<void> | undefined;

  /** The kind of the task determines the type of the result. */
  async function runInTurn<Result>(task: PasswordTask, options: HashOptions): Promise<Result> {
    const { signal, throwIfOver } = options;
    const turn = { group: options.turn.kind, member: options.turn.orgId };
    if (closed) throw new Error("the password hasher is closed");
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const span = options.span?.child(`${task.kind} password`);
    const waiting: WaitingPassword = {
      task,
      ...describeTask(task),
      orgId: turn.member,
      since: performance.now(),
      throwIfOver,
      signal,
      span,
      resolve,
      reject,
    };
    if (!queue.add(turn, waiting)) {
      metrics?.budgetExceeded("hashes");
      span?.end("UNAVAILABLE");
      throw tooManyWait();
    }
    const onAbort = () => {
      if (queue.remove(turn, waiting)) slots.noteLost();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    slots.fill();
    try {
      const result = (await promise) as Result;
      span?.end();
      return result;
    } catch (error) {
      span?.end(error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  return {
    async hash(password, options) {
      const problem = describePasswordProblem(password, LONGEST_PASSWORD[scheme]);
      if (problem) throw new TypeError(`the password ${problem}`);
      return await runInTurn<string>({ kind: "hash", password, settings }, options);
    },
    async verify(password, storedHash, options) {
      return await runInTurn<Verification>({ kind: "verify", password, storedHash, settings }, options);
    },
    state: () => ({ running: slots.running(), waiting: queue.size(), threads }),
    close() {
      closed ??= slots.settled().then(() => pool.destroy());
      return closed;
    },
  };
}

function tooManyWait(): SignetError {
  const message = "too many passwords wait to be hashed; try again";
  return new SignetError("UNAVAILABLE", message, { retryAfterMs: RETRY_AFTER_MS });
}

/** In bytes. A new argon2id hash takes 19 MiB, so those on all threads and one imported hash have room. */
const MEMORY_PER_THREAD = 20 * 2 ** 20;

function describeTask({ settings, ...task }: PasswordTask): Pick<WaitingPassword, "memory" | "isUsual"> {
  const usual = memoryOfNewHash(settings);
  const stored = task.kind === "verify" && task.storedHash !== null ? parsePasswordHash(task.storedHash) : undefined;
  if (!stored?.ok) return { memory: usual, isUsual: true };
  return { memory: Math.max(usual, memoryOf(stored.hash)), isUsual: isCurrentHash(settings, stored.hash) };
}

/** Bounds memory use: a waiting call keeps its request, usually a few kilobytes. One for several users may have 1 MiB. */
const MAX_WAITING = 1_000;

/**
 * The limit for one turn, at most a quarter of the queue. A thread hashes 45 passwords with cost 12 in 15 s, the
 * default of REQUEST_TIMEOUT_MS, so most of the passwords behind 64 per thread would exceed their deadlines.
 */
const MAX_WAITING_PER_THREAD = 64;

/** The time in which each thread hashes 15 passwords at cost 12. */
const RETRY_AFTER_MS = 5_000;
