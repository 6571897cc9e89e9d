import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { BudgetName, Metrics } from "../telemetry/metrics.ts";
import type { Budgets } from "./budgets.ts";
import { BudgetError, type Client, type Clients, type Refusal } from "./clients.ts";
import type { Http2Guard } from "./guard/http2-guard.ts";

/** A TCP connection with its open requests. */
export interface Connection {
  readonly remoteAddress: string;
  /** Undefined for a trusted proxy, which has no budget. */
  readonly client: Client | undefined;
  readonly openedAt: number;
  /** Undefined until the first bytes, or the TLS handshake, have been read. */
  protocol: "http1" | "http2" | undefined;
  /** The socket that carries HTTP: the TCP socket, or the TLS socket that wraps it. */
  socket: Socket;
  session: ServerHttp2Session | undefined;
  guard: Http2Guard | undefined;
  /** Exceeded a budget and is about to be closed; further bytes are dropped. */
  isPunished: boolean;
  /** Requests whose responses the client has not fully received. */
  readonly requests: Set<OpenRequest>;
  /** Bytes read and written at `activeAt`, when they last changed. */
  bytes: number;
  activeAt: number;
}

/** A request whose response the client has not fully received. Times are in milliseconds of `performance.now`. */
export interface OpenRequest {
  /** When the response was sent; undefined until then. */
  sentAt: number | undefined;
  /** Aborts the request: the client does not receive the response. */
  abandon(): void;
}

/** The open connections of a port, with limits on their number and duration. */
export interface Connections {
  /** Undefined for a connection that was refused and destroyed. */
  open(socket: Socket): Connection | undefined;
  /** Closes the connection immediately, and refuses new ones from its address for some seconds. */
  punish(connection: Connection): void;
  /** Closes connections that are idle or stalled, or whose clients do not receive responses. */
  sweep(): void;
  [Symbol.iterator](): Iterator<Connection>;
}

/**
 * @param options `isProxy`: whether connections from an address are exempt; `longestCallMs`: how long the service may
 *   work on a request without a byte in either direction.
 */
export function createConnections({
  budgets,
  clients,
  isProxy,
  longestCallMs,
  onFault,
  metrics,
}: {
  readonly budgets: Budgets;
  readonly clients: Clients;
  readonly isProxy: (address: string) => boolean;
  readonly longestCallMs: number;
  readonly onFault: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}): Connections {
  const connections = new Set<Connection>();
  const stallMs = budgets.stallMs + longestCallMs;

  function isLate(connection: Connection, now: number): boolean {
    const { socket, protocol, requests } = connection;
    const bytes = socket.bytesRead + socket.bytesWritten;
    if (bytes !== connection.bytes) {
      connection.bytes = bytes;
      connection.activeAt = now;
    }
    if (protocol === undefined) return now - connection.openedAt > budgets.headMs;
    const silentMs = now - connection.activeAt;
    // Node itself closes HTTP/1.1 connections that are idle or whose request does not arrive.
    return requests.size > 0 ? silentMs > stallMs : protocol === "http2" && silentMs > budgets.idleMs;
  }

  return {
    open(socket) {
      const { remoteAddress = "" } = socket;
      const client = isProxy(remoteAddress) ? undefined : clients.openConnection(remoteAddress);
      if (typeof client === "string") {
        metrics?.budgetExceeded(BUDGET_OF_REFUSAL[client]);
        onFault(new BudgetError(client));
        socket.destroy();
        return undefined;
      }
      const now = performance.now();
      const connection: Connection = {
        remoteAddress,
        client,
        openedAt: now,
        protocol: undefined,
        socket,
        session: undefined,
        guard: undefined,
        isPunished: false,
        requests: new Set(),
        bytes: 0,
        activeAt: now,
      };
      connections.add(connection);
      socket.once("close", () => {
        connections.delete(connection);
        if (client !== undefined) clients.closeConnection(client);
      });
      return connection;
    },
    punish(connection) {
      const { client, socket, session } = connection;
      connection.isPunished = true;
      if (client !== undefined) clients.penalize(client);
      if (session === undefined) socket.destroySoon();
      // Never from within a callback of nghttp2, where it can loop forever (nodejs/node 52952 describes a similar
      // case).
      else setImmediate(() => session.destroy(new Error("a budget was exceeded"), ENHANCE_YOUR_CALM));
    },
    sweep() {
      const now = performance.now();
      for (const connection of connections) {
        for (const request of connection.requests) {
          if (request.sentAt !== undefined && now - request.sentAt > budgets.receiveMs) request.abandon();
        }
        if (isLate(connection, now)) connection.socket.destroy();
      }
      clients.sweep();
    },
    [Symbol.iterator]: () => connections.values(),
  };
}

/** The names of refusals in the metrics. */
const BUDGET_OF_REFUSAL: Readonly<Record<Refusal, BudgetName>> = {
  waiting: "penalty",
  "too many connections": "connections",
  "too many new connections": "new_connections",
  "too many requests": "requests",
};

/** RFC 9113, section 7. */
const ENHANCE_YOUR_CALM = 0xb;
