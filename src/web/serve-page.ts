import type { Logger } from "pino";
import { deadlineExceeded, type SignetError } from "../errors.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { PageResponse, ServePage } from "./frame/page.ts";

/** More than any form of ours has. */
const MAX_FORM_BYTES = 64 * 1_024;

export interface PageHandlerOptions {
  readonly servePage: ServePage;
  /** How long a form may take to arrive. */
  readonly requestTimeoutMs: number;
  readonly log: Logger;
}

/** Answers the requests for pages: makes a page request of the exchange, and an answer of the page. */
export function createPageHandler({ servePage, requestTimeoutMs, log }: PageHandlerOptions): Handler {
  return (exchange) => {
    void answer(exchange);
  };

  async function answer(exchange: Exchange): Promise<void> {
    const { id: requestId, method, path, address, headers } = exchange;
    const startedAt = performance.now();
    const response = await servePage({
      method,
      path,
      query: new URLSearchParams(exchange.query),
      headers,
      address,
      requestId,
      readBody: () => readForm(exchange),
    }).catch((error): PageResponse => {
      log.error({ requestId, err: error }, "a page failed in an unforeseen way");
      return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "internal error\n" };
    });
    if (response.cause !== undefined) logCause(requestId, response);
    // No script of another origin may read a page: there are no CORS headers.
    const raw = ["x-request-id", requestId, ...Object.entries(response.headers).flat()];
    exchange.send(response.status, raw, Buffer.from(response.body));
    // The query holds the code of a link, and is in no log; nor is a path of nothing, which may hold it too.
    const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
    const known = response.isNowhere ? {} : { path };
    log.info({ requestId, method, ...known, status: response.status, ms }, "page");
  }

  /** Of HTTP/2 nobody else ends a body that never does. */
  async function readForm(exchange: Exchange): Promise<Buffer> {
    const late = Promise.withResolvers<SignetError>();
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      late.resolve(deadlineExceeded());
    }, requestTimeoutMs);
    exchange.onClose(() => clearTimeout(timer));
    const limits = { maxBytes: MAX_FORM_BYTES, overheadBytes: 0, isOver: () => isOver };
    const body = await Promise.race([exchange.readBody(limits), late.promise]);
    clearTimeout(timer);
    if (body instanceof Error) throw body;
    return body;
  }

  /** A service that is out of reach is no fault of ours. */
  function logCause(requestId: string, { status, cause }: PageResponse): void {
    const level = status === 503 ? "warn" : "error";
    log[level]({ requestId, err: cause }, "a page could not be served");
  }
}
