import type { Budgets } from "./budgets.ts";
import { networkOf } from "./network-of.ts";
import { createBucket, giveBack, isFull, spend, type TokenBucket, timeUntil } from "./token-bucket.ts";

/** The open connections and requests of one address, and its budget usage. */
export interface Client {
  readonly network: string;
  connections: number;
  /** Requests without a complete response whose caller is not yet authorized. */
  openRequests: number;
  readonly newConnections: TokenBucket;
  readonly requests: TokenBucket;
  readonly failures: TokenBucket;
  /** Its connections are refused until this time, in milliseconds of `performance.now`. */
  waitsUntil: number;
}

/** Why a connection or a request is refused. */
export type Refusal = "waiting" | "too many connections" | "too many new connections" | "too many requests";

/**
 * A budget that an address has exceeded, for the log. Does not contain the address, because it may identify a person.
 */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

/**
 * The budgets of every address, in memory. Proxies are exempt: a request through a proxy counts against the address of
 * the client.
 */
export interface Clients {
  /** Admits a connection, and counts it until `closeConnection`. */
  openConnection(address: string): Client | Refusal;
  closeConnection(client: Client): void;
  /** The client of a request, which may differ from the client of its connection. */
  find(address: string): Client;
  /** Counts an incoming request. Returns false if the client has used up its budget. */
  payRequest(client: Client): boolean;
  /**
   * Admits a request from a client that is not yet authorized.
   *
   * @param isPaid Whether `payRequest` has already counted it.
   */
  admitRequest(client: Client, isPaid?: boolean): Refusal | undefined;
  /** The request's caller was authorized, or the request has a response. */
  closeRequest(client: Client, wasAuthorized: boolean): void;
  /** Refuses new connections of a client for some seconds. */
  penalize(client: Client): void;
  /** Counts a failed authentication attempt. */
  countFailure(client: Client): void;
  /** Milliseconds until the client may try to authenticate again; 0 if it may now. */
  failureWaitMs(client: Client): number;
  /** Removes clients without open connections, open requests or budget usage. Call it periodically. */
  sweep(): void;
  readonly size: number;
  /** Open requests of all clients that are not yet authorized. */
  readonly openRequests: number;
}

export function createClients(budgets: Budgets, now: () => number = () => performance.now()): Clients {
  const byNetwork = new Map<string, Client>();
  let openConnections = 0;
  let openRequests = 0;

  function find(address: string): Client {
    const network = networkOf(address);
    let client = byNetwork.get(network);
    if (client === undefined) {
      const at = now();
      client = {
        network,
        connections: 0,
        openRequests: 0,
        newConnections: createBucket(budgets.newConnections, at),
        requests: createBucket(budgets.requests, at),
        failures: createBucket(budgets.failures, at),
        waitsUntil: 0,
      };
      byNetwork.set(network, client);
    }
    return client;
  }

  function isForgettable(client: Client): boolean {
    const at = now();
    return (
      client.connections === 0 &&
      client.openRequests === 0 &&
      client.waitsUntil <= at &&
      isFull(client.newConnections, budgets.newConnections, at) &&
      isFull(client.requests, budgets.requests, at) &&
      isFull(client.failures, budgets.failures, at)
    );
  }

  return {
    find,
    openConnection(address) {
      const client = find(address);
      const at = now();
      if (client.waitsUntil > at) return "waiting";
      if (openConnections >= budgets.connections || client.connections >= budgets.connectionsPerAddress) {
        return "too many connections";
      }
      if (!spend(client.newConnections, budgets.newConnections, at)) return "too many new connections";
      client.connections += 1;
      openConnections += 1;
      return client;
    },
    closeConnection(client) {
      client.connections -= 1;
      openConnections -= 1;
    },
    payRequest: (client) => spend(client.requests, budgets.requests, now()),
    admitRequest(client, isPaid = false) {
      if (openRequests >= budgets.openRequests || client.openRequests >= budgets.openRequestsPerAddress) {
        return "too many requests";
      }
      if (!isPaid && !spend(client.requests, budgets.requests, now())) return "too many requests";
      client.openRequests += 1;
      openRequests += 1;
      return undefined;
    },
    closeRequest(client, wasAuthorized) {
      client.openRequests -= 1;
      openRequests -= 1;
      if (wasAuthorized) giveBack(client.requests, budgets.requests);
    },
    penalize(client) {
      client.waitsUntil = now() + budgets.penaltyMs;
    },
    countFailure(client) {
      if (!spend(client.failures, budgets.failures, now())) client.failures.left = 0;
    },
    failureWaitMs(client) {
      if (spend(client.failures, budgets.failures, now())) {
        giveBack(client.failures, budgets.failures);
        return 0;
      }
      return timeUntil(client.failures, budgets.failures);
    },
    sweep() {
      for (const [network, client] of byNetwork) if (isForgettable(client)) byNetwork.delete(network);
    },
    get size() {
      return byNetwork.size;
    },
    get openRequests() {
      return openRequests;
    },
  };
}
