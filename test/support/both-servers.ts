import { once } from "node:events";
import { Worker } from "node:worker_threads";

export const MAX_BODY_BYTES = 4_096;
export const TOKEN = "Bearer right";

/** The ports of a server. */
export interface Ports {
  readonly http1: number;
  readonly http2: number;
}

/** A value for each of the two servers. */
export interface Both<T> {
  readonly ours: T;
  readonly stock: T;
}

/** A message from the thread of the servers: first the ports, then a reply to each message. */
export interface FromThread {
  readonly ports?: Both<Ports>;
  readonly report?: Report;
}

/** The effects of the calls. */
export interface Report {
  /** The `otpCode` of each import whose operation has started. */
  readonly begun: Both<readonly string[]>;
  /** Uncaught errors: each would have crashed a process. */
  readonly uncaught: readonly string[];
}

/** The service's listener, and Connect's own adapter on Node's own servers, with the same operations behind both. */
export interface BothServers {
  readonly ports: Both<Ports>;
  report(): Promise<Report>;
  close(): Promise<void>;
}

/**
 * Starts both servers in a worker thread: in Jest, Node's errors are not `instanceof Error`, which Connect relies on.
 */
export async function startBothServers(): Promise<BothServers> {
  // Connect's adapter writes a line to the console for each aborted call.
  const worker = new Worker(new URL("./both-servers-thread.ts", import.meta.url), { stderr: true });
  const receive = async () => (await once(worker, "message"))[0] as FromThread;
  const { ports } = await receive();
  if (ports === undefined) throw new Error("the servers sent no ports");
  return {
    ports,
    async report() {
      worker.postMessage("report");
      const { report } = await receive();
      if (report === undefined) throw new Error("the servers sent no report");
      return report;
    },
    async close() {
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}
