import type { Registry } from "prom-client";
import type { Family, Sample } from "./metric-family.ts";
import type { MetricSources, OutboxCount, WebhookCount } from "./metrics.ts";
import { createThrottled } from "./metrics-throttled.ts";

/** The shortest interval between two queries, regardless of the number of scrapes. */
const PERIOD_MS = 10_000;
/** How long a scrape waits for the query. After that, it returns the previous result. */
const WAIT_MS = 2_000;

/** Adds gauges that are read when metrics are requested. */
export function addStateMetrics(registry: Registry, sources: MetricSources): void {
  const { database, hashes, deliveries, webhookDeliveries } = sources;
  const { add, gauge } = createAdders(registry);
  const ofLanes = (key: "running" | "waiting") => () =>
    Object.entries(database().lanes).map(([lane, state]) => ({ labels: { lane }, value: state[key] }));

  gauge("signet_database_connections_limit", "Connections to the database that may be open.", () =>
    single(database().limit),
  );
  gauge("signet_database_connections_in_use", "Connections to the database in use.", ofLanes("running"));
  gauge("signet_database_connections_idle", "Open connections to the database that are not in use.", () =>
    single(database().idle),
  );
  gauge("signet_database_waiting", "Queries that wait for a connection.", ofLanes("waiting"));
  gauge("signet_hash_threads", "Passwords that may be hashed at the same time.", () => single(hashes().threads));
  gauge("signet_hash_running", "Passwords that are being hashed or verified.", () => single(hashes().running));
  gauge("signet_hash_waiting", "Passwords that wait for a thread.", () => single(hashes().waiting));
  add(
    {
      name: "signet_outbox_deliveries_total",
      help: "Attempts to send messages, by outcome.",
      type: "counter",
      aggregator: "sum",
    },
    () =>
      Object.entries(deliveries()).flatMap(([channel, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { channel, outcome }, value })),
      ),
  );
  add(
    {
      name: "signet_webhook_deliveries_total",
      help: "Attempts to call webhooks, by outcome.",
      type: "counter",
      aggregator: "sum",
    },
    () => Object.entries(webhookDeliveries()).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  gauge(
    "signet_certificate_expiry_timestamp_seconds",
    "When the certificate in use expires, in Unix time.",
    () => optional(sources.certificateExpiresAt()?.getTime(), 1_000),
    "min",
  );
  addQueriedMetrics(registry, sources);
}

/** Adds the gauges that need a query. */
function addQueriedMetrics(registry: Registry, sources: MetricSources): void {
  const { gauge } = createAdders(registry);
  const poll = createThrottled(() => queryDatabase(sources), { periodMs: PERIOD_MS, waitMs: WAIT_MS });
  // All processes see the same database, and have the same clock.
  gauge(
    "signet_clock_offset_seconds",
    "By how much the clock is ahead of the database's.",
    async () => optional((await poll())?.clockOffset),
    "average",
  );
  gauge(
    "signet_ready",
    "1 while the service can serve calls, 0 while it is stopping or the database is not available.",
    async () => single((await poll())?.isReady === true ? 1 : 0),
    "min",
  );
  gauge(
    "signet_outbox_messages",
    "Messages that are not sent yet, at most 10,000 of a channel.",
    async () => toSamples(await poll(), ({ messages }) => messages),
    "max",
  );
  gauge(
    "signet_outbox_oldest_seconds",
    "Time since the oldest message that is not sent yet was queued.",
    async () => toSamples(await poll(), ({ oldestSeconds }) => oldestSeconds),
    "max",
  );
  gauge(
    "signet_webhook_deliveries",
    "Deliveries of webhooks that are not sent yet, at most 10,000.",
    async () =>
      ((await poll())?.webhooks ?? []).map(({ state, deliveries }) => ({ labels: { state }, value: deliveries })),
    "max",
  );
}

function createAdders(registry: Registry) {
  const add = (family: Omit<Family, "values">, read: () => Sample[] | Promise<Sample[]>) =>
    registry.registerMetric({
      name: family.name,
      get: async () => ({ ...family, values: await read() }),
    } as never);
  const gauge = (name: string, help: string, read: () => Sample[] | Promise<Sample[]>, aggregator = "sum") =>
    add({ name, help, type: "gauge", aggregator }, read);
  return { add, gauge };
}

interface Polled {
  readonly isReady: boolean;
  /** Undefined if the query fails. */
  readonly clockOffset: number | undefined;
  /** Empty if the query fails. */
  readonly outbox: readonly OutboxCount[];
  /** Empty if the query fails. */
  readonly webhooks: readonly WebhookCount[];
}

async function queryDatabase(sources: MetricSources): Promise<Polled> {
  const { checkReady, readClockOffset, countOutbox, countWebhookDeliveries } = sources;
  const [ready, offset, outbox, webhooks] = await Promise.allSettled([
    checkReady(),
    readClockOffset(),
    countOutbox(),
    countWebhookDeliveries(),
  ]);
  return {
    isReady: ready.status === "fulfilled",
    clockOffset: offset.status === "fulfilled" ? offset.value : undefined,
    outbox: outbox.status === "fulfilled" ? outbox.value : [],
    webhooks: webhooks.status === "fulfilled" ? webhooks.value : [],
  };
}

function single(value: number): Sample[] {
  return [{ labels: {}, value }];
}

function optional(value: number | undefined, divisor = 1): Sample[] {
  return value === undefined ? [] : single(value / divisor);
}

function toSamples(polled: Polled | undefined, toValue: (count: OutboxCount) => number): Sample[] {
  return (polled?.outbox ?? []).map((count) => ({
    labels: { channel: count.channel, state: count.state },
    value: toValue(count),
  }));
}
