import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { CallRecord } from "../call-record.ts";
import { callRecordKey } from "./call-record-key.ts";

/** Requests and answers of HTTP/2 have the same form by Node's compatibility layer. */
export type Request = IncomingMessage;
export type Response = ServerResponse;

/** A request on its way through the server. */
export interface ServedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly record: CallRecord;
  /** Aborted when the caller goes away, or the time is over that the caller or the service gives the call. */
  readonly signal: AbortSignal;
}

/** Calls back when the caller goes away before its answer was written. */
export function onCallerGone(response: Response, tell: (reason: ConnectError) => void): void {
  response.once("close", () => {
    if (!response.writableEnded) tell(callerGone());
  });
}

export function callerGone(): ConnectError {
  return new ConnectError("the caller has gone", Code.Canceled);
}

/** The form in which Connect takes a request. Its body is for the caller of this function to add. */
export function toUniversalRequest({ request, record, signal }: ServedRequest): Omit<UniversalServerRequest, "body"> {
  const header = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const each of typeof value === "string" ? [value] : value) header.append(name, each);
  }
  return {
    httpVersion: request.httpVersion,
    method: request.method ?? "",
    // Which host the caller believes to have asked is of no matter, and may be no host at all.
    url: `http://localhost${request.url}`,
    header,
    signal,
    contextValues: createContextValues().set(callRecordKey, record),
  };
}

/** Sends the answer of Connect's handler, which is a single message, and tells what its body was. */
export async function sendAnswer(answer: UniversalServerResponse, response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (response.destroyed || response.headersSent) return body;
  response.writeHead(answer.status, Object.fromEntries(answer.header ?? []));
  if (body.length > 0) response.write(body);
  if (answer.trailer) response.addTrailers(Object.fromEntries(answer.trailer));
  response.end();
  return body;
}

/**
 * grpc/doc/PROTOCOL-HTTP2.md, Early Server Closure: a stream whose answer ends before its request is closed with NO_ERROR.
 * Node does it only where nothing of the request was read. To be called before the answer is sent.
 */
export function closeWhenAnswered(request: Request & { readonly stream?: ServerHttp2Stream }): void {
  const { stream } = request;
  // By the time of this event the trailers have been handed over.
  stream?.once("wantTrailers", () => {
    if (!request.complete) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
  });
}
