import type { MetricSources } from "../../src/telemetry/metrics.ts";
import { createProcessMetrics } from "../../src/telemetry/metrics-registry.ts";
import { parseMetrics } from "../support/telemetry/prometheus.ts";

const SOURCES: MetricSources = {
  database: () => ({
    limit: 16,
    idle: 3,
    lanes: { calls: { running: 12, waiting: 7 }, pages: { running: 1, waiting: 2 } },
  }),
  hashes: () => ({ running: 2, waiting: 5, threads: 4 }),
  deliveries: () => ({ email: { sent: 8, failed: 1 } }),
  webhookDeliveries: () => ({ sent: 4, retried: 3, failed: 0 }),
  checkReady: async () => {},
  certificateExpiresAt: () => new Date("2027-02-20T07:49:00.000Z"),
  readClockOffset: async () => -31.5,
  countOutbox: async () => [{ channel: "sms", state: "retrying", messages: 6, oldestSeconds: 90.5 }],
  countWebhookDeliveries: async () => [{ state: "waiting", deliveries: 9 }],
};

async function read(sources: MetricSources) {
  const collected = createProcessMetrics({});
  collected.watch(sources);
  const samples = parseMetrics(await collected.print());
  collected.close();
  return samples;
}

test("the state of the service is read when metrics are requested", async () => {
  const expected = {
    signet_database_connections_limit: 16,
    'signet_database_connections_in_use{lane="calls"}': 12,
    'signet_database_connections_in_use{lane="pages"}': 1,
    signet_database_connections_idle: 3,
    'signet_database_waiting{lane="calls"}': 7,
    'signet_database_waiting{lane="pages"}': 2,
    signet_hash_threads: 4,
    signet_hash_running: 2,
    signet_hash_waiting: 5,
    'signet_outbox_deliveries_total{channel="email",outcome="sent"}': 8,
    'signet_outbox_deliveries_total{channel="email",outcome="failed"}': 1,
    'signet_webhook_deliveries_total{outcome="sent"}': 4,
    'signet_webhook_deliveries_total{outcome="retried"}': 3,
    'signet_webhook_deliveries{state="waiting"}': 9,
    signet_certificate_expiry_timestamp_seconds: Date.parse("2027-02-20T07:49:00.000Z") / 1_000,
    signet_clock_offset_seconds: -31.5,
    signet_ready: 1,
    'signet_outbox_messages{channel="sms",state="retrying"}': 6,
    'signet_outbox_oldest_seconds{channel="sms",state="retrying"}': 90.5,
  };
  expect(Object.fromEntries(await read(SOURCES))).toMatchObject(expected);
});

test("without the database, the service is not ready, and the outbox has no values", async () => {
  const fail = () => Promise.reject(new Error("no connection"));
  const samples = await read({ ...SOURCES, checkReady: fail, countOutbox: fail, readClockOffset: fail });
  expect(samples.get("signet_ready")).toBe(0);
  expect([...samples.keys()].filter((name) => name.startsWith("signet_outbox_messages"))).toEqual([]);
  expect(samples.has("signet_clock_offset_seconds")).toBe(false);
  expect(samples.get("signet_hash_waiting")).toBe(5);
});

test("without TLS, there is no expiry of a certificate", async () => {
  const samples = await read({ ...SOURCES, certificateExpiresAt: () => undefined });
  expect(samples.has("signet_certificate_expiry_timestamp_seconds")).toBe(false);
});
