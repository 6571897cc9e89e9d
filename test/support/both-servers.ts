import { once } from "node:events";
import { Worker } from "node:worker_threads";

export const MAX_BODY_BYTES = 4_096;
export const TOKEN = "Bearer right";

/** Where a server is to be found. */
export interface Ports {
  readonly http1: number;
  readonly http2: number;
}

/** For each of the two servers. */
export interface Both<T> {
  readonly ours: T;
  readonly stock: T;
}

/** What the thread of the servers tells: first the ports, then an answer to each message. */
export interface FromThread {
  readonly ports?: Both<Ports>;
  readonly report?: Report;
}

/** What came of the calls. */
export interface Report {
  /** The `otpCode` of each import whose operation has begun. */
  readonly begun: Both<readonly string[]>;
  /** Errors that nobody caught: each would have ended a process. */
  readonly uncaught: readonly string[];
}

/** The service's listener, and Connect's own adapter on Node's own servers, with the same operations behind both. */
export interface BothServers {
  readonly ports: Both<Ports>;
  report(): Promise<Report>;
  close(): Promise<void>;
}

/**
 * Starts both in a thread of their own: under jest Node's errors are no `instanceof Error`, by which Connect tells them
 * apart.
 */
export async function startBothServers(): Promise<BothServers> {
  // What Connect's adapter writes to the console of each call that is broken off is of no interest.
  const worker = new Worker(new URL("./both-servers-thread.ts", import.meta.url), { stderr: true });
  const receive = async () => (await once(worker, "message"))[0] as FromThread;
  const { ports } = await receive();
  if (ports === undefined) throw new Error("the servers told no ports");
  return {
    ports,
    async report() {
      worker.postMessage("report");
      const { report } = await receive();
      if (report === undefined) throw new Error("the servers told no report");
      return report;
    },
    async close() {
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}
