import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type AccountedExchange, tooManyRequests } from "./accounted-exchange.ts";
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
import { describeHeadProblem } from "./request-head.ts";
import { sendError } from "./router.ts";

/** PEM files. */
export interface PortCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface PortOptions {
  readonly handler: Handler;
  /** With it the port speaks TLS only, without it clear text only. */
  readonly tls?: PortCertificate | undefined;
  readonly trustedProxies?: readonly string[];
  /** How long the service may work on a request, in milliseconds. */
  readonly requestTimeoutMs?: number;
  readonly budgets?: Partial<Budgets>;
  /** Called with faults of single connections, for the log. */
  readonly onFault?: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

export interface Port {
  /** Listens, and resolves to the port's number (0 asks for any free one). Rejects with Node's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /** New connections get this certificate; those that exist go on. Only for a port with TLS. */
  replaceCertificate(certificate: PortCertificate): void;
  /**
   * Takes no new connections and calls, lets those that run finish, and resolves once every connection is closed.
   * What is still open after `graceMs` is cut off.
   */
  drain(graceMs: number): Promise<void>;
}

/** A client gets this much longer for a whole HTTP/1.1 request than the service takes to refuse it. */
const MARGIN_MS = 1_000;

/**
 * One TCP port for HTTP/1.1 and HTTP/2: in clear text distinguished by the HTTP/2 preface (RFC 9113, section 3.3; `Upgrade: h2c`
 * is ignored), over TLS by ALPN. What strangers may use is bounded by budgets. Broken connections are closed, and answered
 * where the protocol has an answer; they never end the process.
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

  /** Refuses what breaks a rule or a budget, and hands over the rest. */
  function receive(exchange: AccountedExchange, problem: SignetError | undefined): void {
    const { connection } = exchange;
    const address = addresses.find(connection.remoteAddress, exchange.headers);
    const isDirect = address === connection.remoteAddress;
    const client = isDirect && connection.client !== undefined ? connection.client : clients.find(address);
    const refusal = clients.admitRequest(client, isDirect && connection.guard !== undefined);
    if (refusal !== undefined) {
      metrics?.budgetExceeded("requests");
      onFault(new BudgetError(refusal));
      // GOAWAY is the answer of HTTP/2. Behind a proxy there are others on the same connection.
      if (!isDirect || connection.protocol === "http1") sendError(exchange, [], tooManyRequests(budgets.penaltyMs));
      if (isDirect) connections.punish(connection);
      return;
    }
    exchange.open({ clients, client, address, isOverloaded, metrics });
    const found = problem ?? describeHeadProblem(exchange.rawHeaders, budgets);
    try {
      if (found === undefined) handler(exchange);
      else sendError(exchange, [], found);
    } catch (cause) {
      onFault(new Error("the handler failed", { cause }));
      sendError(exchange, [], new SignetError("INTERNAL", "internal error"));
    }
  }

  /** A stream beyond the budget costs nothing where nghttp2 does not see it. Proxies are exempt here. */
  function mayOpenStream({ client }: Connection): boolean {
    if (client === undefined || clients.payRequest(client)) return true;
    metrics?.budgetExceeded("requests");
    return false;
  }

  /** The guard has said GOAWAY already. What breaks the protocol is no flood, and costs its address nothing. */
  function onFlood({ client }: Connection, { kind, description }: Http2Fault): void {
    if (kind === "flood") metrics?.budgetExceeded("http2_frames");
    if (kind === "flood" && client !== undefined) clients.penalize(client);
    onFault(kind === "flood" ? new BudgetError(description) : new Error(description));
  }

  // Half-open, because an HTTP/1.1 client may close its side once it has asked.
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true });
  const tlsServer =
    tls &&
    createTlsServer({
      ...contextOf(tls),
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: budgets.headMs,
    });
  /** Connections in their TLS handshake, by their remote end: TLS wraps a socket in another. */
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
