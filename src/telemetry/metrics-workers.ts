import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { Family } from "./metric-family.ts";
import type { ProcessMetrics } from "./metrics-registry.ts";

/** How long a scrape waits for the workers. For unresponsive workers, it uses the last known values. */
const REPORT_MS = 2_000;

interface ReportRequest {
  readonly type: "metrics-request";
}

interface Report {
  readonly type: "metrics-report";
  readonly families: Family[];
}

/** In a worker: reports to the primary on request, and sends the final values when closed. */
export function reportToPrimary({ read }: Pick<ProcessMetrics, "read">): { close(): Promise<void> } {
  async function send(): Promise<void> {
    const report: Report = { type: "metrics-report", families: await read() };
    await new Promise<void>((resolve) => {
      // An error means that the primary has exited, and this process will exit too.
      if (process.send === undefined) resolve();
      else process.send(report, undefined, undefined, () => resolve());
    });
  }
  const onMessage = (message: unknown) => {
    if (isOfType(message, "metrics-request")) void send();
  };
  process.on("message", onMessage);
  return {
    async close() {
      process.off("message", onMessage);
      await send();
    },
  };
}

/**
 * In the primary: prints the combined metrics of all workers. A worker's counts are kept after its exit, so that no
 * counter decreases. For a killed worker, these are the counts in its last report.
 */
export function createWorkersMetrics(): { print(): Promise<string>; close(): void } {
  const latest = new Map<number, Family[]>();
  const waiting = new Map<number, () => void>();
  let ended = Promise.resolve<Family[]>([]);

  const onMessage = (worker: Worker, message: unknown) => {
    if (!isOfType(message, "metrics-report")) return;
    latest.set(worker.id, (message as Report).families);
    waiting.get(worker.id)?.();
  };
  // Unlike `exit`, this event follows all messages of the worker.
  const onDisconnect = (worker: Worker) => {
    waiting.get(worker.id)?.();
    const families = latest.get(worker.id);
    latest.delete(worker.id);
    if (families === undefined) return;
    ended = ended.then((earlier) => combine([earlier, families.filter(isCumulative)]));
  };
  cluster.on("message", onMessage).on("disconnect", onDisconnect);

  return {
    async print() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
      await Promise.all(workers.map((worker) => worker && ask(worker, waiting)));
      return await aggregate([await ended, ...latest.values(), [workersFamily(latest.size)]]).metrics();
    },
    close() {
      cluster.off("message", onMessage).off("disconnect", onDisconnect);
    },
  };
}

/** Requests a report, and waits until it has arrived, for a short time. */
async function ask(worker: Worker, waiting: Map<number, () => void>): Promise<void> {
  const request: ReportRequest = { type: "metrics-request" };
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(worker.id, resolve);
  worker.send(request, (error) => error && resolve());
  const timer = setTimeout(resolve, REPORT_MS);
  await promise;
  clearTimeout(timer);
  waiting.delete(worker.id);
}

function workersFamily(count: number): Family {
  return {
    name: "signet_workers",
    help: "Worker processes that responded.",
    type: "gauge",
    aggregator: "sum",
    values: [{ labels: {}, value: count }],
  };
}

function isOfType(message: unknown, type: string): boolean {
  return typeof message === "object" && message !== null && "type" in message && message.type === type;
}

/** Whether the values outlive their process. Gauges describe a running process. */
function isCumulative({ type }: Family): boolean {
  return type === "counter" || type === "histogram";
}

async function combine(processes: readonly Family[][]): Promise<Family[]> {
  return (await aggregate(processes).getMetricsAsJSON()) as unknown as Family[];
}

function aggregate(processes: readonly (readonly Family[])[]) {
  return AggregatorRegistry.aggregate(processes as never);
}
