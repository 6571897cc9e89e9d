import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { until } from "../until.ts";

export type AttributeValue = string | number | boolean;

/** A span as exported; ids in hexadecimal digits. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "other";
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly events: readonly string[];
  /** Ids of the linked spans. */
  readonly links: readonly string[];
  readonly hasFailed: boolean;
  /** In milliseconds. */
  readonly durationMs: number;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, AttributeValue>>;
}

/** A receiver of OTLP over HTTP, which decodes with the schema of the protocol. */
export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  /** Headers of the exports. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** The status of responses. */
  status: number;
  /** Waits until the first span of a trace in the service has been exported, and returns all of them. */
  waitForTrace(traceId: string): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

const SCHEMA = fileURLToPath(new URL("./traces.proto", import.meta.url));
const KINDS: Readonly<Record<number, ReceivedSpan["kind"]>> = { 1: "internal", 2: "server", 3: "client" };
const ERROR = 2;

/** @param port Any free one by default. */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const definition = loadSync(SCHEMA, { longs: String, defaults: true, oneofs: true });
  const service = definition["opentelemetry.proto.TraceService"] as ServiceDefinition;
  const { requestDeserialize: decode } = service.Export as NonNullable<(typeof service)[string]>;
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests.push({ path: request.url ?? "", headers: request.headers });
    if (receiver.status === 200) {
      spans.push(...toSpans(decode(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body)));
    }
    response.writeHead(receiver.status, { "content-type": "application/x-protobuf" }).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const receiver: OtlpReceiver = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    status: 200,
    async waitForTrace(traceId) {
      const find = () => spans.filter((span) => span.traceId === traceId);
      // The first span ends last, and spans are exported in the order in which they end.
      return await until(`trace ${traceId} is exported`, () => {
        const found = find();
        return found.some(({ kind, parentSpanId }) => kind === "server" || parentSpanId === "") && found;
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

// biome-ignore-start lint/suspicious/noExplicitAny: what proto-loader decodes has no types
function toSpans(message: any): ReceivedSpan[] {
  return message.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) => spans.map((span: any) => toSpan(span, toAttributes(resource.attributes)))),
  );
}

function toSpan(span: any, resource: ReceivedSpan["resource"]): ReceivedSpan {
  return {
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentSpanId: toHex(span.parentSpanId),
    traceState: span.traceState,
    name: span.name,
    kind: KINDS[span.kind] ?? "other",
    attributes: toAttributes(span.attributes),
    events: span.events.map(({ name }: any) => name),
    links: span.links.map(({ spanId }: any) => toHex(spanId)),
    hasFailed: span.status?.code === ERROR,
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
    resource,
  };
}

function toAttributes(list: any): Record<string, AttributeValue> {
  return Object.fromEntries(
    list.map(({ key, value }: any) => [key, value.value === "intValue" ? Number(value.intValue) : value[value.value]]),
  );
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above

function toHex(bytes: Buffer): string {
  return Buffer.from(bytes).toString("hex");
}

/** The tree of a trace: each span's name with the names of its children, sorted by name. */
export type SpanTree = { readonly [name: string]: SpanTree };

/** @param spans The spans of one trace. The parent of the first is in another process, or absent. */
export function toTree(spans: readonly ReceivedSpan[]): SpanTree {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parents: readonly ReceivedSpan[]): SpanTree =>
    Object.fromEntries(
      parents
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((parent) => [parent.name, below(spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId))]),
    );
  return below(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId)));
}

/** A trace started by the tests. */
export function newTrace(flags = "01"): { traceId: string; spanId: string; traceparent: string } {
  const [traceId, spanId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** The span of this name. */
export function findSpan(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
}
