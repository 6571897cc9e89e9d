import {
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { ChildOptions, ServerSpan, Span, SpanAttributes } from "./span.ts";

/** The spans of one trace in this process. */
interface LocalTrace {
  readonly tracer: OtelTracer;
  /** Ended spans that wait for `admit`, each with its time; undefined when spans need not wait. */
  held: [OtelSpan, number][] | undefined;
}

/** @param options `isHeld`: whether the trace is exported only if its span is admitted. */
export function createRecordedSpan(tracer: OtelTracer, span: OtelSpan, { isHeld }: { isHeld: boolean }): ServerSpan {
  return new RecordedSpan(span, { tracer, held: isHeld ? [] : undefined });
}

class RecordedSpan implements ServerSpan {
  readonly isRecorded = true;
  readonly #span: OtelSpan;
  readonly #trace: LocalTrace;

  constructor(span: OtelSpan, local: LocalTrace) {
    this.#span = span;
    this.#trace = local;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get isHeld(): boolean {
    return this.#trace.held !== undefined;
  }

  admit(): void {
    const { held } = this.#trace;
    this.#trace.held = undefined;
    for (const [span, time] of held ?? []) span.end(time);
  }

  child(name: string, { kind = "internal", attributes, links }: ChildOptions = {}): Span {
    const options = {
      kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
      ...(attributes && { attributes }),
      ...(links && { links: links.filter(isRecorded).map((link) => ({ context: link.#span.spanContext() })) }),
    };
    const span = this.#trace.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
    return new RecordedSpan(span, this.#trace);
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.#span.setAttribute(name, value);
    }
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  event(name: string): void {
    this.#span.addEvent(name);
  }

  link(other: Span): void {
    if (isRecorded(other)) this.#span.addLink({ context: other.#span.spanContext() });
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setAttribute("error.type", errorType(error));
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    const { held } = this.#trace;
    if (held === undefined) this.#span.end();
    else held.push([this.#span, Date.now()]);
  }

  toHeaders(): Record<string, string> {
    const { traceId, spanId, traceState } = this.#span.spanContext();
    const tracestate = traceState?.serialize();
    const flags = this.isHeld ? "00" : "01";
    return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) };
  }
}

function isRecorded(span: Span): span is RecordedSpan {
  return span instanceof RecordedSpan;
}

/** The reason of a SignetError, the code of a Node or database error, or the error's name. */
function errorType(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "_OTHER";
  const { reason, code, name } = error as { reason?: unknown; code?: unknown; name?: unknown };
  return String(reason ?? code ?? name ?? "_OTHER").slice(0, 100);
}
