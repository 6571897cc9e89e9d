import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { integer, list } from "./schemas.ts";
import { choice, type Values, variable } from "./variables.ts";

const PROTOCOLS = z.enum(["http/protobuf", "http/json", "grpc"]) as z.ZodType<string, string>;
const HTTP_PROTOBUF = "http/protobuf: Signet exports OTLP by no other protocol";
const PAIRS = "a comma-separated list of key=value, percent-encoded";
const URL_EXPECTED = "an http or https URL";
const FILE = "the path of a PEM file";
const MS = "an integer from 1 to 600000";
const HTTP_URL = z.url({ protocol: /^https?$/ });

export const TRACES_VARIABLES = {
  OTEL_SDK_DISABLED: variable(
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(["true", "false"]))
      .transform((text) => text === "true") as z.ZodType<boolean, string>,
    "true or false",
  ),
  OTEL_TRACES_EXPORTER: variable(list(z.enum(["otlp", "none"]) as z.ZodType<string, string>), "one of otlp, none"),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(HTTP_URL, URL_EXPECTED),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(HTTP_URL, URL_EXPECTED),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(PROTOCOLS, HTTP_PROTOBUF),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable(PROTOCOLS, HTTP_PROTOBUF),
  OTEL_EXPORTER_OTLP_HEADERS: variable(pairs(), PAIRS, "secret"),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: variable(pairs(), PAIRS, "secret"),
  OTEL_EXPORTER_OTLP_TIMEOUT: variable(integer(1, 600_000), MS),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: variable(integer(1, 600_000), MS),
  OTEL_EXPORTER_OTLP_COMPRESSION: choice("gzip", "none"),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: choice("gzip", "none"),
  OTEL_EXPORTER_OTLP_CERTIFICATE: variable(z.string(), FILE),
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: variable(z.string(), FILE),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: variable(z.string(), FILE),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: variable(z.string(), FILE),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: variable(z.string(), FILE),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: variable(z.string(), FILE),
  OTEL_SERVICE_NAME: variable(z.string(), "a text"),
  OTEL_RESOURCE_ATTRIBUTES: variable(pairs(), PAIRS),
  OTEL_TRACES_SAMPLER: choice(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z
      .string()
      .regex(/^\d*\.?\d+$/)
      .transform(Number)
      .pipe(z.number().max(1)),
    "a number from 0 to 1",
  ),
  OTEL_BSP_SCHEDULE_DELAY: variable(integer(1, 600_000), MS),
  OTEL_BSP_EXPORT_TIMEOUT: variable(integer(1, 600_000), MS),
  OTEL_BSP_MAX_QUEUE_SIZE: variable(integer(1, 100_000), "an integer from 1 to 100000"),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: variable(integer(1, 100_000), "an integer from 1 to 100000"),
};

type TracesValues = Values<typeof TRACES_VARIABLES>;

/** Undefined if traces are not exported. */
export interface TracesConfig {
  readonly traces: TracesSettings | undefined;
}

/** OpenTelemetry's trace settings; docs/configuration.md lists the variables. */
export type TracesSettings = Readonly<ReturnType<typeof readSettings>>;

/**
 * Traces are exported if an endpoint or an exporter is configured (OpenTelemetry, environment variable specification).
 */
export function readTraces(values: TracesValues): TracesConfig {
  const exporters = values.OTEL_TRACES_EXPORTER;
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOn = exporters === undefined ? endpoint !== undefined : !exporters.includes("none");
  if (!isOn || values.OTEL_SDK_DISABLED) return { traces: undefined };
  checkProtocol(values);
  return { traces: readSettings(values) };
}

function readSettings(values: TracesValues) {
  const maxQueueSize = values.OTEL_BSP_MAX_QUEUE_SIZE ?? 2_048;
  const { "service.name": nameInAttributes, ...resourceAttributes } = values.OTEL_RESOURCE_ATTRIBUTES ?? {};
  return {
    /** Receives OTLP over HTTP in protobuf. */
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? tracesUrl(values.OTEL_EXPORTER_OTLP_ENDPOINT),
    headers: { ...values.OTEL_EXPORTER_OTLP_HEADERS, ...values.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeoutMs: values.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? values.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000,
    compression: values.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? values.OTEL_EXPORTER_OTLP_COMPRESSION ?? "none",
    certificateFile: values.OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE ?? values.OTEL_EXPORTER_OTLP_CERTIFICATE,
    clientCertificateFile:
      values.OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE ?? values.OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE,
    clientKeyFile: values.OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY ?? values.OTEL_EXPORTER_OTLP_CLIENT_KEY,
    serviceName: values.OTEL_SERVICE_NAME ?? nameInAttributes ?? "signet",
    resourceAttributes,
    sampler: values.OTEL_TRACES_SAMPLER ?? "parentbased_always_on",
    /** The ratio of sampled traces, for ratio-based samplers. */
    ratio: values.OTEL_TRACES_SAMPLER_ARG ?? 1,
    batch: {
      delayMs: values.OTEL_BSP_SCHEDULE_DELAY ?? 5_000,
      timeoutMs: values.OTEL_BSP_EXPORT_TIMEOUT ?? 30_000,
      maxQueueSize,
      maxSize: Math.min(values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512, maxQueueSize),
    },
  };
}

/** The path of traces below an endpoint for all signals (OTLP exporter specification). */
function tracesUrl(endpoint = "http://localhost:4318"): string {
  return `${endpoint.replace(/\/$/, "")}/v1/traces`;
}

/** Other protocols are accepted while traces are off, because the variable may be set for all programs on a machine. */
function checkProtocol(values: TracesValues): void {
  for (const name of ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] as const) {
    const protocol = values[name];
    if (protocol === "http/protobuf") return;
    if (protocol !== undefined)
      throw new ConfigError(`${name} is invalid: expected ${HTTP_PROTOBUF}, got "${protocol}"`);
  }
}

/** `key1=value1,key2=value2`; keys and values may be percent-encoded. */
function pairs(): z.ZodType<Record<string, string>, string> {
  return z.string().transform((text, context) => {
    const found: Record<string, string> = {};
    for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
      const at = pair.indexOf("=");
      const [key, value] = [decode(pair.slice(0, Math.max(at, 0))), decode(pair.slice(at + 1))];
      if (!key || value === undefined) context.addIssue({ code: "custom" });
      else found[key] = value;
    }
    return found;
  }) as z.ZodType<Record<string, string>, string>;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}
