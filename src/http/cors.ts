import type { IncomingHttpHeaders } from "node:http";
import { cors as connectCors } from "@connectrpc/connect";
import cors from "cors";
import { type RawHeaders, toRawHeaders } from "./exchange.ts";
import type { NodeExchange } from "./port.ts";

/** Headers of answers that scripts in a browser may read, beside those of gRPC-Web and Connect. */
const EXPOSED_HEADERS = ["deprecation", "www-authenticate", "x-request-id"];

/** The CORS protocol (Fetch standard): which scripts of other origins may call, and what they may read. */
export interface Cors {
  readonly isOn: boolean;
  /** Headers of the answer to a request that is no preflight. */
  headersFor(headers: IncomingHttpHeaders): RawHeaders;
  /** Answers an OPTIONS request. */
  answerPreflight(exchange: NodeExchange): void;
}

/**
 * Tokens travel in a header, never in a cookie, so that credentials are not allowed.
 *
 * @param origins Allowed origins; `*` means any. Without any, browsers are told nothing, and refuse.
 */
export function createCors(origins: readonly string[]): Cors {
  const middleware = cors({
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["GET", "POST", "PUT"],
    allowedHeaders: [...connectCors.allowedHeaders, "authorization", "x-service-orgid"],
    exposedHeaders: [...connectCors.exposedHeaders, ...EXPOSED_HEADERS],
    maxAge: 7_200,
  });
  const isOn = origins.length > 0;
  return {
    isOn,
    headersFor(headers) {
      if (!isOn) return [];
      const answer: Record<string, string> = {};
      const response = {
        getHeader: (name: string) => answer[name.toLowerCase()],
        setHeader(name: string, value: string) {
          answer[name.toLowerCase()] = value;
        },
        end() {},
      };
      // It calls back before it returns, for anything but OPTIONS.
      middleware({ method: "POST", headers }, response, () => {});
      return toRawHeaders(answer);
    },
    answerPreflight({ request, response }) {
      middleware(request, response, () => {});
    },
  };
}
