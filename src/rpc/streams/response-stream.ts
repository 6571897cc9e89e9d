import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerResponse, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { RawHeaders } from "../../http/exchange.ts";
import { rewriteGrpcTrailers } from "../connect/grpc-trailers.ts";

/** Writes a response that consists of several messages. */
interface ResponseStream {
  /** Undefined for HTTP/1.1. */
  readonly session: Http2Session | undefined;
  /**
   * Writes a response chunk by chunk, as fast as the client receives it. Ends early if the client disconnects.
   */
  write(response: UniversalServerResponse, headers: RawHeaders): Promise<void>;
  /**
   * Writes a further chunk while the body of `write` waits for its next one. Resolves once the client receives it, and if
   * the client disconnects.
   */
  send(chunk: Uint8Array): Promise<void>;
  /** Aborts the response. */
  destroy(): void;
}

/**
 * @param response Of HTTP/1.1, or of Node's compatibility layer over HTTP/2.
 * @param onBlocked Called with true when the writer waits for the client, and with false when it continues.
 */
export function createResponseStream(
  request: IncomingMessage,
  response: ServerResponse,
  onBlocked: (isBlocked: boolean) => void,
): ResponseStream {
  const stream = "stream" in response ? (response as unknown as Http2ServerResponse).stream : undefined;
  let isGone = false;
  let wake: (() => void) | undefined;
  response.on("drain", () => wake?.());
  response.on("close", () => {
    isGone = true;
    wake?.();
  });

  async function send(chunk: Uint8Array): Promise<void> {
    if (isGone || response.write(chunk)) return;
    onBlocked(true);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    onBlocked(false);
  }

  return {
    session: stream?.session,
    send,
    async write({ status, header, body, trailer }, headers) {
      header?.delete("content-length");
      if (isGone) return;
      response.writeHead(status, [...headers, ...[...(header ?? [])].flat()]);
      for await (const chunk of body ?? []) {
        if (isGone) return;
        await send(chunk);
      }
      if (isGone) return;
      rewriteGrpcTrailers(trailer);
      if (trailer !== undefined) response.addTrailers(Object.fromEntries(trailer));
      onBlocked(true);
      if (stream !== undefined) stopRequest(stream);
      response.end();
    },
    destroy() {
      if (stream === undefined) request.socket.destroy();
      else if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
    },
  };
}

/**
 * Signals that the rest of a request is not needed (RFC 9113, section 8.1), after the response has been sent. Node's
 * compatibility layer requests trailers for every response, and sends them in the same tick. See also
 * `src/http/http2-exchange.ts`.
 */
function stopRequest(stream: ServerHttp2Stream): void {
  const stop = () => {
    if (!stream.destroyed && !stream.closed && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  stream.once("wantTrailers", () => setImmediate(stop));
}
