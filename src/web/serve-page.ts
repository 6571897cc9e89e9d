import type { Logger } from "pino";
import { elapsedMs } from "../clock.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, Handler, RawHeaders } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import { type Metrics, UNKNOWN } from "../telemetry/metrics.ts";
import type { ServerSpan, Tracer } from "../telemetry/span.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import type { PageHeaders, PageRequest, PageResponse, ServePage } from "./frame/page.ts";

/** The maximum size of a body, which is larger than any form. */
const MAX_FORM_BYTES = 64 * 1_024;

export interface PageHandlerOptions {
  readonly servePage: ServePage;
  /** The time limit of a page, including the time to receive its form. */
  readonly requestTimeoutMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Serves everything under `/ui/`: converts an exchange to a page request, and the page to the response. */
export function createPageHandler(options: PageHandlerOptions): Handler {
  return (exchange) => {
    void respond(options, exchange);
  };
}

async function respond(options: PageHandlerOptions, exchange: Exchange): Promise<void> {
  const startedAt = performance.now();
  const { servePage, requestTimeoutMs, log, tracer } = options;
  const span = tracer && startHttpSpan(tracer, exchange);
  const { signal, hasGone, stopTimer } = watch(exchange, requestTimeoutMs);
  const response = await servePage(toPageRequest(exchange, signal, span)).catch((error): PageResponse => {
    logFailure(log, "error", { requestId: exchange.id, err: error }, "serving a page failed unexpectedly");
    return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "internal error\n" };
  });
  stopTimer();
  const isCanceled = hasGone();
  if (!isCanceled) {
    if (response.cause !== undefined && !signal.aborted) logCause(log, exchange, response);
    // Without CORS headers, scripts from other origins cannot read a page.
    const headers = ["x-request-id", exchange.id, ...toRawHeaders(response.headers)];
    exchange.send(response.status, headers, toBytes(response.body));
  }
  logPage(options, exchange, response, { startedAt, span, isCanceled });
}

function toPageRequest(exchange: Exchange, signal: AbortSignal, span: ServerSpan | undefined): PageRequest {
  const { id: requestId, method, path, headers, address } = exchange;
  const query = new URLSearchParams(exchange.query);
  const refusal = exchange.refuseStranger();
  const readBody = () => readForm(exchange, signal);
  return { method, path, query, headers, address, requestId, refusal, signal, span, readBody };
}

/** An unavailable service is not a defect, so it is logged as a warning. */
function logCause(log: Logger, { id: requestId }: Exchange, { status, cause }: PageResponse): void {
  logFailure(log, status === 503 ? "warn" : "error", { requestId, err: cause }, "a page could not be served");
}

interface ServedPage {
  readonly startedAt: number;
  readonly span: ServerSpan | undefined;
  /** Whether the client disconnected before the response. */
  readonly isCanceled: boolean;
}

/** Omits the query, which contains the code of a link, and an unknown path; see PageResponse. */
function logPage(
  { log, metrics }: PageHandlerOptions,
  { id: requestId, method, path, headers }: Exchange,
  { status: sent, route, isUnknownPath, loggedPath = path }: PageResponse,
  { startedAt, span, isCanceled }: ServedPage,
): void {
  const ms = elapsedMs(startedAt);
  const status = isCanceled ? undefined : sent;
  const outcome = isCanceled ? { canceled: true } : { status };
  const shownPath = isUnknownPath ? undefined : loggedPath;
  log.info({ requestId, method, path: shownPath, ...outcome, ms, trace_id: traceIdOf(span, headers) }, "page");
  metrics?.pageEnded(route ?? UNKNOWN, status, ms);
  if (span !== undefined) endHttpSpan(span, { method, route, status });
}

/** A signal that is aborted when the client disconnects or the time limit is reached. */
function watch(exchange: Exchange, timeoutMs: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const stopTimer = () => clearTimeout(timer);
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
    stopTimer();
    controller.abort();
  });
  return { signal: controller.signal, hasGone: () => isGone, stopTimer };
}

async function readForm(exchange: Exchange, signal: AbortSignal): Promise<Buffer> {
  const late = Promise.withResolvers<SignetError>();
  const onAbort = () => late.resolve(new SignetError("DEADLINE_EXCEEDED", "the form did not arrive in time"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const limits = { maxBytes: MAX_FORM_BYTES, overheadBytes: 0, isOver: () => signal.aborted };
  const body = await Promise.race([late.promise, exchange.readBody(limits)]);
  signal.removeEventListener("abort", onAbort);
  if (body instanceof Error) throw body;
  return body;
}

function toRawHeaders(headers: PageHeaders): RawHeaders {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
}

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
