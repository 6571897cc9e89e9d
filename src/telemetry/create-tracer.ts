import { randomBytes, randomUUID } from "node:crypto";
import { createTraceState, type Tracer as OtelTracer, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { readPem } from "../config/read-pem.ts";
import type { TracesSettings } from "../config/traces.ts";
import { logFailure } from "../log-failure.ts";
import { createRecordedSpan } from "./recorded-span.ts";
import type { ServerSpan, Tracer } from "./span.ts";
import { readTraceContext, type TraceContext } from "./trace-context.ts";

const SAMPLED = 1;

export interface TracerOptions {
  readonly log: Logger;
  /** Of the service. */
  readonly version: string;
}

/**
 * Creates a tracer that exports batches with OTLP over HTTP. Spans that do not fit into the queue are dropped, so that
 * a receiver that is down neither uses memory nor delays calls. Load this module with `openTracer`.
 */
export function createTracer(settings: TracesSettings, { log, version }: TracerOptions): Tracer {
  const { batch, sampler: name, ratio } = settings;
  const ids = new RandomIdGenerator();
  /** The SDK requests the id of a new trace after the sampler has made its decision based on it. */
  let nextTraceId = "";
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.version": version,
        "service.instance.id": randomUUID(),
        ...settings.resourceAttributes,
        "service.name": settings.serviceName,
      }),
    ),
    // The decision is made below, so that unsampled calls do not reach the SDK.
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => nextTraceId, generateSpanId: () => ids.generateSpanId() },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(settings, log),
        scheduledDelayMillis: batch.delayMs,
        exportTimeoutMillis: batch.timeoutMs,
        maxQueueSize: batch.maxQueueSize,
        maxExportBatchSize: batch.maxSize,
      }),
    ],
  });
  const tracer = provider.getTracer("signet");
  const sampler = createSampler(name, ratio);
  const isParentBased = name.startsWith("parentbased_");
  const isSampled = (traceId: string) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId, "", SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;

  return {
    startServer(name, { headers, trusts, attributes }) {
      const parent = readTraceContext(headers);
      const traceId = parent?.traceId ?? ids.generateTraceId();
      const trustsFlag = isParentBased && parent !== undefined && trusts === "of-callers";
      const bySampler = isSampled(traceId);
      const isHeld = trustsFlag && parent.isSampled && !bySampler;
      if (trustsFlag ? !parent.isSampled : !bySampler) return new UnrecordedSpan(traceId, parent?.state);
      nextTraceId = traceId;
      const span = startSpan(tracer, name, SpanKind.SERVER, attributes, parent);
      return createRecordedSpan(tracer, span, { isHeld });
    },
    startRoot(name, { kind = "internal", attributes } = {}) {
      const traceId = ids.generateTraceId();
      if (!isSampled(traceId)) return new UnrecordedSpan(traceId, undefined);
      nextTraceId = traceId;
      const otelKind = kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
      return createRecordedSpan(tracer, startSpan(tracer, name, otelKind, attributes, undefined), { isHeld: false });
    },
    async close(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      // A failed export is logged by the exporter.
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

function startSpan(
  tracer: OtelTracer,
  name: string,
  kind: SpanKind,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> | undefined,
  parent: TraceContext | undefined,
) {
  const options = { kind, ...(attributes && { attributes }) };
  if (parent === undefined) return tracer.startSpan(name, options, ROOT_CONTEXT);
  const { traceId, spanId, isSampled, state } = parent;
  const remote = {
    traceId,
    spanId,
    traceFlags: isSampled ? SAMPLED : 0,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  };
  return tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, remote));
}

/** The sampler used if the sender's flag does not decide: always, never, or by trace id. */
function createSampler(name: TracesSettings["sampler"], ratio: number): Sampler {
  switch (name) {
    case "always_on":
    case "parentbased_always_on":
      return new AlwaysOnSampler();
    case "always_off":
    case "parentbased_always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
    case "parentbased_traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    default:
      return name satisfies never;
  }
}

type ExporterOptions = NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>;

/** Logs failed exports, which the SDK does not report by default. */
function createExporter(settings: TracesSettings, log: Logger): SpanExporter {
  const read = (variable: string, file: string | undefined) =>
    file === undefined ? undefined : readPem(variable, file);
  const ca = read("OTEL_EXPORTER_OTLP_CERTIFICATE", settings.certificateFile);
  const cert = read("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", settings.clientCertificateFile);
  const key = read("OTEL_EXPORTER_OTLP_CLIENT_KEY", settings.clientKeyFile);
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: settings.timeoutMs,
    compression: settings.compression as NonNullable<ExporterOptions["compression"]>,
    httpAgentOptions: { keepAlive: true, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
  });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) logExportFailure(log, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

/** Without the error's other properties, which may contain the receiver's response. */
function logExportFailure(log: Logger, error: Error): void {
  const err = new Error(error.message);
  logFailure(log, "warn", { err: "code" in error ? Object.assign(err, { code: error.code }) : err }, MESSAGE);
}

const MESSAGE = "traces could not be exported";

/** A span of an unsampled trace: propagates the trace, but records nothing. */
export class UnrecordedSpan implements ServerSpan {
  readonly traceId: string;
  readonly isRecorded = false;
  readonly isHeld = false;
  readonly #state: string | undefined;

  constructor(traceId: string, state: string | undefined) {
    this.traceId = traceId;
    this.#state = state;
  }

  admit(): void {}
  child(): undefined {}
  set(): void {}
  rename(): void {}
  event(): void {}
  link(): void {}
  end(): void {}

  toHeaders(): Record<string, string> {
    const traceparent = `00-${this.traceId}-${randomBytes(8).toString("hex")}-00`;
    return { traceparent, ...(this.#state !== undefined && { tracestate: this.#state }) };
  }
}
