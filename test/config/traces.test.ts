import { readConfig } from "../../src/config.ts";

const traces = (environment: Record<string, string>) => readConfig(environment).traces;
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

test.each([
  ["without any variable", {}],
  ["with a service name alone", { OTEL_SERVICE_NAME: "id" }],
  ["with the exporter none", { ...COLLECTOR, OTEL_TRACES_EXPORTER: "none" }],
  ["with the SDK disabled", { ...COLLECTOR, OTEL_SDK_DISABLED: "TRUE" }],
  ["with gRPC for other programs", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
])("traces are off %s", (_what, environment) => {
  expect(traces(environment)).toBeUndefined();
});

test("an endpoint turns traces on, with OpenTelemetry's defaults", () => {
  expect(traces(COLLECTOR)).toEqual({
    url: "http://collector:4318/v1/traces",
    headers: {},
    timeoutMs: 10_000,
    compression: "none",
    certificateFile: undefined,
    clientCertificateFile: undefined,
    clientKeyFile: undefined,
    serviceName: "signet",
    resourceAttributes: {},
    sampler: "parentbased_always_on",
    ratio: 1,
    batch: { delayMs: 5_000, timeoutMs: 30_000, maxQueueSize: 2_048, maxSize: 512 },
  });
});

test.each([
  ["the exporter alone", { OTEL_TRACES_EXPORTER: "otlp" }, { url: "http://localhost:4318/v1/traces" }],
  [
    "an endpoint with a path",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example/otlp/" },
    { url: "https://c.example/otlp/v1/traces" },
  ],
  [
    "an endpoint of traces, as it is",
    { ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces/in" },
    { url: "http://traces/in" },
  ],
  [
    "headers of traces, over those of all signals",
    { ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=x%20y", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=2" },
    { headers: { a: "2", b: "x y" } },
  ],
  [
    "a service name in the attributes",
    { ...COLLECTOR, OTEL_RESOURCE_ATTRIBUTES: "service.name=id,deployment.environment.name=test" },
    { serviceName: "id", resourceAttributes: { "deployment.environment.name": "test" } },
  ],
  [
    "a ratio",
    { ...COLLECTOR, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.01" },
    { sampler: "parentbased_traceidratio", ratio: 0.01 },
  ],
  [
    "a queue smaller than the default batch",
    { ...COLLECTOR, OTEL_BSP_MAX_QUEUE_SIZE: "100" },
    { batch: { delayMs: 5_000, timeoutMs: 30_000, maxQueueSize: 100, maxSize: 100 } },
  ],
])("reads %s", (_what, environment, expected) => {
  expect(traces(environment)).toMatchObject(expected);
});

describe("refuses", () => {
  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", "an http or https URL"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/protobuf: Signet exports OTLP by no other protocol"],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json", "http/protobuf: Signet exports OTLP by no other protocol"],
    ["OTEL_TRACES_EXPORTER", "zipkin", "one of otlp, none"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote", "one of always_on, always_off, traceidratio"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", "a number from 0 to 1"],
    ["OTEL_RESOURCE_ATTRIBUTES", "no-value", "a comma-separated list of key=value"],
    ["OTEL_BSP_MAX_QUEUE_SIZE", "0", "an integer from 1"],
  ])("%s=%s", (name, value, expected) => {
    expect(() => traces({ ...COLLECTOR, [name]: value })).toThrow(`${name} is invalid: expected ${expected}`);
  });

  test("headers that cannot be read, without showing them", () => {
    const environment = { ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: "Bearer secret" };
    expect(() => traces(environment)).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS is invalid: (?!.*secret)/);
  });
});
