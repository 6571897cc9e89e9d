import { networkOf } from "../network-of.ts";
import type { BudgetName } from "../telemetry/metrics.ts";
import { createBucket, giveBack, isFull, spend, type TokenBucket, timeUntil } from "../token-bucket.ts";
import { type Account, createAccount } from "./account.ts";
import type { Budgets } from "./budgets.ts";

/** The connections of one address, and its budget usage. */
export interface Client {
  readonly network: string;
  /** Connections on which no caller was authorized. */
  connections: number;
  /** Connections on which a caller was authorized. */
  callerConnections: number;
  readonly newConnections: TokenBucket;
  /** Pays for requests of callers who are not authorized. */
  readonly strangers: Account;
  /** Pays for what is over another budget and brings a credential that was valid recently. */
  readonly recognized: Account;
  readonly failures: TokenBucket;
  /** The same for connections on which a caller was authorized. */
  readonly callerFailures: TokenBucket;
  /** Its connections are refused until this time, in milliseconds of `performance.now`. */
  waitsUntil: number;
}

/** Why a connection or a request is refused. */
export type Refusal = "waiting" | "too many connections" | "too many new connections" | "too many requests";

/** The names of refusals in the metrics. */
export const BUDGET_OF_REFUSAL: Readonly<Record<Refusal, BudgetName>> = {
  waiting: "penalty",
  "too many connections": "connections",
  "too many new connections": "new_connections",
  "too many requests": "requests",
};

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
  /** The client of a connection or a request. They may differ. */
  find(address: string): Client;
  /** Admits a connection, and counts it until `closeConnection`. */
  openConnection(client: Client): Refusal | undefined;
  /**
   * Admits a connection that `openConnection` has refused, for a first request with a recognized credential. Returns
   * false if there is no room for that either.
   *
   * @param cost How many requests it counts as.
   */
  holdConnection(client: Client, cost: number): boolean;
  /** @param wasCaller Whether it had an account of its own. */
  closeConnection(client: Client, wasCaller: boolean): void;
  /**
   * Opens an account for a connection on which a caller was authorized. Returns undefined if its address has too many of
   * them.
   */
  openAccount(client: Client): Account | undefined;
  /** From now on, the connection counts against its address again. */
  closeAccount(client: Client): void;
  /** Counts requests that were canceled or rejected before admission. Returns false if the account is used up. */
  payRequests(account: Account, count: number): boolean;
  /** Admits a request from a caller who is not yet authorized, until `closeRequest`. */
  admitRequest(client: Client, account: Account): Refusal | undefined;
  /** The request's caller was authorized, or the request has a response. */
  closeRequest(account: Account, wasAuthorized: boolean): void;
  /** Refuses new connections of a client for some seconds. */
  penalize(client: Client): void;
  /**
   * Counts a failed authentication attempt.
   *
   * @param isCaller Whether it was made on a connection with an account of its own.
   */
  countFailure(client: Client, isCaller?: boolean): void;
  /** Milliseconds until the client may try to authenticate again; 0 if it may now. */
  failureWaitMs(client: Client, isCaller?: boolean): number;
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
      client = createClient(network, budgets, now());
      byNetwork.set(network, client);
    }
    return client;
  }

  function countConnection(client: Client): void {
    client.connections += 1;
    openConnections += 1;
  }

  const payRequests = ({ requests, rate }: Account, count: number) => spend(requests, rate, now(), count);

  return {
    find,
    openConnection(client) {
      const at = now();
      if (client.waitsUntil > at) return "waiting";
      if (openConnections >= budgets.connections || client.connections >= budgets.connectionsPerAddress) {
        return "too many connections";
      }
      if (!spend(client.newConnections, budgets.newConnections, at)) return "too many new connections";
      countConnection(client);
      return undefined;
    },
    holdConnection(client, cost) {
      if (openConnections >= budgets.connections || !payRequests(client.recognized, cost)) return false;
      countConnection(client);
      return true;
    },
    closeConnection(client, wasCaller) {
      if (wasCaller) client.callerConnections -= 1;
      else client.connections -= 1;
      openConnections -= 1;
    },
    openAccount(client) {
      if (client.callerConnections >= budgets.connectionsPerAddress) return undefined;
      client.connections -= 1;
      client.callerConnections += 1;
      return createAccount(budgets.requests, now());
    },
    closeAccount(client) {
      client.callerConnections -= 1;
      client.connections += 1;
    },
    payRequests,
    admitRequest(client, account) {
      // Strangers cannot use up what callers need.
      const isFullOfStrangers = account === client.strangers && openRequests >= budgets.openRequests;
      if (isFullOfStrangers || account.openRequests >= budgets.openRequestsPerAddress) return "too many requests";
      if (!payRequests(account, 1)) return "too many requests";
      account.openRequests += 1;
      openRequests += 1;
      return undefined;
    },
    closeRequest(account, wasAuthorized) {
      account.openRequests -= 1;
      openRequests -= 1;
      if (wasAuthorized) giveBack(account.requests, account.rate);
    },
    penalize(client) {
      client.waitsUntil = now() + budgets.penaltyMs;
    },
    countFailure(client, isCaller) {
      const failures = failuresOf(client, isCaller);
      if (!spend(failures, budgets.failures, now())) failures.left = 0;
    },
    failureWaitMs(client, isCaller) {
      const failures = failuresOf(client, isCaller);
      if (spend(failures, budgets.failures, now())) {
        giveBack(failures, budgets.failures);
        return 0;
      }
      return timeUntil(failures, budgets.failures);
    },
    sweep() {
      const at = now();
      for (const [network, client] of byNetwork) if (isForgettable(client, budgets, at)) byNetwork.delete(network);
    },
    get size() {
      return byNetwork.size;
    },
    get openRequests() {
      return openRequests;
    },
  };
}

function createClient(network: string, budgets: Budgets, at: number): Client {
  return {
    network,
    connections: 0,
    callerConnections: 0,
    newConnections: createBucket(budgets.newConnections, at),
    strangers: createAccount(budgets.requests, at),
    recognized: createAccount(budgets.recognized, at),
    failures: createBucket(budgets.failures, at),
    callerFailures: createBucket(budgets.failures, at),
    waitsUntil: 0,
  };
}

function isForgettable(client: Client, budgets: Budgets, at: number): boolean {
  const isUnused = ({ openRequests, requests, rate }: Account) => openRequests === 0 && isFull(requests, rate, at);
  return (
    client.connections === 0 &&
    client.callerConnections === 0 &&
    client.waitsUntil <= at &&
    isFull(client.newConnections, budgets.newConnections, at) &&
    isUnused(client.strangers) &&
    isUnused(client.recognized) &&
    isFull(client.failures, budgets.failures, at) &&
    isFull(client.callerFailures, budgets.failures, at)
  );
}

function failuresOf({ failures, callerFailures }: Client, isCaller = false): TokenBucket {
  return isCaller ? callerFailures : failures;
}
