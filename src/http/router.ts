import type { IncomingMessage, ServerResponse } from "node:http";
import { SignetError } from "../errors.ts";
import { toErrorResponse } from "./error-object.ts";
import type { Exchange, Handler, RawHeaders } from "./exchange.ts";

/** Serves the requests below a prefix that ends in `/`, or at a single path such as `/`, with a handler or a Node callback. */
export type Mount =
  | HandlerMount
  | {
      readonly prefix: string;
      readonly nodeHandler: (request: IncomingMessage, response: ServerResponse) => void;
    };

export interface HandlerMount {
  readonly prefix: string;
  readonly handler: Handler;
}

/** Passes each request to the first mount that its path belongs to, and all others to `fallback`. */
export function createRouter(mounts: readonly Mount[], fallback: Handler): Handler {
  return (exchange) => {
    const { path } = exchange;
    const mount = mounts.find(({ prefix }) => path === prefix || (prefix.length > 1 && isBelow(path, prefix)));
    if (mount === undefined) return fallback(exchange);
    if ("handler" in mount) return mount.handler(exchange);
    const { request, response } = exchange.toNode();
    mount.nodeHandler(request, response);
  };
}

function isBelow(path: string, prefix: string): boolean {
  return prefix.endsWith("/") && path.startsWith(prefix);
}

/** Responds with the error object (docs/api.md, section Errors). */
export function sendError(exchange: Exchange, headers: RawHeaders, error: SignetError): void {
  const response = toErrorResponse(error);
  exchange.send(response.status, [...headers, ...response.headers], response.body);
}

/** Responds to a request whose path does not support its method. */
export function sendWrongMethod(
  exchange: Exchange,
  headers: RawHeaders,
  allowed: readonly string[],
  send = sendError,
): void {
  const allow = allowed.join(", ");
  const error = new SignetError("METHOD_NOT_ALLOWED", `this path allows ${allow}`);
  send(exchange, [...headers, "allow", allow], error);
}
