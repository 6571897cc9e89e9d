import type { IncomingHttpHeaders } from "node:http";

/** Values of a span. They must not contain secrets or personal data: no names, addresses, URLs, or SQL values. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `internal`: work in this process; `client`: a request to another process. */
type SpanKind = "internal" | "client";

export interface ChildOptions {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** Spans of other traces that this span also serves. */
  readonly links?: readonly Span[];
}

/**
 * A part of a trace (OpenTelemetry). It is passed explicitly, as a property of the call, because AsyncLocalStorage
 * costs CPU time in every `await`.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether the span is recorded. Otherwise its methods do nothing, and `child` returns undefined. */
  readonly isRecorded: boolean;
  /** Whether the trace is exported only once its caller is known; see `ServerSpan.admit`. */
  readonly isHeld: boolean;
  /** Starts a child span. */
  child(name: string, options?: ChildOptions): Span | undefined;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Records an event at the current time. */
  event(name: string): void;
  link(other: Span): void;
  /** @param error The failure, if any: its code or reason becomes `error.type`, its message is not recorded. */
  end(error?: unknown): void;
  /** `traceparent` for a request that belongs to this span, and `tracestate` if the trace has one (W3C). */
  toHeaders(): Readonly<Record<string, string>>;
}

/** The span of a request that this process serves. */
export interface ServerSpan extends Span {
  /** The caller is authorized: from then on, the sampled flag of the request is honored. */
  admit(): void;
  /** Ends the span, with the error if it is a defect or an outage of the service. */
  end(error?: unknown): void;
}

/** Whose sampled flag is honored: callers', once they are authorized, or nobody's, for requests without a token. */
type TrustedFlag = "of-callers" | "of-nobody";

/** Starts traces. */
export interface Tracer {
  /** Continues the trace of a request's `traceparent`, or starts one. */
  startServer(
    name: string,
    request: {
      readonly headers: IncomingHttpHeaders;
      readonly trusts: TrustedFlag;
      readonly attributes?: SpanAttributes;
    },
  ): ServerSpan;
  /** Starts a trace for background work. */
  startRoot(name: string, options?: Omit<ChildOptions, "links">): Span;
  /** Exports the recorded spans within this time, and stops. Never rejects. */
  close(limitMs: number): Promise<void>;
}
