import type { Logger } from "pino";
import proxyaddr from "proxy-addr";
import type { SignetError } from "../errors.ts";
import { type Exchange, type RawHeaders, toRawHeaders } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import { deadlineExceeded } from "../rpc/wire-errors.ts";
import type { PageResponse, ServePage } from "./frame/page.ts";

/** More than any form of ours has. */
const MAX_FORM_BYTES = 64 * 1_024;

export interface ServePageOptions {
  readonly servePage: ServePage;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** How long a form may take to arrive. */
  readonly requestTimeoutMs: number;
  readonly log: Logger;
}

/** Serves what lies under `/ui/`: makes a request of the exchange, and an answer of the page. */
export function createServePage({ servePage, trustedProxies, requestTimeoutMs, log }: ServePageOptions) {
  const isTrusted = proxyaddr.compile([...trustedProxies]);

  return async (exchange: Exchange, requestId: string, headers: RawHeaders): Promise<void> => {
    const startedAt = performance.now();
    const { method, url } = exchange;
    const [path = "", query = ""] = url.split(/\?(.*)/s);
    const response = await servePage({
      method,
      path,
      query: new URLSearchParams(query),
      headers: exchange.headers,
      address: toClientAddress(exchange),
      requestId,
      readBody: () => readForm(exchange),
    }).catch((error): PageResponse => {
      logFailure(log, "error", { requestId, err: error }, "a page failed in an unforeseen way");
      return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "internal error\n" };
    });
    if (response.cause !== undefined) logCause(requestId, response);
    exchange.send(response.status, [...headers, ...toRawHeaders(response.headers)], Buffer.from(response.body));
    // The query holds the code of a link, and is in no log; nor is a path of nothing, which may hold it too.
    const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
    const known = response.isNowhere ? {} : { path };
    log.info({ requestId, method, ...known, status: response.status, ms }, "page");
  };

  /** Of HTTP/2 nobody else ends a body that never does. */
  async function readForm(exchange: Exchange): Promise<Buffer> {
    const late = Promise.withResolvers<SignetError>();
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      late.resolve(deadlineExceeded());
    }, requestTimeoutMs);
    exchange.onGone(() => clearTimeout(timer));
    const limits = { maxBytes: MAX_FORM_BYTES, overheadBytes: 0, isOver: () => isOver };
    const body = await Promise.race([exchange.readBody(limits), late.promise]);
    clearTimeout(timer);
    if (body instanceof Error) throw body;
    return body;
  }

  /** A service that is out of reach is no fault of ours. */
  function logCause(requestId: string, { status, cause }: PageResponse): void {
    logFailure(log, status === 503 ? "warn" : "error", { requestId, err: cause }, "a page could not be served");
  }

  function toClientAddress({ headers, remoteAddress }: Exchange): string {
    const connection = { remoteAddress };
    const forwarded = withoutPorts(headers["x-forwarded-for"]);
    return proxyaddr({ headers: { "x-forwarded-for": forwarded }, connection, socket: connection } as never, isTrusted);
  }
}

/** Some proxies name the port too, with which each connection would be an address of its own. */
function withoutPorts(forwarded: string | readonly string[] = ""): string {
  return String(forwarded)
    .split(",")
    .map((address) => address.trim().replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([^\]]*)\](?::\d+)?$/, "$1$2"))
    .join(", ");
}
