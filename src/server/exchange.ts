import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { SignetError } from "../errors.ts";

/** One HTTP request and its answer, of either version, with no more around them than a unary call needs. */
export interface Exchange {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether an answer can have trailers behind its body: those of HTTP/2 can. */
  readonly hasTrailers: boolean;
  /**
   * Reads the whole body, of which `overheadBytes` are not counted. It may be called once.
   *
   * Rejects with SignetError BODY_TOO_LARGE, and never settles when the caller goes away.
   */
  readBody(maxBytes: number, overheadBytes: number): Promise<Buffer>;
  /** Calls back when the caller goes away before the answer is sent. */
  onGone(callback: () => void): void;
  /** Sends the answer whole. Without a body the trailers, if there are any, are sent among the headers. */
  send(status: number, headers: OutgoingHttpHeaders, body?: Uint8Array, trailers?: OutgoingHttpHeaders): void;
}

/** The exchange of an HTTP/2 stream. */
export function fromStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Exchange {
  // A stream that breaks is told by `close`; without a listener the error would end the process.
  stream.on("error", ignore);
  return {
    method: headers[":method"] as string,
    // RFC 9113, section 8.5: a CONNECT request has no path.
    url: headers[":path"] === undefined ? "" : String(headers[":path"]),
    headers,
    hasTrailers: true,
    readBody: (maxBytes, overheadBytes) => readBody(stream, maxBytes, overheadBytes),
    onGone(callback) {
      stream.once("close", callback);
    },
    send(status, answer, body, trailers) {
      // A caller can have reset the stream before it was seen here, or with NO_ERROR, which does not destroy it at once.
      if (stream.destroyed || stream.closed || stream.headersSent) return;
      if (body === undefined) {
        stream.respond({ ":status": status, ...answer, ...trailers }, { endStream: true });
      } else {
        stream.respond({ ":status": status, ...answer }, { waitForTrailers: trailers !== undefined });
        if (trailers) stream.once("wantTrailers", () => stream.sendTrailers(trailers));
        stream.end(body);
      }
      // RFC 9113, section 8.1: the rest of a request that was answered early is not wanted.
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    },
  };
}

/** The exchange of an HTTP/1.1 request, whose answers have no trailers. */
export function fromHttp1(request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers: request.headers,
    hasTrailers: false,
    readBody: (maxBytes, overheadBytes) => readBody(request, maxBytes, overheadBytes),
    onGone(callback) {
      response.once("close", callback);
    },
    send(status, answer, body, trailers) {
      if (response.destroyed || response.headersSent) return;
      response.writeHead(status, { ...answer, ...trailers, "content-length": body?.length ?? 0 });
      response.end(body);
    },
  };
}

function readBody(body: ServerHttp2Stream | IncomingMessage, maxBytes: number, overheadBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes + overheadBytes) chunks.push(chunk);
      // What comes now is read and dropped, so that the caller gets to read the answer.
      else reject(new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`));
    });
    body.once("end", () => {
      // A stream of HTTP/2 that was reset ends like any other: what came of it may be a message, but not the one meant.
      if (!body.aborted) resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    });
    // Stays for good: an error would otherwise end the process. The caller has gone then, as `close` tells.
    body.on("error", ignore);
  });
}

function ignore(): void {}
