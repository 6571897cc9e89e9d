import type { Code } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Form } from "./call-record.ts";
import { readTimeoutMs, TIMEOUT_HEADERS } from "./call-timeout.ts";
import { type ServedRequest, sendAnswer, toUniversalRequest } from "./http-exchange.ts";
import { COMPRESSIONS, canDecompress, checkBody, type Encoding, readBody } from "./request-body.ts";
import { fail } from "./rpc-handlers.ts";
import type { ServeContext } from "./serve-context.ts";

/**
 * Answers a call of an RPC path in the protocol that its content type names: gRPC, gRPC-Web or Connect.
 *
 * @returns The name of the code with which the call ended, for the log.
 */
export async function serveRpc(
  served: ServedRequest,
  handler: UniversalHandler,
  { maxBodyBytes, log }: ServeContext,
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
      throw fail(record, error, log);
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
