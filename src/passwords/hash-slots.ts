import type { Metrics } from "../telemetry/metrics.ts";
import type { Span } from "../telemetry/span.ts";
import type { TurnQueue } from "../turn-queue.ts";
import type { PasswordTask } from "./password-worker.ts";

/** A password that waits for a thread. */
export interface WaitingPassword {
  readonly task: PasswordTask;
  /** What the hash takes while it runs, in bytes. */
  readonly memory: number;
  /** Whether its scheme and costs are those of new hashes, so that it is slow only because the machine is busy. */
  readonly isUsual: boolean;
  readonly orgId: string;
  /** On the clock of `performance.now`. */
  readonly since: number;
  /** Throws if the hash is no longer needed. */
  readonly throwIfOver: (() => void) | undefined;
  /** Aborted when the hash is no longer needed. */
  readonly signal: AbortSignal | undefined;
  readonly span: Span | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The hashes that run at the same time, at most one per thread. */
interface HashSlots {
  /** Starts one waiting hash for each free thread. Each hash that ends starts the next one. */
  fill(): void;
  /** Notes that the caller of a password was gone before its hash started. */
  noteLost(): void;
  running(): number;
  /** Resolves once no hash runs. */
  settled(): Promise<void>;
}

/** A larger share of passwords that were not hashed before the deadline is too many. */
const MAX_LOST = 0.1;
/** Weight of the latest password in the moving average of those that were lost. */
const SAMPLE_WEIGHT = 1 / 16;

/**
 * Each turn is first in, first out until too many passwords are lost. From then on, that order would start each hash just
 * before its deadline, and complete none in time, so the newest is hashed first, as in `query-limiter.ts`.
 *
 * @param maxMemory In bytes. A hash that takes more starts when no running hash takes any.
 * @param slowMs After a hash that took longer and is not usual, its organization does not get the last free thread.
 * @param run Computes a hash in a thread.
 */
export function createHashSlots({
  queue,
  threads,
  maxMemory,
  slowMs,
  run,
  metrics,
}: {
  readonly queue: TurnQueue<WaitingPassword>;
  readonly threads: number;
  readonly maxMemory: number;
  readonly slowMs: number;
  readonly run: (task: PasswordTask) => Promise<unknown>;
  readonly metrics: Metrics | undefined;
}): HashSlots {
  const running = new Set<Promise<unknown>>();
  /** The organizations whose last hash was slow. */
  const slowOrgs = new Set<string>();
  let usedMemory = 0;
  /** A moving average of the share of passwords that were not hashed before the deadline. */
  let lost = 0;

  function note(isLost: boolean): void {
    lost += (Number(isLost) - lost) * SAMPLE_WEIGHT;
  }

  function mayStart({ memory, orgId }: WaitingPassword): boolean {
    if (usedMemory > 0 && usedMemory + memory > maxMemory) return false;
    return running.size < threads - 1 || threads === 1 || !slowOrgs.has(orgId);
  }

  function fill(): void {
    while (running.size < threads) {
      const taken = queue.take(mayStart, lost > MAX_LOST ? "newest-first" : "oldest-first");
      if (taken === undefined) return;
      try {
        taken.entry.throwIfOver?.();
      } catch (error) {
        note(true);
        taken.end(0);
        taken.entry.reject(error);
        continue;
      }
      start(taken.entry, taken.end);
    }
  }

  function start(next: WaitingPassword, end: (ms: number) => void): void {
    next.span?.event("thread acquired");
    const startedAt = performance.now();
    const hashing = run(next.task);
    running.add(hashing);
    usedMemory += next.memory;
    hashing.then(next.resolve, next.reject).finally(() => {
      running.delete(hashing);
      usedMemory -= next.memory;
      const ms = performance.now() - startedAt;
      end(ms);
      note(next.signal?.aborted ?? false);
      if (ms > slowMs && !next.isUsual) slowOrgs.add(next.orgId);
      else slowOrgs.delete(next.orgId);
      metrics?.hashEnded(next.task.kind, startedAt - next.since, ms);
      fill();
    });
  }

  return {
    fill,
    noteLost: () => note(true),
    running: () => running.size,
    async settled() {
      // Each completed hash starts the next one of the queue.
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
