import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { Code, ConnectError, type ContextValues, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SignetError } from "../../errors.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { toConnectError } from "../connect/handlers.ts";
import { sendResponse } from "../connect/send-response.ts";
import { toHeaders } from "../connect/to-headers.ts";
import { grpcProtocolOf } from "../grpc/headers.ts";
import { decodeChunks, encodeBase64, encodeChunks, isWebText, toBinaryType, toTextType } from "../grpc/web-text.ts";
import { readTimeoutMs, TIMEOUT_HEADERS } from "../timeout.ts";
import { createEndableBody } from "./endable-body.ts";
import type { OpenStream, StreamEnds } from "./open-streams.ts";
import { createResponseStream } from "./response-stream.ts";

/** A call of a method that may send or receive several messages. */
export interface StreamCall {
  readonly exchange: Exchange;
  /** Headers that every response has. */
  readonly headers: RawHeaders;
  readonly handler: UniversalHandler;
}

/** The ways to end a call. */
interface CallEnds extends StreamEnds {
  /** Aborts the signal of the operation. */
  abort(reason?: unknown): void;
}

/** An admitted call. */
interface AdmittedStream {
  readonly stream: OpenStream;
  /** For the operation. */
  readonly values: ContextValues;
}

/**
 * Sends messages while the operation runs, after the first one that it has given to Connect. Resolves once the client
 * receives them, and if the client has gone.
 */
type SendMessages = (messages: Buffer) => Promise<void>;

/**
 * Serves a call with Connect's handler, message by message, no faster than the client receives them.
 *
 * @param admit Admits the call; the client gets its SignetError in the form of the protocol.
 */
export async function serveStream(
  { exchange, headers, handler }: StreamCall,
  admit: (ends: CallEnds, send: SendMessages) => Promise<AdmittedStream>,
): Promise<void> {
  const isText = isWebText(exchange.headers);
  const isConnect = grpcProtocolOf(exchange.headers) === undefined;
  const { request, response } = exchange.toNode();
  const body = createEndableBody(request);
  const over = new AbortController();
  let isClosed = false;
  let admitted: AdmittedStream | undefined;
  const written = createResponseStream(request, response, (isBlocked) => admitted?.stream.setBlocked(isBlocked));
  exchange.onClose(() => {
    isClosed = true;
    over.abort(new ConnectError("the client has gone", Code.Canceled));
    admitted?.stream.close();
  });
  try {
    const ends: CallEnds = {
      session: written.session,
      endRequest: (error) => body.end(error && toConnectError(error)),
      destroy: written.destroy,
      abort: (reason) => over.abort(reason),
    };
    admitted = await admit(ends, (messages) => written.send(isText ? encodeBase64(messages) : messages));
    if (isClosed) return admitted.stream.close();
  } catch (error) {
    if (isClosed) return;
    body.end(toConnectError(toSignetError(error)));
    if (isConnect) await requestEnd(request);
    if (isClosed) return;
  }
  const result = await handler({
    ...toUniversalRequest(exchange, isText),
    body: isText ? decodeChunks(body) : body,
    signal: over.signal,
    contextValues: admitted?.values ?? createContextValues(),
  });
  if (isText) result.header?.set("content-type", toTextType(exchange.headers));
  const sent = isText && result.body ? { ...result, body: encodeChunks(result.body) } : result;
  if (admitted === undefined) await sendResponse(exchange, headers, sent);
  else if (isConnect && sent.body) await written.write({ ...sent, body: endAfter(request, sent.body) }, headers);
  else await written.write(sent, headers);
}

/** How long the end of the response to a Connect call waits for the rest of the request. */
const REQUEST_END_MS = 500;

/**
 * Waits until the client has sent its request. In Connect, the status of a failed stream is 200, and after an early response with
 * that status, curl 7.88 waits forever, although the response and the request have ended.
 */
async function requestEnd(request: IncomingMessage): Promise<void> {
  if (request.readableEnded) return;
  await finished(request, { writable: false, signal: AbortSignal.timeout(REQUEST_END_MS) }).catch(() => {});
}

/** The body of a response that does not end before its request, if the call fails early. */
async function* endAfter(request: IncomingMessage, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
  await requestEnd(request);
}

/** The head of a request as Connect expects it. */
function toUniversalRequest(exchange: Exchange, isText: boolean) {
  const { method, path, query, headers, hasTrailers } = exchange;
  const header = toHeaders(headers);
  if (isText) header.set("content-type", toBinaryType(headers));
  removeLongTimeout(header, headers);
  const url = `http://localhost${path}${query && `?${query}`}`;
  return { httpVersion: hasTrailers ? "2.0" : "1.1", method, url, header };
}

/** Milliseconds. Node fires a timer with a longer delay after 1 ms, which would end the call. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Removes a timeout of more than 24 days, so that only the client ends the call. */
function removeLongTimeout(header: Headers, headers: IncomingHttpHeaders): void {
  for (const protocol of ["grpc", "connect"] as const) {
    if ((readTimeoutMs(protocol, headers) ?? 0) > LONGEST_TIMER_MS) header.delete(TIMEOUT_HEADERS[protocol]);
  }
}

export function toSignetError(error: unknown): SignetError {
  return error instanceof SignetError ? error : new SignetError("INTERNAL", "internal error", { cause: error });
}
