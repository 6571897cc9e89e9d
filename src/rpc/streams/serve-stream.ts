import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError, type ContextValues, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SignetError } from "../../errors.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { toConnectError } from "../connect/handlers.ts";
import { toHeaders } from "../connect/to-headers.ts";
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
export interface CallEnds extends StreamEnds {
  /** Aborts the signal of the operation. */
  abort(reason?: unknown): void;
}

/** An admitted call. */
export interface AdmittedStream {
  readonly stream: OpenStream;
  /** For the operation. */
  readonly values: ContextValues;
}

/**
 * Sends messages while the operation runs, after the first one that it has given to Connect. Resolves once the client
 * receives them, and if the client has gone.
 */
export type SendMessages = (messages: Buffer) => Promise<void>;

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
  }
  const result = await handler({
    ...toUniversalRequest(exchange, isText),
    body: isText ? decodeChunks(body) : body,
    signal: over.signal,
    contextValues: admitted?.values ?? createContextValues(),
  });
  if (isText) result.header?.set("content-type", toTextType(exchange.headers));
  const { body: chunks = [] } = result;
  await written.write({ ...result, body: isText ? encodeChunks(chunks) : chunks }, headers);
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
