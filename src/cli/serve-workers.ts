import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError } from "../config.ts";

export interface WorkersOptions {
  readonly count: number;
  /** Added to the environment of each. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Resolves, with the reason, when all are to stop. */
  readonly stop: Promise<string>;
  /** Called once, when all of them listen on this port. */
  readonly onListening: (port: number) => void;
}

/** A death is quick within this time after the start, and so many in a row, of one worker and its successors, are the end. */
const QUICK_MS = 10_000;
const QUICK_DEATHS = 5;
const FIRST_PAUSE_MS = 250;
/** What the primary says to a worker that is to finish its calls and end. */
const DRAIN = "drain";

/**
 * Runs this program in so many processes that share one port, puts another one in the place of each that dies, and
 * resolves once it was told to stop and all have finished their calls. Node hands each new connection to the next process.
 *
 * @throws ConfigError, once the others have finished, when one ends before all listen, or dies quickly again and again.
 */
export async function runWorkers({ count, environment, log, stop, onListening }: WorkersOptions): Promise<void> {
  const stopping = new AbortController();
  let listening = 0;

  async function keepWorker(): Promise<void> {
    let quickDeaths = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const worker = cluster.fork(environment);
      log.info({ worker: worker.process.pid }, "a worker starts");
      worker.once("listening", ({ port }) => {
        listening += 1;
        if (listening === count && !stopping.signal.aborted) onListening(port);
      });
      endLostConnection(worker);
      const end = await endOf(worker);
      if (stopping.signal.aborted) return;
      if (listening < count) throw new ConfigError(`a worker ended before all of them listened (${end})`);
      quickDeaths = performance.now() - startedAt < QUICK_MS ? quickDeaths + 1 : 0;
      if (quickDeaths === QUICK_DEATHS) {
        throw new ConfigError(`a worker ended ${QUICK_DEATHS} times in a row soon after its start (${end})`);
      }
      log.error({ worker: worker.process.pid, end }, "a worker ended, another one takes its place");
      const pauseMs = quickDeaths === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (quickDeaths - 1);
      await delay(pauseMs, undefined, stopping).catch(() => {});
    }
  }

  const workers = Array.from({ length: count }, keepWorker);
  try {
    log.info({ reason: await Promise.race([stop, Promise.all(workers)]) }, "draining");
  } finally {
    stopping.abort();
    // One that has just died does not hear it, and need not.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(DRAIN, () => {});
    await Promise.allSettled(workers);
  }
  log.info("stopped");
}

/**
 * In a worker: resolves once the primary tells it to finish, or a SIGTERM of its own does. A SIGINT is for the primary to
 * act on: a terminal sends it to all processes at once. Node itself ends a worker whose primary is gone.
 */
export function waitForPrimary(): Promise<string> {
  process.on("SIGINT", () => {});
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve);
    process.on("message", (message) => {
      if (message === DRAIN) resolve("the primary stops");
    });
  });
}

/** How a worker ended. */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    // What cannot be sent to a worker that dies is an error too, and its end follows; without a process no end does.
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

/**
 * Ends the connection that a worker was being handed when it died: Node forgets it, and its client would wait for ever.
 * There is one at most, because a worker is handed the next one once it has taken the last. One that it took is closed
 * here already, and is not concerned.
 */
function endLostConnection(worker: Worker): void {
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let handed: { close(): void } | undefined;
  child.send = (...[message, handle, ...rest]: unknown[]) => {
    if (isHandle(handle)) handed = handle;
    return send(message, handle, ...rest);
  };
  // In either order; until both have come Node may hand over one more.
  for (const event of ["exit", "disconnect"]) worker.once(event, () => handed?.close());
}

function isHandle(value: unknown): value is { close(): void } {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}
