import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 selects a free one. */
  readonly port: number;
  /** Returns all metrics in the text format of Prometheus. */
  readonly print: () => Promise<string>;
  readonly onError: (error: unknown) => void;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const HEAD_MS = 5_000;
/** Prometheus keeps its connection open between scrapes. */
const IDLE_MS = 150_000;
/** How long a client may take to receive the response. */
const RECEIVE_MS = 30_000;
const MAX_HEADER_BYTES = 8 * 1_024;
const MAX_CONNECTIONS = 64;

/**
 * Serves only `GET /metrics`, on a separate port, without TLS and without authentication. Concurrent scrapes share
 * one response.
 *
 * Rejects with Node's error, such as EADDRINUSE.
 */
export async function startMetricsServer({ host, port, print, onError }: MetricsServerOptions): Promise<MetricsServer> {
  let printing: Promise<string> | undefined;
  const printOnce = () => {
    printing ??= print().finally(() => {
      printing = undefined;
    });
    return printing;
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEAD_MS,
      requestTimeout: HEAD_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      // Request bodies are not read.
      request.resume();
      response.setTimeout(RECEIVE_MS, () => response.destroy());
      const [path] = (request.url ?? "").split("?", 1);
      if (path !== "/metrics") return respond(response, 404, "not found\n");
      if (request.method !== "GET" && request.method !== "HEAD") {
        return respond(response.setHeader("allow", "GET, HEAD"), 405, "method not allowed\n");
      }
      printOnce().then(
        (text) => respond(response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8"), 200, text),
        (error) => {
          onError(error);
          respond(response, 500, "internal error\n");
        },
      );
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ host, port }, () => resolve(void server.off("error", reject)));
  });
  server.on("error", onError);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(text);
}
