import { collectDefaultMetrics, Registry } from "prom-client";
import { BUDGET_NAMES, type MetricSources, type Metrics, SIGN_IN_METHODS, SIGN_IN_OUTCOMES } from "./metrics.ts";
import { sampleEventLoop } from "./metrics-event-loop.ts";
import { addCounter, addHistogram, type Family } from "./metrics-series.ts";
import { addStateMetrics } from "./metrics-state.ts";

/** The metrics of one process. */
export interface ProcessMetrics {
  readonly metrics: Metrics;
  /** Adds the metrics of the service's state. */
  watch(sources: MetricSources): void;
  /** All metrics with their values. */
  read(): Promise<Family[]>;
  /** The same in the text format of Prometheus. */
  print(): Promise<string>;
  close(): void;
}

/** A call takes 1 to 20 ms, or 30 to 500 ms if it hashes a password; REQUEST_TIMEOUT_MS is 15 s by default. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A statement has at most 128 commands. */
const COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128];

/** @param build Labels of `signet_build_info`. */
export function createProcessMetrics(build: Readonly<Record<string, string>>): ProcessMetrics {
  const registry = new Registry();
  const call = addHistogram(registry, {
    name: "signet_rpc_duration_seconds",
    help: "Duration of calls, from the head of the request to the end of the call.",
    labelNames: ["method", "wire", "code"],
    buckets: SECONDS,
  });
  const page = addHistogram(registry, {
    name: "signet_page_duration_seconds",
    help: "Duration of requests for pages and to the OpenID provider.",
    labelNames: ["route", "status"],
    buckets: SECONDS,
  });
  const check = addCounter(registry, {
    name: "signet_sign_in_checks_total",
    help: "Passwords, passkeys, one-time codes and responses of identity providers that were checked in a sign-in.",
    labelNames: ["method", "outcome"],
    initial: SIGN_IN_METHODS.flatMap((method) => SIGN_IN_OUTCOMES.map((outcome) => [method, outcome])),
  });
  const finish = addCounter(registry, {
    name: "signet_sign_ins_total",
    help: "Completed sign-ins.",
    labelNames: [],
  });
  const commands = addHistogram(registry, {
    name: "signet_database_commands",
    help: "Commands and look-ups that shared a statement.",
    labelNames: ["operation"],
    buckets: COMMANDS,
  });
  const hashWait = addHistogram(registry, {
    name: "signet_hash_wait_seconds",
    help: "Time that passwords waited for a thread.",
    labelNames: ["operation"],
    buckets: SECONDS,
  });
  const hash = addHistogram(registry, {
    name: "signet_hash_duration_seconds",
    help: "Time that threads spent on passwords.",
    labelNames: ["operation"],
    buckets: SECONDS,
  });
  const budget = addCounter(registry, {
    name: "signet_budget_exceeded_total",
    help: "Connections and requests that were refused because a budget was used up.",
    labelNames: ["budget"],
    initial: BUDGET_NAMES.map((name) => [name]),
  });
  const eventLoop = sampleEventLoop(registry);
  addBuildInfo(registry, build);
  collectDefaultMetrics({ register: registry });
  // Their names violate the naming conventions; nodejs_active_resources has their sum.
  registry.removeSingleMetric("nodejs_active_handles_total");
  registry.removeSingleMetric("nodejs_active_requests_total");
  registry.removeSingleMetric("nodejs_active_resources_total");

  return {
    metrics: {
      callEnded: (method, wire, code, ms) => call(ms / 1_000, method, wire, code),
      pageEnded: (route, status, ms) => page(ms / 1_000, route, status === undefined ? "canceled" : String(status)),
      signInChecked: check,
      signInFinished: finish,
      commandsWritten: (operation, count) => commands(count, operation),
      hashEnded(operation, waitedMs, ms) {
        hashWait(waitedMs / 1_000, operation);
        hash(ms / 1_000, operation);
      },
      budgetExceeded: budget,
    },
    watch: (sources) => addStateMetrics(registry, sources),
    read: async () => (await registry.getMetricsAsJSON()) as unknown as Family[],
    print: () => registry.metrics(),
    close: () => eventLoop.close(),
  };
}

function addBuildInfo(registry: Registry, labels: Readonly<Record<string, string>>): void {
  const family: Family = {
    name: "signet_build_info",
    help: "Always 1; the version is in the labels.",
    type: "gauge",
    aggregator: "first",
    values: [{ labels, value: 1 }],
  };
  registry.registerMetric({ name: family.name, get: async () => family } as never);
}
