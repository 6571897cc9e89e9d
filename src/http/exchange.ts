import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { SignetError } from "../errors.ts";

/** One HTTP request and its answer, of either version, with no more around them than a unary call needs. */
export interface Exchange {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the other end of the connection: the caller, or a proxy. */
  readonly remoteAddress: string;
  /** Whether an answer can have trailers behind its body: those of HTTP/2 can. */
  readonly hasTrailers: boolean;
  /**
   * Reads the whole body. It may be called once.
   *
   * Resolves to SignetError BODY_TOO_LARGE instead where there is more, and never settles when the caller goes away.
   */
  readBody(limits: BodyLimits): Promise<Buffer | SignetError>;
  /** Calls back when the caller goes away before the answer is sent. */
  onGone(callback: () => void): void;
  /** Sends the answer whole. Without a body the trailers, if there are any, are sent among the headers. */
  send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: Readonly<Record<string, string>>): void;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** How many bytes of the body are not counted. */
  readonly overheadBytes: number;
  /** Whether the call is over, so that what still comes is not kept. */
  readonly isOver: () => boolean;
}

/** Names and values in turn: Node takes them as they are, where an object would be gone through several times. */
export type RawHeaders = readonly string[];

/** The exchange of an HTTP/2 stream. */
export function fromStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Exchange {
  return {
    method: headers[":method"] as string,
    // RFC 9113, section 8.5: a CONNECT request has no path.
    url: headers[":path"] === undefined ? "" : String(headers[":path"]),
    headers,
    get remoteAddress() {
      return stream.session?.socket.remoteAddress ?? "";
    },
    hasTrailers: true,
    readBody: (limits) => readBody(stream, limits),
    onGone(callback) {
      stream.on("close", callback);
    },
    send(status, answer, body, trailers) {
      // A caller can have reset the stream before it was seen here, or with NO_ERROR, which does not destroy it at once.
      if (stream.destroyed || stream.closed || stream.headersSent) return;
      const head = [":status", String(status), ...answer];
      if (body === undefined || headers[":method"] === "HEAD") {
        stream.respond([...head, ...toRawHeaders(trailers)] as never, { endStream: true });
      } else if (trailers === undefined) {
        stream.respond(head as never);
        stream.end(body);
      } else {
        stream.respond(head as never, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers(trailers));
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
    // RFC 9112, section 3.2.2: a server has to accept the absolute form, which is meant for proxies.
    url: (request.url ?? "").replace(/^https?:\/\/[^/?]*/i, ""),
    headers: request.headers,
    get remoteAddress() {
      return request.socket.remoteAddress ?? "";
    },
    hasTrailers: false,
    readBody: (limits) => readBody(request, limits),
    onGone(callback) {
      response.on("close", callback);
    },
    send(status, answer, body, trailers) {
      if (response.destroyed || response.headersSent) return;
      const length = String(body?.length ?? 0);
      response.writeHead(status, [...answer, ...toRawHeaders(trailers), "content-length", length]);
      response.end(body);
    },
  };
}

export function eachHeader(headers: RawHeaders, callback: (name: string, value: string) => void): void {
  for (let at = 0; at < headers.length; at += 2) callback(headers[at] ?? "", headers[at + 1] ?? "");
}

export function toRawHeaders(headers: Readonly<Record<string, string>> = {}): RawHeaders {
  return Object.entries(headers).flat();
}

const NO_BYTES: Buffer = Buffer.alloc(0);

function readBody(
  body: ServerHttp2Stream | IncomingMessage,
  { maxBytes, overheadBytes, isOver }: BodyLimits,
): Promise<Buffer | SignetError> {
  return new Promise((resolve) => {
    let bytes = NO_BYTES;
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      const start = size;
      size += chunk.length;
      // What is not wanted is read and dropped, so that the caller gets to read the answer.
      if (size > maxBytes + overheadBytes || isOver()) {
        bytes = NO_BYTES;
        resolve(new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`));
      } else if (start === 0) {
        bytes = chunk;
      } else {
        if (size > bytes.length) bytes = Buffer.concat([bytes], Math.max(size, 2 * bytes.length));
        chunk.copy(bytes, start);
      }
    });
    body.on("end", () => {
      // A stream of HTTP/2 that was reset ends like any other: what came of it may be a message, but not the one meant.
      if (!body.aborted) resolve(bytes.subarray(0, size));
    });
  });
}
