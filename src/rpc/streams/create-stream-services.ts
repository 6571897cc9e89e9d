import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { networkOf } from "../../network-of.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { COMPRESSIONS } from "../connect/compression.ts";
import { sendUnsupported } from "../connect/send-unsupported.ts";
import { createOpenStreams } from "./open-streams.ts";
import { type StreamCall, serveStream } from "./serve-stream.ts";
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

  async function respond(call: StreamCall): Promise<void> {
    const { exchange, handler } = call;
    await serveStream(call, async (ends) => {
      const isStreaming = handler.method.methodKind !== "unary";
      const refusal = isStreaming ? exchange.refuseStranger() : undefined;
      if (refusal !== undefined) throw refusal;
      const stream = streams.open({ key: networkOf(exchange.address) }, isStreaming, {
        ...ends,
        endRequest(error) {
          ends.endRequest(error);
          // An operation that only sends messages ends without an error.
          if (error === undefined) ends.abort();
        },
      });
      return { stream, values: createContextValues().set(streamKey, stream) };
    });
  }

  const serve = createStreamServer({ addServices, readMaxBytes: budgets.messageBytes, log, respond });
  return { serve, drain: streams.drain };
}

interface StreamServerParts {
  readonly addServices: (router: ConnectRouter) => void;
  readonly readMaxBytes: number;
  readonly log: Logger;
  readonly respond: (call: StreamCall) => Promise<void>;
}

/** Serves the calls of the services that are added with `respond`. */
export function createStreamServer(parts: StreamServerParts): StreamServices["serve"] {
  const { addServices, readMaxBytes, log, respond } = parts;
  const router = createConnectRouter({
    acceptCompression: [...COMPRESSIONS],
    // Responses are not compressed: a stream would have a compressor for each small message, and callers without a token
    // must not be able to consume CPU time.
    compressMinBytes: 0xffff_ffff,
    readMaxBytes,
    jsonOptions: { ignoreUnknownFields: false },
  });
  addServices(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (exchange, headers) => {
    const handler = handlers.get(exchange.path);
    if (handler === undefined) return false;
    if (sendUnsupported(exchange, headers, handler)) return true;
    respond({ exchange, headers, handler }).catch((error) =>
      log.error({ requestId: exchange.id, err: error }, "a call got no response"),
    );
    return true;
  };
}
