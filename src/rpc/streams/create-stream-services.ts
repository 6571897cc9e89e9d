import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError, type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { Logger } from "pino";
import { SignetError } from "../../errors.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { COMPRESSIONS } from "../connect/compression.ts";
import { toConnectError } from "../connect/handlers.ts";
import { sendUnsupported } from "../connect/send-unsupported.ts";
import { toHeaders } from "../connect/to-headers.ts";
import { decodeChunks, encodeChunks, isWebText, toBinaryType, toTextType } from "../grpc/web-text.ts";
import { readTimeoutMs, TIMEOUT_HEADERS } from "../timeout.ts";
import { createEndableBody } from "./endable-body.ts";
import { createOpenStreams, type OpenStream } from "./open-streams.ts";
import { createResponseStream } from "./response-stream.ts";
import { DEFAULT_STREAM_BUDGETS, type StreamBudgets } from "./stream-budgets.ts";
import { streamKey } from "./stream-key.ts";

/** The services that do not require a token: gRPC's own, over gRPC, gRPC-Web and Connect. */
export interface StreamServices {
  /** Serves a call of one of the services. Returns false for any other path. */
  serve(exchange: Exchange, headers: RawHeaders): boolean;
  /** Ends the open streams, and rejects new ones. */
  drain(): void;
}

/**
 * Every message counts against the budgets of its address. Like requests to `/readyz`, calls are not logged.
 *
 * @param addServices Adds the services; their operations find their stream under `streamKey`.
 */
export function createStreamServices({
  addServices,
  log,
  metrics,
  budgets: changed = {},
}: {
  readonly addServices: (router: ConnectRouter) => void;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly budgets?: Partial<StreamBudgets> | undefined;
}): StreamServices {
  const budgets = { ...DEFAULT_STREAM_BUDGETS, ...changed };
  const streams = createOpenStreams(budgets, metrics);
  const router = createConnectRouter({
    acceptCompression: [...COMPRESSIONS],
    // Responses are not compressed, because callers without a token must not be able to consume CPU time.
    compressMinBytes: 0xffff_ffff,
    readMaxBytes: budgets.messageBytes,
    jsonOptions: { ignoreUnknownFields: false },
  });
  addServices(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  async function respond(exchange: Exchange, headers: RawHeaders, handler: UniversalHandler): Promise<void> {
    const isText = isWebText(exchange.headers);
    const { request, response } = exchange.toNode();
    const body = createEndableBody(request);
    const written = createResponseStream(request, response);
    const over = new AbortController();
    let stream: OpenStream | undefined;
    exchange.onClose(() => {
      over.abort(new ConnectError("the client has gone", Code.Canceled));
      stream?.close();
    });
    try {
      stream = openStream();
    } catch (error) {
      body.end(toConnectError(toSignetError(error)));
    }
    const result = await handler({
      ...toUniversalHead(exchange),
      body: isText ? decodeChunks(body) : body,
      signal: over.signal,
      contextValues: createContextValues().set(streamKey, stream),
    });
    if (isText) result.header?.set("content-type", toTextType(exchange.headers));
    const { body: chunks = [] } = result;
    await written.write({ ...result, body: isText ? encodeChunks(chunks) : chunks }, headers, (isBlocked) =>
      stream?.setBlocked(isBlocked),
    );

    function openStream(): OpenStream {
      const isStreaming = handler.method.methodKind !== "unary";
      const refusal = isStreaming ? exchange.refuseStranger() : undefined;
      if (refusal !== undefined) throw refusal;
      return streams.open(exchange.address, isStreaming, {
        session: written.session,
        endRequest(error) {
          body.end(error && toConnectError(error));
          // An operation that only sends messages ends without an error.
          if (error === undefined) over.abort();
        },
        destroy: written.destroy,
      });
    }
  }

  return {
    serve(exchange, headers) {
      const handler = handlers.get(exchange.path);
      if (handler === undefined) return false;
      if (sendUnsupported(exchange, headers, handler)) return true;
      respond(exchange, headers, handler).catch((error) =>
        log.error({ requestId: exchange.id, err: error }, "a call got no response"),
      );
      return true;
    },
    drain: streams.drain,
  };
}

/** The head of a request as Connect expects it: binary, also for a call in text mode. */
function toUniversalHead(exchange: Exchange) {
  const { hasTrailers, method, path, query, headers } = exchange;
  const header = toHeaders(headers);
  if (isWebText(headers)) header.set("content-type", toBinaryType(headers));
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

function toSignetError(error: unknown): SignetError {
  return error instanceof SignetError ? error : new SignetError("INTERNAL", "internal error", { cause: error });
}
