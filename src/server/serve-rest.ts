import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SignetError } from "../errors.ts";
import { type Response, type ServedRequest, sendAnswer, toUniversalRequest } from "./http-exchange.ts";
import type { FoundRoute } from "./http-rule.ts";
import { readMessage } from "./json-problem.ts";
import { parseJson } from "./json-syntax.ts";
import { readBody } from "./request-body.ts";
import { toRequestJson } from "./rest-request.ts";
import { fail } from "./rpc-handlers.ts";
import type { ServeContext } from "./serve-context.ts";
import { toRestError } from "./wire-errors.ts";

/**
 * Answers a REST request by the handler of its RPC: path, query and body become the JSON form of the message, and an
 * error becomes google.rpc.Status.
 *
 * @returns The name of the code with which the call ended, for the log.
 */
export async function serveRest(
  served: ServedRequest,
  { route, query, handler }: { route: FoundRoute; query: URLSearchParams; handler: UniversalHandler },
  { maxBodyBytes, log }: ServeContext,
): Promise<string> {
  const { request, response, record, signal } = served;
  const received = toUniversalRequest(served);

  async function* transcodedBody(): AsyncIterable<Uint8Array> {
    try {
      const bytes = await readBody(request, { maxBytes: maxBodyBytes, framed: false }, signal);
      const json = toRequestJson(route, query, bytes.length === 0 ? undefined : parseJson(bytes));
      readMessage(route.method.input, json);
      yield Buffer.from(JSON.stringify(json));
    } catch (error) {
      throw fail(record, error, log);
    }
  }

  const answer = await handler({
    ...received,
    method: "POST",
    url: `http://localhost${handler.requestPath}`,
    header: toConnectHeader(received.header),
    body: transcodedBody(),
  });
  if (answer.status === 200) {
    await sendAnswer(answer, response);
    return "ok";
  }
  const failure = record.failure ?? new SignetError("INTERNAL", "internal error");
  const deprecation = answer.header?.get("deprecation");
  if (deprecation) response.setHeader("deprecation", deprecation);
  sendRestError(response, failure);
  return failure.code;
}

/** Sends an error in the form of REST. */
export function sendRestError(response: Response, error: SignetError, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers: ownHeaders, body } = toRestError(error);
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    ...ownHeaders,
    "content-type": "application/json",
    "content-length": bytes.length,
  });
  response.end(bytes);
}

/** The headers of a REST request without those that mean something else, or nothing, to Connect. */
function toConnectHeader(received: Headers): Headers {
  const header = new Headers(received);
  for (const name of ["content-length", "content-encoding", "accept-encoding", "connect-timeout-ms"])
    header.delete(name);
  header.set("content-type", "application/json");
  return header;
}
