import type { IncomingHttpHeaders } from "node:http";
import { type Code, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { invalidArgument, SignetError } from "../../errors.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { MESSAGE_PREFIX_BYTES } from "../grpc/frames.ts";
import { shorten } from "../json/json-syntax.ts";
import type { Protocol } from "../run-call.ts";
import { type ProtocolName, readTimeoutMs, TIMEOUT_HEADERS } from "../timeout.ts";
import { type Outcome, outcomeKey } from "./handlers.ts";
import { ACCEPTED_ENCODINGS, canDecompress, checkBody, type Encoding } from "./request-body.ts";
import { sendResponse } from "./send-response.ts";
import { toHeaders } from "./to-headers.ts";

/** Connect's own protocol, and gRPC and gRPC-Web calls that are not plain unary: compressed, or in JSON. */
export function createConnectProtocol(handler: UniversalHandler, name: ProtocolName, maxBodyBytes: number): Protocol {
  const framed = name !== "connect";

  async function callHandler(exchange: Exchange, body: Buffer, outcome: Outcome): Promise<UniversalServerResponse> {
    const contextValues = createContextValues().set(outcomeKey, outcome);
    const header = toHandlerHeaders(name, exchange.headers);
    return handler({
      httpVersion: exchange.hasTrailers ? "2.0" : "1.1",
      method: exchange.method,
      // The request's host is irrelevant, and may be malformed.
      url: `http://localhost${exchange.path}${exchange.query && `?${exchange.query}`}`,
      header,
      body: toAsync(body),
      signal: NEVER,
      contextValues,
    });
  }

  return {
    name,
    overheadBytes: framed ? MESSAGE_PREFIX_BYTES : 0,
    async respond(exchange, headers, bytes, run) {
      const encoding = readEncoding(framed, exchange.headers);
      checkHeaders(name, exchange.headers, encoding);
      const body = exchange.method === "POST" ? await checkBody(bytes, handler.method, encoding, maxBodyBytes) : bytes;
      const outcome: Outcome = { run, error: undefined, failure: undefined };
      const response = await callHandler(exchange, body, outcome);
      if (outcome.failure !== undefined) throw outcome.failure;
      return await send(exchange, headers, response, encoding);
    },
    async sendError(exchange, headers, error) {
      const outcome: Outcome = { run: () => Promise.reject(error), error, failure: undefined };
      await send(
        exchange,
        headers,
        await callHandler(exchange, NO_BODY, outcome),
        readEncoding(framed, exchange.headers),
      );
    },
  };

  /** @returns The name of the code that was sent. */
  async function send(
    exchange: Exchange,
    headers: RawHeaders,
    response: UniversalServerResponse,
    encoding: Encoding,
  ): Promise<string> {
    const { status, trailer } = response;
    const head = [...headers];
    // grpc/doc/compression.md and the Connect protocol: the response to an unknown encoding lists the known ones.
    if (encoding.compression !== "identity") {
      head.push(framed ? "grpc-accept-encoding" : "accept-encoding", ACCEPTED_ENCODINGS);
    }
    if (status === 405) head.push("allow", handler.allowedMethods.join(", "));
    const body = await sendResponse(exchange, head, response);
    return codeOf(status, trailer, body);
  }
}

const NO_BODY = Buffer.alloc(0);
/** The pipeline ends calls, not Connect's own handling of aborts and deadlines. */
const NEVER = new AbortController().signal;

async function* toAsync(body: Buffer): AsyncIterable<Uint8Array> {
  yield body;
}

/** Removes the headers that the pipeline has already handled: length, compression of the whole body, deadline. */
function toHandlerHeaders(protocol: ProtocolName, headers: IncomingHttpHeaders): Headers {
  const header = toHeaders(headers);
  if (protocol === "connect" && canDecompress(headers["content-encoding"] ?? "")) header.delete("content-encoding");
  const timeoutHeader = TIMEOUT_HEADERS[protocol];
  if (timeoutHeader && readTimeoutMs(protocol, headers) !== undefined) header.delete(timeoutHeader);
  return header;
}

function readEncoding(framed: boolean, headers: IncomingHttpHeaders): Encoding {
  const compression = headers[framed ? "grpc-encoding" : "content-encoding"];
  return {
    framed,
    json: /^[\t ]*application\/(grpc(-web)?\+)?json\b/i.test(headers["content-type"] ?? ""),
    compression: compression === undefined ? "identity" : String(compression).trim(),
  };
}

/** The code of a response: in the trailers for gRPC, in the last frame of the body for gRPC-Web. */
function codeOf(status: number, trailer: Headers | undefined, body: Buffer): string {
  const inBody = () => body.toString("latin1", Math.max(0, body.lastIndexOf("grpc-status:")));
  const grpcStatus = trailer?.get("grpc-status") ?? /^grpc-status: *(\d+)/.exec(inBody())?.[1];
  if (grpcStatus === undefined) return status === 200 ? "ok" : `http ${status}`;
  return grpcStatus === "0" ? "ok" : codeToString(Number(grpcStatus) as Code);
}

/**
 * Rejects the headers that Connect's handlers reject without details: an unknown compression, and a malformed timeout.
 *
 * @throws SignetError COMPRESSION_UNKNOWN, INVALID_ARGUMENT.
 */
function checkHeaders(protocol: ProtocolName, headers: IncomingHttpHeaders, { compression }: Encoding): void {
  if (compression !== "identity" && !canDecompress(compression)) {
    const name = JSON.stringify(shorten(compression));
    const message = `unknown compression ${name}: supported encodings are ${ACCEPTED_ENCODINGS}`;
    throw new SignetError("COMPRESSION_UNKNOWN", message);
  }
  const name = TIMEOUT_HEADERS[protocol];
  if (name === undefined || headers[name] === undefined || readTimeoutMs(protocol, headers) !== undefined) return;
  const form =
    protocol === "connect" ? "milliseconds, at most 10 digits" : "at most 8 digits and one of H, M, S, m, u, n";
  throw invalidArgument({ field: name, description: `must be ${form}` });
}
