import type { IncomingMessage, ServerResponse } from "node:http";
import { type Code, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { type CallRecord, callRecordKey, type Form } from "./call-record.ts";
import { checkBody, type Encoding, readBody } from "./request-body.ts";
import { fail } from "./rpc-handlers.ts";
import type { ServeContext } from "./serve-context.ts";

/** Requests and answers of HTTP/2 have the same form by Node's compatibility layer. */
export type Request = IncomingMessage;
export type Response = ServerResponse;

/**
 * Answers a call of an RPC path in the protocol that its content type names: gRPC, gRPC-Web or Connect.
 *
 * @returns The name of the code with which the call ended, for the log.
 */
export async function serveRpc(
  { request, response, record, deadline }: ServedRequest,
  handler: UniversalHandler,
  { maxBodyBytes, log }: ServeContext,
): Promise<string> {
  const received = toUniversalRequest({ request, response, record, deadline });
  const encoding = readEncoding(record.form, received.header);

  async function* checkedBody(): AsyncIterable<Uint8Array> {
    try {
      const limit = maxBodyBytes + (encoding.framed ? FRAME_HEADER_BYTES : 0);
      const bytes = await readBody(request, limit, received.signal);
      checkBody(bytes, handler.method, encoding, maxBodyBytes);
      yield bytes;
    } catch (error) {
      throw fail(record, error, log);
    }
  }

  const answer = await handler({ ...received, body: checkedBody() });
  if (answer.status === 405) response.setHeader("allow", handler.allowedMethods.join(", "));
  const end = watchTrailers(answer);
  await universalResponseToNodeResponse(end.answer, response);
  return record.failure?.code ?? end.code();
}

/** A request on its way through the server. */
export interface ServedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly record: CallRecord;
  /** Aborted when the time is over that the service gives a call. */
  readonly deadline: AbortSignal;
}

const FRAME_HEADER_BYTES = 5;

/** The form in which Connect takes a request; its signal is aborted when the caller goes away or the time is over. */
export function toUniversalRequest({ request, response, record, deadline }: ServedRequest): UniversalServerRequest {
  const values = createContextValues().set(callRecordKey, record);
  const received = universalRequestFromNodeRequest(request, response, undefined, values);
  return { ...received, signal: AbortSignal.any([received.signal, deadline]) };
}

/** The form of a call of an RPC path. */
export function formOf(contentType: string | undefined): Form {
  if (/^application\/grpc-web\b/i.test(contentType ?? "")) return "grpc-web";
  return /^application\/grpc\b/i.test(contentType ?? "") ? "grpc" : "connect";
}

function readEncoding(form: Form, header: Headers): Encoding {
  const framed = form !== "connect";
  return {
    framed,
    json: /^application\/(grpc(-web)?\+)?json\b/i.test(header.get("content-type") ?? ""),
    compressed: !framed && (header.get("content-encoding") ?? "identity") !== "identity",
  };
}

/** Tells the code of an answer once it is sent: gRPC has it in the trailers, gRPC-Web in the last frame of the body. */
function watchTrailers(answer: UniversalServerResponse): { answer: UniversalServerResponse; code: () => string } {
  let trailerFrame = "";
  async function* watch(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of body) {
      if (((chunk[0] ?? 0) & 0x80) !== 0) trailerFrame = Buffer.from(chunk).toString("latin1");
      yield chunk;
    }
  }
  return {
    answer: answer.body ? { ...answer, body: watch(answer.body) } : answer,
    code() {
      const status = answer.trailer?.get("grpc-status") ?? /grpc-status: *(\d+)/.exec(trailerFrame)?.[1];
      if (status === undefined) return answer.status === 200 ? "ok" : `http ${answer.status}`;
      return status === "0" ? "ok" : codeToString(Number(status) as Code);
    },
  };
}
