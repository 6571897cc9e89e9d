import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { SignetError } from "../../errors.ts";
import { errorHeaders, httpStatusOf } from "../../http/error-object.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { sendError, sendWrongMethod } from "../../http/router.ts";
import { isWebText, toBinaryType } from "../grpc/web-text.ts";
import { toConnectError } from "./handlers.ts";

/**
 * Responds to a request with a method or content type that the handler of its path does not support.
 *
 * @returns Whether it is such a request.
 */
export function sendUnsupported(exchange: Exchange, headers: RawHeaders, handler: UniversalHandler): boolean {
  const { method, headers: received } = exchange;
  const send = isConnect(exchange) ? sendConnectError : sendError;
  if (!handler.allowedMethods.includes(method)) {
    sendWrongMethod(exchange, headers, handler.allowedMethods, send);
    return true;
  }
  const type = isWebText(received) ? toBinaryType(received) : (received["content-type"] ?? "").trim();
  if (method !== "POST" || handler.supportedContentType(type)) return false;
  const message = "this method does not support the content type";
  send(exchange, headers, new SignetError("CONTENT_TYPE_UNSUPPORTED", message));
  return true;
}

/** Whether a request to an RPC path is one of the Connect protocol. */
export function isConnect({ headers, query }: Exchange): boolean {
  return (
    headers["connect-protocol-version"] !== undefined ||
    /^[\t ]*application\/(json|proto|connect\+\w+)\b/i.test(headers["content-type"] ?? "") ||
    /(^|&)connect=v1(&|$)/.test(query)
  );
}

/** An error of a unary call in the Connect protocol. Its status is that of HTTP, as for REST. */
export function sendConnectError(exchange: Exchange, headers: RawHeaders, error: SignetError): void {
  const body = errorToJsonBytes(toConnectError(error), undefined);
  const head = [...headers, "content-type", "application/json", ...errorHeaders(error)];
  exchange.send(httpStatusOf(error.code, error.reason), head, body);
}
