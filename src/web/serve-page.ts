import type { Logger } from "pino";
import { elapsedMs } from "../clock.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, Handler, RawHeaders } from "../http/exchange.ts";
import { findParameterError } from "../http/find-parameter-error.ts";
import { readForm, watchExchange } from "../http/watch-exchange.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import { type Metrics, UNKNOWN } from "../telemetry/metrics.ts";
import type { ServerSpan, Tracer } from "../telemetry/span.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import type { LaidOutPage, PageHeaders, PageRequest, ServePage } from "./frame/page.ts";
import { createLargeForms, type LargeForms } from "./large-forms.ts";

/** The maximum size of a body, which is larger than any form except the response of a SAML provider. */
const MAX_FORM_BYTES = 64 * 1_024;

interface PageHandlerOptions {
  readonly servePage: ServePage;
  /** The time limit of a page, including the time to receive its form. */
  readonly requestTimeoutMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Serves everything under `/ui/`: converts an exchange to a page request, and the page to the response. */
export function createPageHandler(options: PageHandlerOptions): Handler {
  const largeForms = createLargeForms<Exchange>();
  return (exchange) => {
    void respond(options, exchange, largeForms).finally(() => largeForms.release(exchange));
  };
}

async function respond(
  options: PageHandlerOptions,
  exchange: Exchange,
  largeForms: LargeForms<Exchange>,
): Promise<void> {
  const startedAt = performance.now();
  const { servePage, requestTimeoutMs, log, tracer } = options;
  const span = tracer && startHttpSpan(tracer, exchange);
  const { signal, hasGone, stopTimer } = watchExchange(exchange, requestTimeoutMs);
  const response = await servePage(toPageRequest(exchange, signal, span, largeForms)).catch((error): LaidOutPage => {
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

function toPageRequest(
  exchange: Exchange,
  signal: AbortSignal,
  span: ServerSpan | undefined,
  largeForms: LargeForms<Exchange>,
): PageRequest {
  const { id: requestId, method, path, headers, address } = exchange;
  const query = new URLSearchParams(exchange.query);
  const refusal = exchange.refuseStranger() ?? findParameterError(exchange.query);
  const readBody = async (maxBytes = MAX_FORM_BYTES) => {
    // Without a length, the form may be large.
    const isSmall = maxBytes <= MAX_FORM_BYTES || Number(headers["content-length"] ?? Infinity) <= MAX_FORM_BYTES;
    if (!isSmall) largeForms.hold(exchange, address);
    const body = await readForm(exchange, maxBytes, signal);
    if (body instanceof SignetError) throw body;
    if (!isSmall) largeForms.count(address, body.length);
    return body;
  };
  return { method, path, query, headers, address, requestId, refusal, signal, span, readBody };
}

/** An unavailable service is not a defect, so it is logged as a warning. */
function logCause(log: Logger, { id: requestId }: Exchange, { status, cause }: LaidOutPage): void {
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
  { status: sent, route, isUnknownPath, loggedPath = path }: LaidOutPage,
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

/** The headers of a page, in the form of `Exchange.send`. */
export function toRawHeaders(headers: PageHeaders): RawHeaders {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
}

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
