import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { logFailure } from "../log-failure.ts";

/** Work that is repeated in the background. */
export interface BackgroundWork {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal;
  start(): void;
  /** Starts no more statements, and waits for the running one. */
  stop(): Promise<void>;
}

/** @param options `failure`: what the log says when `run` rejects; it is repeated nevertheless. */
export function createBackgroundWork({
  run,
  firstPauseMs,
  pauseMs,
  log,
  failure,
}: {
  readonly run: () => Promise<void>;
  readonly firstPauseMs: number;
  readonly pauseMs: number;
  readonly log: Logger;
  readonly failure: string;
}): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  /** Rejects when it is stopped. */
  async function repeat(): Promise<void> {
    await delay(firstPauseMs, undefined, { signal, ref: false });
    for (;;) {
      try {
        await run();
      } catch (error) {
        signal.throwIfAborted();
        logFailure(log, "warn", { err: error }, failure);
      }
      await delay(pauseMs, undefined, { signal, ref: false });
    }
  }

  return {
    signal,
    start() {
      running = repeat().catch(() => {});
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
