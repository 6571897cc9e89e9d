import type { Metrics } from "../telemetry/metrics.ts";
import { createAdmission } from "./admission.ts";
import { type Budgets, DEFAULT_BUDGETS } from "./budgets.ts";
import { createClientAddresses } from "./client-address.ts";
import { createClients } from "./clients.ts";
import type { Connection } from "./connection.ts";
import { createConnections } from "./connections.ts";
import type { Handler } from "./exchange.ts";
import { createHttp1Server } from "./http1-server.ts";
import { createHttp2Server } from "./http2-server.ts";
import { createListener, type PortCertificate } from "./listener.ts";

export interface PortOptions {
  readonly handler: Handler;
  /** With a certificate, the port accepts only TLS; without one, only unencrypted connections. */
  readonly tls?: PortCertificate | undefined;
  readonly trustedProxies?: readonly string[];
  /** The time limit of a request, in milliseconds. */
  readonly requestTimeoutMs?: number;
  readonly budgets?: Partial<Budgets>;
  /**
   * Whether a credential, as in the header `authorization`, was valid recently. Requests with one are served when their
   * address is over a budget. None is by default.
   */
  readonly isRecognized?: (authorization: string) => boolean;
  /** Called with the faults of connections, for the log. */
  readonly onFault?: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

export interface Port {
  /** Listens, and resolves to the port number (0 selects a free one). Rejects with Node's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /** New connections get this certificate; existing ones keep theirs. Only for a port with TLS. */
  replaceCertificate(certificate: PortCertificate): void;
  /**
   * Stops accepting connections and calls, lets running calls finish, and resolves when all connections are closed.
   * Connections that are still open after `graceMs` are aborted.
   */
  drain(graceMs: number): Promise<void>;
}

/** How much longer than the time limit of a call a client may take for a whole HTTP/1.1 request. */
const MARGIN_MS = 1_000;
/** Refusing a connection over TLS takes this many times the CPU time, because of the handshake. */
const HANDSHAKE_COST = 3;

/**
 * One TCP port for HTTP/1.1 and HTTP/2: without TLS distinguished by the HTTP/2 preface (RFC 9113, section 3.3;
 * `Upgrade: h2c` is ignored), over TLS by ALPN. Budgets limit unauthenticated clients. Broken connections are closed,
 * after a response if the protocol has one; they never crash the process.
 */
export function createPort(options: PortOptions): Port {
  const { handler, tls, requestTimeoutMs = 15_000, isRecognized = () => false, onFault = () => {}, metrics } = options;
  const budgets = { ...DEFAULT_BUDGETS, ...options.budgets };
  const addresses = createClientAddresses(options.trustedProxies ?? []);
  const clients = createClients(budgets);
  const { isProxy } = addresses;
  const longestCallMs = requestTimeoutMs;
  const heldCost = tls === undefined ? 1 : HANDSHAKE_COST;
  const connections = createConnections({ budgets, clients, isProxy, longestCallMs, heldCost, onFault, metrics });
  const load = createLoadMeter(budgets.loopDelayMs);
  const isLate = load.isOverloaded;
  const parts = { budgets, addresses, clients, connections, isRecognized, isLate, handler, onFault, metrics };
  const admission = createAdmission(parts);
  const http2 = createHttp2Server({ budgets, ...admission, onFault });
  const http1 = createHttp1Server({ budgets, requestTimeoutMs: requestTimeoutMs + MARGIN_MS, ...admission, onFault });
  const listener = createListener({ tls, handshakeMs: budgets.headMs, open: connections.open, accept, onFault });
  const sweepers = [
    setInterval(connections.sweep, Math.min(250, budgets.headMs)).unref(),
    setInterval(clients.sweep, 1_000).unref(),
  ];
  let drained: Promise<void> | undefined;

  function accept(connection: Connection, protocol: "http1" | "http2"): void {
    if (protocol === "http1") {
      http1.accept(connection);
    } else {
      connection.socket.allowHalfOpen = false;
      http2.accept(connection);
      if (drained !== undefined) connection.session?.close();
    }
  }

  async function drain(graceMs: number): Promise<void> {
    const timer = setTimeout(destroyAll, graceMs);
    const closed = listener.close();
    http1.drain();
    for (const { socket, protocol, session, requests } of connections) {
      if (protocol === "http2") session?.close();
      else if (requests.size === 0) socket.destroy();
    }
    await closed;
    clearTimeout(timer);
    for (const sweeper of sweepers) clearInterval(sweeper);
    load.close();
  }

  function destroyAll(): void {
    for (const { socket } of connections) socket.destroy();
  }

  return {
    listen: listener.listen,
    replaceCertificate: listener.replaceCertificate,
    drain(graceMs) {
      drained ??= drain(graceMs);
      return drained;
    },
  };
}

const SAMPLE_MS = 50;
/** How long a late iteration counts. */
const MEMORY_MS = 500;

/** Measures the delay of the event loop. */
interface LoadMeter {
  /** Whether an event loop iteration was late by more than the limit within the last half second. */
  isOverloaded(): boolean;
  close(): void;
}

/** @param boundMs Milliseconds. */
function createLoadMeter(boundMs: number): LoadMeter {
  let expectedAt = performance.now() + SAMPLE_MS;
  let lateAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - expectedAt > boundMs) lateAt = now;
    expectedAt = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return {
    isOverloaded: () => performance.now() - lateAt < MEMORY_MS,
    close: () => clearInterval(timer),
  };
}
