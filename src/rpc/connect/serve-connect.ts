import type { Code } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Logger } from "pino";
import type { NodeExchange } from "../../http/port.ts";
import { type CallRecord, type Form, logCall } from "../call-record.ts";
import { readTimeoutMs, TIMEOUT_HEADERS } from "../call-timeout.ts";
import type { ServeContext } from "../serve-unary.ts";
import { deadlineExceeded } from "../wire-errors.ts";
import { failCall } from "./connect-handlers.ts";
import {
  closeWhenAnswered,
  onCallerGone,
  type ServedRequest,
  sendAnswer,
  toUniversalRequest,
} from "./http-exchange.ts";
import { COMPRESSIONS, canDecompress, checkBody, type Encoding, readBody } from "./request-body.ts";

/**
 * Serves a call by Connect: the Connect protocol, and gRPC and gRPC-Web in all that is not a plain unary call.
 */
export async function serveConnect(
  { request, response }: NodeExchange,
  { handler, record }: { handler: UniversalHandler; record: CallRecord },
  { maxBodyBytes, requestTimeoutMs, log }: Omit<ServeContext, "authorize">,
): Promise<void> {
  const end = new AbortController();
  let isGone = false;
  onCallerGone(response, (reason) => {
    isGone = true;
    end.abort(reason);
  });
  const timeoutMs = Math.min(readTimeoutMs(record.form, request.headers) ?? requestTimeoutMs, requestTimeoutMs);
  const timer = setTimeout(() => end.abort(deadlineExceeded()), timeoutMs);
  // The shortest timer takes a millisecond, which may be enough for the whole call.
  if (timeoutMs < 1) end.abort(deadlineExceeded());
  closeWhenAnswered(request);
  let code = "internal";
  try {
    code = await answerByConnect({ request, response, record, signal: end.signal }, handler, { maxBodyBytes, log });
  } finally {
    clearTimeout(timer);
    logCall(log, record, isGone ? "canceled" : code);
  }
}

/** @returns The name of the code with which the call ended. */
async function answerByConnect(
  served: ServedRequest,
  handler: UniversalHandler,
  { maxBodyBytes, log }: { maxBodyBytes: number; log: Logger },
): Promise<string> {
  const { request, response, record, signal } = served;
  const received = toUniversalRequest(served);
  const { header } = received;
  const encoding = readEncoding(record.form, header);

  async function* checkedBody(): AsyncIterable<Uint8Array> {
    try {
      const { framed } = encoding;
      const bytes = await readBody(request, { maxBytes: maxBodyBytes, framed }, signal);
      yield await checkBody(bytes, handler.method, encoding, maxBodyBytes);
    } catch (error) {
      throw failCall(record, error, log);
    }
  }

  // What is seen to here is not for the handler to do again.
  header.delete("content-length");
  if (!encoding.framed && canDecompress(encoding.compression)) header.delete("content-encoding");
  const timeoutHeader = TIMEOUT_HEADERS[record.form];
  if (timeoutHeader && readTimeoutMs(record.form, request.headers) !== undefined) header.delete(timeoutHeader);

  const answer = await handler({ ...received, body: checkedBody() });
  if (encoding.framed && encoding.compression !== "identity") {
    // grpc/doc/compression.md: who asks in an encoding that is not known is told those that are.
    response.setHeader("grpc-accept-encoding", COMPRESSIONS);
  }
  const message = answer.trailer?.get("grpc-message");
  // Connect encodes more of ASCII than grpc/doc/PROTOCOL-HTTP2.md asks for, and @grpc/grpc-js does not decode that.
  if (message) answer.trailer?.set("grpc-message", encodeURI(decodeURIComponent(message)));
  if (answer.status === 405) response.setHeader("allow", handler.allowedMethods.join(", "));
  const body = await sendAnswer(answer, response);
  return record.failure?.code ?? codeOf(answer, body);
}

function readEncoding(form: Form, header: Headers): Encoding {
  const framed = form !== "connect";
  return {
    framed,
    json: /^application\/(grpc(-web)?\+)?json\b/i.test(header.get("content-type") ?? ""),
    compression: header.get(framed ? "grpc-encoding" : "content-encoding") ?? "identity",
  };
}

/** The code of an answer that was sent: gRPC has it in the trailers, gRPC-Web in the last frame of the body. */
function codeOf({ status, trailer }: UniversalServerResponse, body: Buffer): string {
  const inBody = () => body.toString("latin1", Math.max(0, body.lastIndexOf("grpc-status:")));
  const grpcStatus = trailer?.get("grpc-status") ?? /^grpc-status: *(\d+)/.exec(inBody())?.[1];
  if (grpcStatus === undefined) return status === 200 ? "ok" : `http ${status}`;
  return grpcStatus === "0" ? "ok" : codeToString(Number(grpcStatus) as Code);
}
