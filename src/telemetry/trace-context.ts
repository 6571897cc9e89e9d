import type { IncomingHttpHeaders } from "node:http";

/** The trace of a request, according to its headers. */
export interface TraceContext {
  readonly traceId: string;
  /** Id of the sender's span. */
  readonly spanId: string;
  /** Whether the sender samples the trace. */
  readonly isSampled: boolean;
  /** `tracestate`, as sent. */
  readonly state: string | undefined;
}

const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/**
 * Reads `traceparent` and `tracestate` (W3C Trace Context). Returns undefined if there is no trace, or if it is
 * malformed, in which case the recommendation requires a new trace. A repeated `traceparent` arrives joined by a comma,
 * which is malformed.
 */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId, spanId, flags = "", rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  // Later versions may append fields.
  if (version === "00" && rest !== undefined) return undefined;
  const state = typeof tracestate === "string" && tracestate !== "" ? tracestate : undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0, state };
}

/** The trace id of a request, for the log: from its span, or else from its headers. */
export function traceIdOf(
  span: { readonly traceId: string } | undefined,
  headers: IncomingHttpHeaders,
): string | undefined {
  return span?.traceId ?? readTraceContext(headers)?.traceId;
}
