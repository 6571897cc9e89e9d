import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { openTracer } from "../../src/telemetry/open-tracer.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/telemetry/otlp-receiver.ts";
import { until } from "../support/until.ts";

let receiver: OtlpReceiver;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(() => {
  receiver.status = 200;
  receiver.spans.splice(0);
  receiver.requests.splice(0);
});
afterAll(() => receiver?.close());

async function open(variables: Record<string, string> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...variables });
  const tracer = await openTracer(config, { log, version: "1.2.3" });
  if (tracer === undefined) throw new Error("traces are off");
  return { tracer, lines };
}

test("follows the variables: path, headers, compression, resource", async () => {
  const { tracer } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.endpoint}/tenant/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_SERVICE_NAME: "id",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.instance.id=one",
  });
  tracer.startRoot("work").end();
  await tracer.close(60_000);
  expect(receiver.requests).toMatchObject([
    {
      path: "/tenant/traces",
      headers: {
        authorization: "Bearer of-the-collector",
        "content-type": "application/x-protobuf",
        "content-encoding": "gzip",
      },
    },
  ]);
  expect(receiver.spans).toMatchObject([
    {
      name: "work",
      parentSpanId: "",
      resource: {
        "service.name": "id",
        "deployment.environment.name": "test",
        "service.instance.id": "one",
        "service.version": "1.2.3",
      },
    },
  ]);
});

test("a ratio samples about that share of the traces", async () => {
  const { tracer } = await open({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" });
  for (let count = 0; count < 2_000; count += 1) tracer.startRoot("work").end();
  await tracer.close(60_000);
  expect(receiver.spans.length).toBeGreaterThan(400);
  expect(receiver.spans.length).toBeLessThan(600);
});

test("a receiver that rejects exports causes one log line, and no more memory than the queue", async () => {
  receiver.status = 400;
  const { tracer, lines } = await open({ OTEL_BSP_MAX_QUEUE_SIZE: "20", OTEL_BSP_SCHEDULE_DELAY: "10" });
  for (let count = 0; count < 50; count += 1) tracer.startRoot("lost").end();
  await until("a failure is logged", () => lines.length > 0);
  expect(lines).toMatchObject([{ level: 40, msg: "traces could not be exported" }]);
  receiver.status = 200;
  for (let count = 0; count < 100; count += 1) tracer.startRoot("kept").end();
  await tracer.close(60_000);
  const kept = receiver.spans.filter(({ name }) => name === "kept").length;
  expect(kept).toBeGreaterThan(0);
  // The spans of one export, and a full queue.
  expect(kept).toBeLessThanOrEqual(40);
  expect(lines).toHaveLength(1);
});

test("an unreachable receiver does not delay the shutdown beyond the limit", async () => {
  const { tracer } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    // By default, the exporter's timers would keep the test process alive for 30 s.
    OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
    OTEL_BSP_EXPORT_TIMEOUT: "2000",
  });
  tracer.startRoot("lost").end();
  // Timers of one process expire in order, however late.
  const closed = tracer.close(100).then(() => "closed");
  expect(await Promise.race([closed, delay(1_000, "still open", { ref: false })])).toBe("closed");
});
