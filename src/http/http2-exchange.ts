import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import type { Exchange, RawHeaders } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** The part of an exchange that depends on the version of HTTP. */
export type Transport = Pick<
  Exchange,
  "method" | "headers" | "hasTrailers" | "readBody" | "onClose" | "send" | "toNode"
>;

/** The exchange of an HTTP/2 stream. */
export function createHttp2Transport(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  raw: string[],
  onSent: () => void,
): Transport {
  const method = headers[":method"] as string;
  return {
    method,
    headers,
    hasTrailers: true,
    readBody: (limits) => readBody(stream, limits),
    onClose(callback) {
      stream.on("close", callback);
    },
    send(status, answer, body, trailers) {
      if (isGone(stream) || stream.headersSent) return;
      const head = [":status", String(status), ...answer];
      if (body === undefined || method === "HEAD") {
        stream.respond((trailers ? [...head, ...trailers] : head) as never, { endStream: true });
      } else if (trailers === undefined) {
        stream.respond(head as never);
        stream.end(body);
      } else {
        stream.respond(head as never, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers(toObject(trailers)));
        stream.end(body);
      }
      onSent();
      if (!stream.readableEnded) stopRequest(stream);
    },
    toNode() {
      const request = new Http2ServerRequest(stream, headers, {}, raw);
      const response = new Http2ServerResponse(stream);
      response.once("finish", onSent);
      return {
        request: request as unknown as IncomingMessage,
        response: response as unknown as ServerResponse,
      };
    },
  };
}

/** A caller may reset the stream before it is seen here, or with NO_ERROR, which does not destroy it at once. */
export function isGone(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}

/**
 * Drops the rest of a request that was answered early, and says that it is not wanted (RFC 9113, section 8.1).
 *
 * Not before the answer has left, and never from within a callback of nghttp2: where streams are refused at the same
 * time, Node 24 then spins in `nghttp2_session_pack_data` for ever.
 */
function stopRequest(stream: ServerHttp2Stream): void {
  stream.resume();
  const stop = () => {
    if (!isGone(stream) && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  stream.once("finish", () => setImmediate(stop));
}

function toObject(headers: RawHeaders): Record<string, string> {
  const object: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) object[headers[at] ?? ""] = headers[at + 1] ?? "";
  return object;
}
