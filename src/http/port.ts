import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type BaseExchange, tooManyRequests } from "./base-exchange.ts";
import { type Budgets, DEFAULT_BUDGETS } from "./budgets.ts";
import { createClientAddresses } from "./client-address.ts";
import { BudgetError, createClients } from "./clients.ts";
import { type Connection, createConnections } from "./connections.ts";
import { detectProtocol } from "./detect-protocol.ts";
import type { Handler } from "./exchange.ts";
import type { Http2Fault } from "./guard/http2-guard.ts";
import { createHttp1Server } from "./http1-server.ts";
import { createHttp2Server } from "./http2-server.ts";
import { createLoadMeter } from "./load.ts";
import { findHeadError } from "./request-head.ts";
import { sendError } from "./router.ts";

/** PEM files. */
export interface PortCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface PortOptions {
  readonly handler: Handler;
  /** With a certificate, the port accepts only TLS; without one, only unencrypted connections. */
  readonly tls?: PortCertificate | undefined;
  readonly trustedProxies?: readonly string[];
  /** The time limit of a request, in milliseconds. */
  readonly requestTimeoutMs?: number;
  readonly budgets?: Partial<Budgets>;
  /** Called with the faults of connections, for the log. */
  readonly onFault?: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

export interface Port {
  /**
   * Listens, and resolves to the number of the port (0 selects a free one). Rejects with Node's error, such as
   * EADDRINUSE.
   */
  listen(port: number, host: string): Promise<{ port: number }>;
  /** New connections get this certificate; existing ones keep theirs. Only for a port with TLS. */
  replaceCertificate(certificate: PortCertificate): void;
  /**
   * Accepts no new connections and calls, lets running calls finish, and resolves when all connections are closed.
   * Connections that are still open after `graceMs` are aborted.
   */
  drain(graceMs: number): Promise<void>;
}

/** How much longer than the time limit of a call a client may take for a whole HTTP/1.1 request. */
const MARGIN_MS = 1_000;

/**
 * One TCP port for HTTP/1.1 and HTTP/2: in clear text distinguished by the HTTP/2 preface (RFC 9113, section 3.3;
 * `Upgrade: h2c` is ignored), over TLS by ALPN. Budgets limit unauthenticated clients. Broken connections are closed,
 * after a response if the protocol has one; they never end the process.
 */
export function createPort(options: PortOptions): Port {
  const { handler, tls, requestTimeoutMs = 15_000, onFault = () => {}, metrics } = options;
  const budgets = { ...DEFAULT_BUDGETS, ...options.budgets };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const clients = createClients(budgets);
  const connections = createConnections({
    budgets,
    clients,
    isProxy: addresses.isProxy,
    longestCallMs: requestTimeoutMs,
    onFault,
    metrics,
  });
  const load = createLoadMeter(budgets.loopDelayMs);
  const http2 = createHttp2Server({ budgets, mayOpenStream, onRequest: receive, onFlood, onFault });
  const http1 = createHttp1Server({
    budgets,
    requestTimeoutMs: requestTimeoutMs + MARGIN_MS,
    onRequest: receive,
    onFault,
  });
  const isOverloaded = () => clients.openRequests > budgets.openRequestsWhenLate && load.isOverloaded();
  let drained: Promise<void> | undefined;

  /** Rejects requests that violate a rule or a budget, and dispatches all others. */
  function receive(exchange: BaseExchange, problem: SignetError | undefined): void {
    const { connection } = exchange;
    const address = addresses.find(connection.remoteAddress, exchange.headers);
    const isDirect = address === connection.remoteAddress;
    const client = isDirect && connection.client !== undefined ? connection.client : clients.find(address);
    const refusal = clients.admitRequest(client, isDirect && connection.guard !== undefined);
    if (refusal !== undefined) {
      metrics?.budgetExceeded("requests");
      onFault(new BudgetError(refusal));
      // HTTP/2 has GOAWAY for this, unless a proxy shares the connection among clients.
      if (!isDirect || connection.protocol === "http1") sendError(exchange, [], tooManyRequests(budgets.penaltyMs));
      if (isDirect) connections.punish(connection);
      return;
    }
    exchange.open({ clients, client, address, isOverloaded, metrics });
    const found = problem ?? findHeadError(exchange.rawHeaders, budgets);
    try {
      if (found === undefined) handler(exchange);
      else sendError(exchange, [], found);
    } catch (cause) {
      onFault(new Error("the handler failed", { cause }));
      sendError(exchange, [], new SignetError("INTERNAL", "internal error"));
    }
  }

  /** A stream beyond the budget costs nothing if nghttp2 does not see it. Proxies are exempt here. */
  function mayOpenStream({ client }: Connection): boolean {
    if (client === undefined || clients.payRequest(client)) return true;
    metrics?.budgetExceeded("requests");
    return false;
  }

  /** The guard has already sent GOAWAY. A protocol error is not a flood, and does not count against the address. */
  function onFlood({ client }: Connection, { kind, description }: Http2Fault): void {
    if (kind === "flood") metrics?.budgetExceeded("http2_frames");
    if (kind === "flood" && client !== undefined) clients.penalize(client);
    onFault(kind === "flood" ? new BudgetError(description) : new Error(description));
  }

  // Half-open, because an HTTP/1.1 client may close its side after its request.
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
  const tlsServer =
    tls &&
    createTlsServer({
      ...contextOf(tls),
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: budgets.headMs,
    });
  /** Connections in their TLS handshake, by their remote end, because TLS wraps the socket in another one. */
  const handshakes = new Map<string, Connection>();

  server.on("error", onFault);
  server.on("connection", (socket: Socket) => {
    socket.on("error", onFault);
    const connection = connections.open(socket);
    if (connection === undefined) return;
    if (tlsServer === undefined) {
      detectProtocol(socket, (protocol) => accept(connection, protocol));
      return;
    }
    const remote = remoteEnd(socket);
    handshakes.set(remote, connection);
    socket.once("close", () => handshakes.delete(remote));
    tlsServer.emit("connection", socket);
  });
  tlsServer?.on("tlsClientError", onFault);
  tlsServer?.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", onFault);
    const connection = handshakes.get(remoteEnd(socket));
    if (connection === undefined || drained !== undefined) {
      socket.destroy();
      return;
    }
    connection.socket = socket;
    accept(connection, socket.alpnProtocol === "h2" ? "http2" : "http1");
  });

  function accept(connection: Connection, protocol: "http1" | "http2"): void {
    if (protocol === "http1") {
      http1.accept(connection);
    } else {
      connection.socket.allowHalfOpen = false;
      http2.accept(connection);
      if (drained !== undefined) connection.session?.close();
    }
  }

  const sweeper = setInterval(connections.sweep, Math.min(1_000, budgets.headMs)).unref();

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host }, () => {
          server.off("error", reject);
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),
    replaceCertificate(certificate) {
      tlsServer?.setSecureContext(contextOf(certificate));
    },
    drain(graceMs) {
      drained ??= new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const { socket } of connections) socket.destroy();
        }, graceMs);
        server.close(() => {
          clearTimeout(timer);
          clearInterval(sweeper);
          load.close();
          resolve();
        });
        http1.drain();
        for (const { socket, protocol, session, requests } of connections) {
          if (protocol === "http2") session?.close();
          else if (requests.size === 0) socket.destroy();
        }
      });
      return drained;
    },
  };
}

function contextOf({ cert, key }: PortCertificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}

function remoteEnd(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
