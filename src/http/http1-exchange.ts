import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawHeaders } from "./exchange.ts";
import type { Transport } from "./http2-exchange.ts";
import { readBody } from "./read-body.ts";

/** The exchange of an HTTP/1.1 request. Its trailers are behind a chunked body, which few clients read. */
export function createHttp1Transport(
  request: IncomingMessage,
  response: ServerResponse,
  onSent: () => void,
): Transport {
  return {
    method: request.method ?? "",
    headers: request.headers,
    hasTrailers: false,
    readBody: (limits) => readBody(request, limits),
    onClose(callback) {
      response.on("close", callback);
    },
    send(status, answer, body, trailers) {
      if (response.destroyed || response.headersSent) return;
      if (body !== undefined && trailers !== undefined) {
        response.writeHead(status, [...answer]);
        response.write(body);
        response.addTrailers(toPairs(trailers));
        response.end();
      } else {
        const length = String(body?.length ?? 0);
        response.writeHead(status, [...answer, ...(trailers ?? []), "content-length", length]);
        response.end(body);
      }
      onSent();
    },
    toNode() {
      response.once("finish", onSent);
      return { request, response };
    },
  };
}

function toPairs(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
  return pairs;
}
