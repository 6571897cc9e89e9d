import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SignetError } from "../../errors.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { sendError, sendWrongMethod } from "../../http/router.ts";
import { isWebText, toBinaryType } from "../grpc/web-text.ts";

/**
 * Responds to a request with a method or content type that the handler of its path does not support.
 *
 * @returns Whether it is such a request.
 */
export function sendUnsupported(exchange: Exchange, headers: RawHeaders, handler: UniversalHandler): boolean {
  const { method, headers: received } = exchange;
  if (!handler.allowedMethods.includes(method)) {
    sendWrongMethod(exchange, headers, handler.allowedMethods);
    return true;
  }
  const type = isWebText(received) ? toBinaryType(received) : (received["content-type"] ?? "").trim();
  if (method !== "POST" || handler.supportedContentType(type)) return false;
  const message = "this method does not support the content type";
  sendError(exchange, headers, new SignetError("CONTENT_TYPE_UNSUPPORTED", message));
  return true;
}
