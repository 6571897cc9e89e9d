import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import type { SignetError } from "../errors.ts";
import { BaseExchange } from "./base-exchange.ts";
import type { Connection } from "./connection.ts";
import type { BodyLimits, RawHeaders } from "./exchange.ts";
import { MAX_DROPPED_BYTES, readBody } from "./read-body.ts";

/**
 * How long a stream stays open after its response if the request continues. curl 7.88 loses the response if the reset follows
 * at once: 38 of 40 with a body of 300 KB.
 */
const HELD_MS = 500;

/** Streams of a connection that stay open at a time. Others are reset at once. */
const MAX_HELD_STREAMS = 8;

/** The exchange of an HTTP/2 stream. */
export class Http2Exchange extends BaseExchange {
  readonly hasTrailers = true;
  readonly #stream: ServerHttp2Stream;

  constructor(connection: Connection, stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: string[]) {
    // RFC 9113, section 8.5: a CONNECT request has no path.
    super(connection, headers[":method"] as string, String(headers[":path"] ?? ""), headers, rawHeaders);
    this.#stream = stream;
    stream.on("close", () => {
      this.close();
      // Node allocates part of each stream in the old generation, where it would keep the listeners, and through them
      // the whole call, alive until the next major collection, and each minor collection would copy them: 5 to 12 µs of
      // CPU time per call. Node's own listener for removed listeners goes first, because it is called for each other one.
      stream.removeAllListeners("removeListener").removeAllListeners();
    });
    stream.on("aborted", destroyReset).on("end", destroyReset);
  }

  readBody(limits: BodyLimits): Promise<Buffer | SignetError> {
    return readBody(this.#stream, limits);
  }

  send(status: number, headers: RawHeaders, body?: Uint8Array, trailers?: RawHeaders): void {
    const stream = this.#stream;
    if (isGone(stream) || stream.headersSent) return;
    const hasBody = body !== undefined && this.method !== "HEAD";
    const head = [":status", String(status), ...headers, ...((!hasBody && trailers) || [])];
    if (!hasBody) {
      stream.respond(head as never, { endStream: true });
    } else if (trailers === undefined) {
      stream.respond(head as never);
      stream.end(body);
    } else {
      stream.respond(head as never, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers(toObject(trailers)));
      stream.end(body);
    }
    this.sentAt = performance.now();
    if (!stream.readableEnded) this.#stopRequest();
  }

  toNode(): { request: IncomingMessage; response: ServerResponse } {
    const request = new Http2ServerRequest(this.#stream, this.headers, {}, this.rawHeaders);
    const response = new Http2ServerResponse(this.#stream);
    const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
    // Its `finish` event is emitted only when the stream closes.
    const endAndNote = (...args: unknown[]) => {
      this.sentAt ??= performance.now();
      return end(...args);
    };
    response.end = endAndNote;
    return {
      request: request as unknown as IncomingMessage,
      response: response as unknown as ServerResponse,
    };
  }

  /**
   * Drops the rest of a request, and signals the client to stop (RFC 9113, section 8.1): for gRPC immediately after the
   * response, as PROTOCOL-HTTP2.md requires, and otherwise some time later.
   */
  #stopRequest(): void {
    const stream = this.#stream;
    const { connection } = this;
    const stop = () => {
      if (!isGone(stream) && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    };
    const hold = () => {
      if (isGone(stream) || stream.readableEnded) return;
      if (/^\s*application\/grpc/i.test(this.headers["content-type"] ?? "")) return stop();
      if (connection.heldStreams >= MAX_HELD_STREAMS) return stop();
      this.release();
      connection.heldStreams += 1;
      const timer = setTimeout(stop, HELD_MS);
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_DROPPED_BYTES) setImmediate(stop);
      });
      stream.once("close", () => {
        clearTimeout(timer);
        connection.heldStreams -= 1;
      });
    };
    stream.resume();
    // Never from within a callback of nghttp2: if streams are refused at the same time, Node 24 loops forever in
    // `nghttp2_session_pack_data`.
    stream.once("finish", () => setImmediate(hold));
  }

  abandon(): void {
    setImmediate(() => {
      this.#stream.close(constants.NGHTTP2_CANCEL);
      // A stream that its client has closed is not closed again.
      this.#stream.destroy();
    });
  }
}

/** A client may reset the stream before it is handled, or with NO_ERROR, which does not destroy it immediately. */
export function isGone(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}

/**
 * Destroys a stream that the client reset before it had the whole response. After RST_STREAM with NO_ERROR, Node 24
 * keeps such a stream until the response is sent, which never happens; after a GOAWAY, Node does not even notice the
 * end of the connection. Of the two events, `aborted` is emitted if the response has not ended, `end` if the request is
 * being read.
 */
function destroyReset(this: ServerHttp2Stream): void {
  // Never from within a callback of nghttp2.
  if (this.closed && !this.writableFinished) setImmediate(() => this.destroy());
}

function toObject(headers: RawHeaders): Record<string, string> {
  const object: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) object[headers[at] ?? ""] = headers[at + 1] ?? "";
  return object;
}
