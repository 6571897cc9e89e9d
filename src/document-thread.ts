import { Piscina } from "piscina";
import { SignetError } from "./errors.ts";

/** A worker thread that reads documents of others, so that the event loop never waits for a parser. */
export interface DocumentThread<Task, Result> {
  /**
   * @returns Undefined if the task failed or took too long.
   * @throws SignetError UNAVAILABLE if too many tasks wait.
   */
  run(task: Task): Promise<Result | undefined>;
}

/** A document takes a few milliseconds. Then the thread is replaced. */
const LONGEST_TASK_MS = 5_000;
const MAX_WAITING = 200;

/**
 * Creates a thread on first use. It ends after a minute without work.
 *
 * @param worker The file of the worker, the function in it that runs a task, what waits: the subject of an error, and how
 *   long a task may take.
 */
export function createDocumentThread<Task, Result>(worker: {
  readonly file: URL;
  readonly name: string;
  readonly waiting: string;
  readonly longestTaskMs?: number | undefined;
}): DocumentThread<Task, Result> {
  const { longestTaskMs = LONGEST_TASK_MS } = worker;
  let pool: Piscina<Task, Result> | undefined;
  return {
    async run(task) {
      pool ??= new Piscina<Task, Result>({
        filename: worker.file.href,
        name: worker.name,
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: 60_000,
        resourceLimits: { maxOldGenerationSizeMb: 256 },
      });
      if (pool.queueSize >= MAX_WAITING) {
        throw new SignetError("UNAVAILABLE", `too many ${worker.waiting} wait to be read; try again`, {
          retryAfterMs: longestTaskMs,
        });
      }
      try {
        return await pool.run(task, { signal: AbortSignal.timeout(longestTaskMs) });
      } catch {
        return undefined;
      }
    },
  };
}
