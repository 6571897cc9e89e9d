import type { Logger } from "pino";
import { elapsedMs } from "../clock.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, Handler, RawHeaders } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import { type Metrics, UNKNOWN } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/span.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import type { PageHeaders, PageResponse, ServePage } from "./frame/page.ts";

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
export function createPageHandler({ servePage, requestTimeoutMs, log, tracer, metrics }: PageHandlerOptions): Handler {
  return (exchange) => {
    void respond(exchange);
  };

  async function respond(exchange: Exchange): Promise<void> {
    const startedAt = performance.now();
    const { id: requestId, method, path, query, headers, address } = exchange;
    const span = tracer && startHttpSpan(tracer, exchange);
    const { signal, hasGone, stopTimer } = watch(exchange, requestTimeoutMs);
    const response = await servePage({
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      address,
      requestId,
      refusal: exchange.refuseStranger(),
      signal,
      span,
      readBody: () => readForm(exchange, signal),
    }).catch((error): PageResponse => {
      logFailure(log, "error", { requestId, err: error }, "serving a page failed unexpectedly");
      return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "internal error\n" };
    });
    stopTimer();
    if (hasGone()) return logPage({ canceled: true });
    if (response.cause !== undefined && !signal.aborted) logCause(requestId, response);
    const { status, body } = response;
    // Without CORS headers, scripts from other origins cannot read a page.
    exchange.send(status, ["x-request-id", requestId, ...toRawHeaders(response.headers)], toBytes(body));
    logPage({ status });

    /** Omits the query, which contains the code of a link, and an unknown path; see PageResponse. */
    function logPage(outcome: { status: number } | { canceled: true }): void {
      const { isUnknownPath, loggedPath = path } = response;
      const traceId = traceIdOf(span, headers);
      const ms = elapsedMs(startedAt);
      const shownPath = isUnknownPath ? undefined : loggedPath;
      const status = "status" in outcome ? outcome.status : undefined;
      log.info({ requestId, method, path: shownPath, ...outcome, ms, trace_id: traceId }, "page");
      metrics?.pageEnded(response.route ?? UNKNOWN, status, ms);
      if (span !== undefined) endHttpSpan(span, { method, route: response.route, status });
    }
  }

  /** An unavailable service is not a defect, so it is logged as a warning. */
  function logCause(requestId: string, { status, cause }: PageResponse): void {
    logFailure(log, status === 503 ? "warn" : "error", { requestId, err: cause }, "a page could not be served");
  }
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
