import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { ConfigError } from "../config.ts";
import { createStop, type Stop } from "./stop.ts";

interface WorkersOptions {
  readonly count: number;
  /** Added to the environment of each worker. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly stop: Stop;
  /** Called once, when all workers are listening on the port. */
  readonly onListening: (port: number) => void;
}

/** A worker that exits within this time after its start counts as an early exit. */
const EARLY_EXIT_MS = 10_000;
/** This many consecutive early exits are a crash loop: stop. */
const MAX_EARLY_EXITS = 5;
const FIRST_PAUSE_MS = 250;
/** Messages from the primary that tell a worker to stop: with or without the delay. */
const STOP = "stop";
const DRAIN = "drain";

/**
 * Runs this program in worker processes that share one port, and restarts each worker that exits. Resolves after
 * `stop`, when all workers have drained. Node distributes new connections round-robin: if all processes accepted from
 * one socket, the distribution of long-lived connections would be arbitrary.
 *
 * @throws ConfigError if a worker exits before all of them listen, or is in a crash loop; the others drain first.
 */
export async function runWorkers({ count, environment, log, stop, onListening }: WorkersOptions): Promise<void> {
  const stopping = new AbortController();
  let listening = 0;

  async function superviseWorker(): Promise<void> {
    let earlyExits = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const worker = cluster.fork(environment);
      log.info({ worker: worker.process.pid }, "worker started");
      worker.once("listening", ({ port }) => {
        listening += 1;
        if (listening === count && !stopping.signal.aborted) onListening(port);
      });
      closeConnectionInTransit(worker);
      const exit = await waitForExit(worker);
      if (stopping.signal.aborted) return;
      if (listening < count) throw new ConfigError(`a worker exited before all workers were listening (${exit})`);
      earlyExits = performance.now() - startedAt < EARLY_EXIT_MS ? earlyExits + 1 : 0;
      if (earlyExits === MAX_EARLY_EXITS) {
        throw new ConfigError(
          `crash loop: a worker exited ${MAX_EARLY_EXITS} times in a row soon after its start (${exit})`,
        );
      }
      log.error({ worker: worker.process.pid, exit }, "worker exited, starting another one");
      const pauseMs = earlyExits === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (earlyExits - 1);
      await delay(pauseMs, undefined, stopping).catch(() => {});
    }
  }

  const workers = Array.from({ length: count }, superviseWorker);
  const all = Promise.all(workers);
  try {
    const reason = await Promise.race([stop.requested, all]);
    log.info({ reason }, "stopping");
    stopping.abort();
    sendToWorkers(STOP);
    await Promise.race([stop.due, all]);
  } finally {
    stopping.abort();
    sendToWorkers(DRAIN);
    await Promise.allSettled(workers);
  }
  log.info("stopped");
}

function sendToWorkers(message: string): void {
  // Ignore the error for a worker that has just exited.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {});
}

/**
 * In a worker: the stop that the primary or SIGTERM requests. SIGINT is ignored, because a terminal sends it to all
 * processes and the primary handles it. Node itself terminates a worker whose primary has exited.
 */
export function waitForPrimary(delayMs: number): Stop {
  const stop = createStop(delayMs);
  process.on("SIGINT", () => {});
  process.on("SIGTERM", stop.request);
  process.on("message", (message) => {
    if (message !== STOP && message !== DRAIN) return;
    stop.request("stopped by the primary");
    if (message === DRAIN) stop.hurry();
  });
  return stop;
}

/** Resolves with the signal or exit code of the worker. */
function waitForExit(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    // A failed start emits an error but no exit event. A failed send to an exiting worker emits an error too, followed
    // by the exit.
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

/**
 * Closes the connection that was being passed to a worker when it exited. Node loses track of it, and its client would
 * wait forever. There is at most one, because Node does not pass the next connection until the worker has accepted the
 * previous one. An accepted connection is already closed in this process.
 */
function closeConnectionInTransit(worker: Worker): void {
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let inTransit: { close(): void } | undefined;
  child.send = (...[message, handle, ...rest]: unknown[]) => {
    if (isHandle(handle)) inTransit = handle;
    return send(message, handle, ...rest);
  };
  // The two events occur in any order, and Node may pass another connection until both have occurred.
  for (const event of ["exit", "disconnect"]) worker.once(event, () => inTransit?.close());
}

function isHandle(value: unknown): value is { close(): void } {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}
