import type { Socket } from "node:net";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Budgets } from "./budgets.ts";
import { BUDGET_OF_REFUSAL, BudgetError, type Clients, type Refusal } from "./clients.ts";
import { type Connection, closeConnection, createConnection, takeRejectedStreams, wasActive } from "./connection.ts";
import { createHeldConnections } from "./held-connections.ts";

/** The open connections of a port, with limits on their number and duration. */
export interface Connections {
  /** Undefined for a connection that was refused and destroyed. */
  open(socket: Socket): Connection | undefined;
  /** A caller was authorized on the connection, which gets an account of its own. */
  trust(connection: Connection): void;
  /** A credential that was valid before is no longer valid: the connection loses its account. */
  distrust(connection: Connection): void;
  /** Closes the connection, and refuses new connections from its address for some seconds. */
  punish(connection: Connection): void;
  /** Closes the connection shortly after, without a response. */
  refuse(connection: Connection): void;
  /** Closes connections that are idle or stalled, or whose clients do not receive responses. */
  sweep(): void;
  [Symbol.iterator](): Iterator<Connection>;
}

interface ConnectionsOptions {
  readonly budgets: Budgets;
  readonly clients: Clients;
  /** Whether connections from an address are exempt. */
  readonly isProxy: (address: string) => boolean;
  /** How long the service may work on a request without a byte in either direction. */
  readonly longestCallMs: number;
  /** How many requests a held connection counts as. */
  readonly heldCost: number;
  readonly onFault: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { budgets, clients, isProxy, longestCallMs, heldCost, onFault, metrics } = options;
  const connections = new Set<Connection>();
  const held = createHeldConnections(budgets.heldConnections, noteRefusal);
  const stallMs = budgets.stallMs + longestCallMs;

  function countRejectedStreams(connection: Connection): void {
    const { client, account, overBudget } = connection;
    if (client === undefined || account !== undefined) return;
    const rejected = takeRejectedStreams(connection);
    if (rejected === 0) return;
    // Like a stream that Node accepts on such a connection: no more time is spent on it.
    if (connection.isClosing) return void connection.socket.destroy();
    const isPaid = clients.payRequests(overBudget === undefined ? client.strangers : client.recognized, rejected);
    if (isPaid && overBudget === undefined) return;
    noteRefusal("too many requests");
    punish(connection);
  }

  function isLate(connection: Connection, now: number): boolean {
    const { protocol, requests } = connection;
    const isWaiting = protocol === undefined || (held.has(connection) && requests.size === 0);
    if (isWaiting) return now - connection.openedAt > budgets.headMs;
    const silentMs = now - connection.activeAt;
    // Node itself closes HTTP/1.1 connections that are idle or whose request does not arrive.
    return requests.size > 0 ? silentMs > stallMs : protocol === "http2" && silentMs > budgets.idleMs;
  }

  function noteRefusal(refusal: Refusal): void {
    metrics?.budgetExceeded(BUDGET_OF_REFUSAL[refusal]);
    onFault(new BudgetError(refusal));
  }

  function punish(connection: Connection): void {
    if (connection.client !== undefined) clients.penalize(connection.client);
    closeConnection(connection);
  }

  return {
    open(socket) {
      const { remoteAddress = "" } = socket;
      const client = isProxy(remoteAddress) ? undefined : clients.find(remoteAddress);
      const overBudget = client && clients.openConnection(client);
      if (client !== undefined && overBudget !== undefined && !clients.holdConnection(client, heldCost)) {
        noteRefusal(overBudget);
        socket.destroy();
        return undefined;
      }
      const connection = createConnection(socket, { remoteAddress, client, overBudget });
      connections.add(connection);
      socket.once("close", () => {
        connections.delete(connection);
        if (client !== undefined) clients.closeConnection(client, connection.account !== undefined);
      });
      if (overBudget !== undefined) held.add(connection, overBudget);
      return connection;
    },
    trust(connection) {
      const { client, account } = connection;
      // A call may end after its connection.
      if (client === undefined || account !== undefined || !connections.has(connection)) return;
      connection.account = clients.openAccount(client);
      if (connection.account === undefined) return;
      connection.overBudget = undefined;
      held.delete(connection);
      if (connection.isCrowded && connection.session?.destroyed === false) {
        connection.session.settings({ maxConcurrentStreams: budgets.streams });
        connection.isCrowded = false;
      }
    },
    distrust(connection) {
      const { client, account } = connection;
      if (client === undefined || account === undefined || !connections.has(connection)) return;
      connection.account = undefined;
      clients.closeAccount(client);
    },
    punish,
    refuse(connection) {
      connection.isClosing = true;
      setTimeout(() => closeConnection(connection), budgets.refusalMs).unref();
    },
    sweep() {
      const now = performance.now();
      for (const connection of connections) {
        for (const request of connection.requests) {
          if (request.sentAt !== undefined && now - request.sentAt > budgets.receiveMs) request.abandon();
        }
        if (wasActive(connection, now)) countRejectedStreams(connection);
        if (isLate(connection, now)) connection.socket.destroy();
      }
    },
    [Symbol.iterator]: () => connections.values(),
  };
}
