import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Family } from "./metric-family.ts";
import {
  BUDGET_NAMES,
  type MetricSources,
  type Metrics,
  NOTIFICATION_OUTCOMES,
  SIGN_IN_METHODS,
  SIGN_IN_OUTCOMES,
} from "./metrics.ts";
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
  const { call, page, check, finish, notification, commands, hashWait, hash, budget } = createInstruments(registry);
  // Their series exist from startup, so that the first failure is an increase.
  for (const method of SIGN_IN_METHODS) for (const outcome of SIGN_IN_OUTCOMES) check.inc({ method, outcome }, 0);
  for (const outcome of NOTIFICATION_OUTCOMES) notification.inc({ outcome }, 0);
  for (const name of BUDGET_NAMES) budget.inc({ budget: name }, 0);
  const eventLoop = sampleEventLoop(registry);
  addBuildInfo(registry, build);
  collectDefaultMetrics({ register: registry });
  // Their names violate the naming conventions; nodejs_active_resources has their sum.
  registry.removeSingleMetric("nodejs_active_handles_total");
  registry.removeSingleMetric("nodejs_active_requests_total");
  registry.removeSingleMetric("nodejs_active_resources_total");

  return {
    metrics: {
      callEnded: (method, protocol, code, ms) => call.observe({ method, protocol, code }, ms / 1_000),
      pageEnded: (route, status, ms) => page.observe({ route, status: status ?? "canceled" }, ms / 1_000),
      signInChecked: (method, outcome) => check.inc({ method, outcome }),
      signInFinished: () => finish.inc(),
      appNotified: (outcome) => notification.inc({ outcome }),
      commandsWritten: (operation, count) => commands.observe({ operation }, count),
      hashEnded(operation, waitedMs, ms) {
        hashWait.observe({ operation }, waitedMs / 1_000);
        hash.observe({ operation }, ms / 1_000);
      },
      budgetExceeded: (name) => budget.inc({ budget: name }),
    },
    watch: (sources) => addStateMetrics(registry, sources),
    read: async () => (await registry.getMetricsAsJSON()) as unknown as Family[],
    print: () => registry.metrics(),
    close: () => eventLoop.close(),
  };
}

function createInstruments(registry: Registry) {
  const registers = [registry];
  const call = new Histogram({
    registers,
    name: "signet_rpc_duration_seconds",
    help: "Duration of calls, from the head of the request to the end of the call.",
    labelNames: ["method", "protocol", "code"],
    buckets: SECONDS,
  });
  const page = new Histogram({
    registers,
    name: "signet_page_duration_seconds",
    help: "Duration of requests for pages and to the OpenID provider.",
    labelNames: ["route", "status"],
    buckets: SECONDS,
  });
  const check = new Counter({
    registers,
    name: "signet_sign_in_checks_total",
    help: "Passwords, passkeys, one-time codes and responses of identity providers that were checked in a sign-in.",
    labelNames: ["method", "outcome"],
  });
  const finish = new Counter({
    registers,
    name: "signet_sign_ins_total",
    help: "Completed sign-ins.",
    labelNames: [],
  });
  const notification = new Counter({
    registers,
    name: "signet_app_notifications_total",
    help: "Notifications of applications about the end of a session, by outcome.",
    labelNames: ["outcome"],
  });
  const commands = new Histogram({
    registers,
    name: "signet_database_commands",
    help: "Commands and look-ups that shared a statement.",
    labelNames: ["operation"],
    buckets: COMMANDS,
  });
  const hashWait = new Histogram({
    registers,
    name: "signet_hash_wait_seconds",
    help: "Time that passwords waited for a thread.",
    labelNames: ["operation"],
    buckets: SECONDS,
  });
  const hash = new Histogram({
    registers,
    name: "signet_hash_duration_seconds",
    help: "Time that threads spent on passwords.",
    labelNames: ["operation"],
    buckets: SECONDS,
  });
  const budget = new Counter({
    registers,
    name: "signet_budget_exceeded_total",
    help: "Connections and requests that were refused because a budget was used up.",
    labelNames: ["budget"],
  });
  return { call, page, check, finish, notification, commands, hashWait, hash, budget };
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

const SAMPLE_MS = 20;

/**
 * Records how late a 20 ms timer fires. Uses a histogram, because Node's percentiles cannot be combined across
 * processes or time. The rate of its sum is the fraction of the time that the event loop was late.
 */
export function sampleEventLoop(registry: Registry): { close(): void } {
  const delay = new Histogram({
    registers: [registry],
    name: "signet_event_loop_delay_seconds",
    help: "How late the event loop ran a timer that fires every 20 ms.",
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  });
  let expectedAt = performance.now() + SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe(Math.max(0, now - expectedAt) / 1_000);
    expectedAt = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return { close: () => clearInterval(timer) };
}
