import { cors as connectCors } from "@connectrpc/connect";
import cors from "cors";
import type { Exchange, RawHeaders } from "./exchange.ts";

/** Response headers that browser scripts may read, in addition to the headers of gRPC-Web and Connect. */
const EXPOSED_HEADERS = ["deprecation", "link", "www-authenticate", "x-request-id", "retry-after"];

/** Request headers that browser scripts may send, in addition to the headers of gRPC-Web and Connect. */
const ALLOWED_HEADERS = ["authorization", "x-service-orgid", "x-zitadel-orgid", "idempotency-key"];

/** The CORS protocol (Fetch standard): which scripts from other origins may call, and what they may read. */
interface Cors {
  readonly isOn: boolean;
  /** Headers of the response to a request that is not a preflight. */
  headersFor(exchange: Exchange): RawHeaders;
  /** Responds to an OPTIONS request. */
  sendPreflight(exchange: Exchange): void;
}

/**
 * Credentials are not allowed, because tokens are sent in a header and never in a cookie.
 *
 * @param origins Allowed origins; `*` means any. Without any, no response has a CORS header, and browsers block the
 *   scripts.
 * @param methods HTTP methods of the routes.
 */
export function createCors(origins: readonly string[], methods: readonly string[]): Cors {
  const middleware = cors({
    origin: origins.includes("*") ? "*" : [...origins],
    methods: [...methods],
    allowedHeaders: [...connectCors.allowedHeaders, ...ALLOWED_HEADERS],
    exposedHeaders: [...connectCors.exposedHeaders, ...EXPOSED_HEADERS],
    maxAge: 7_200,
  });
  const isOn = origins.length > 0;

  function runMiddleware(method: string, exchange: Exchange): { status: number; headers: RawHeaders } {
    const headers = new Map<string, string>();
    const response = {
      statusCode: 200,
      getHeader: (name: string) => headers.get(name.toLowerCase()),
      setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
      end() {},
    };
    // `cors` calls back, or ends the response, before it returns.
    middleware({ method, headers: exchange.headers }, response as never, () => {});
    return { status: response.statusCode, headers: [...headers].flat() };
  }

  return {
    isOn,
    headersFor: (exchange) => (isOn ? runMiddleware("POST", exchange).headers : []),
    sendPreflight(exchange) {
      const { status, headers } = runMiddleware("OPTIONS", exchange);
      exchange.send(
        status,
        headers.filter((_, at) => headers[at - (at % 2)] !== "content-length"),
      );
    },
  };
}
