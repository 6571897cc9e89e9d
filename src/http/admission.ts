import type { IncomingHttpHeaders } from "node:http";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Account } from "./account.ts";
import { type BaseExchange, tooManyRequests } from "./base-exchange.ts";
import type { Budgets } from "./budgets.ts";
import type { ClientAddresses } from "./client-address.ts";
import { BUDGET_OF_REFUSAL, BudgetError, type Client, type Clients, type Refusal } from "./clients.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Handler } from "./exchange.ts";
import type { OnRequest } from "./http2-server.ts";
import { findHeadError } from "./request-head.ts";
import { sendError } from "./router.ts";

interface AdmissionParts {
  readonly budgets: Budgets;
  readonly addresses: ClientAddresses;
  readonly clients: Clients;
  readonly connections: Connections;
  /** Whether a credential, as in the header `authorization`, was valid recently. */
  readonly isRecognized: (authorization: string) => boolean;
  /** Whether the event loop is too far behind to serve all requests. */
  readonly isLate: () => boolean;
  readonly handler: Handler;
  readonly onFault: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

/** The checks and reports of the servers for both HTTP versions. */
interface Admission {
  readonly onRequest: OnRequest;
  /** Counts a request that was canceled before it could be served. */
  readonly onCanceled: (connection: Connection, headers: IncomingHttpHeaders) => void;
}

/** How long refusals of requests through proxies are held back, and how many at the same time; about 10 KB each. */
const LATE_REFUSAL_MS = 1_000;
const MAX_LATE_REFUSALS = 4_096;

/** Rejects requests that violate a rule or a budget, and passes all others to the handler. */
export function createAdmission(parts: AdmissionParts): Admission {
  const { budgets, addresses, clients, connections, isLate, handler, onFault, metrics } = parts;
  let lateRefusals = 0;
  const isOverloaded = () => clients.openRequests > budgets.openRequestsWhenLate && isLate();

  const isRecognized = ({ headers: { authorization } }: Pick<BaseExchange, "headers">) =>
    authorization !== undefined && parts.isRecognized(authorization);

  /** Charges the request to an account, or returns why it must be refused. */
  function charge({ connection }: BaseExchange, client: Client): Account | Refusal {
    const { account = client.strangers, overBudget } = connection;
    return overBudget ?? clients.admitRequest(client, account) ?? account;
  }

  function refuse(exchange: BaseExchange, refusal: Refusal): void {
    const { connection } = exchange;
    metrics?.budgetExceeded(BUDGET_OF_REFUSAL[refusal]);
    onFault(new BudgetError(refusal));
    const error = tooManyRequests(budgets.penaltyMs);
    if (connection.client === undefined) {
      refuseLate(exchange, error);
      return;
    }
    const isShared = connection.account !== undefined;
    // HTTP/2 uses GOAWAY for this, unless the connection also serves others.
    if (isShared || (refusal === "too many requests" && connection.protocol === "http1")) {
      sendError(exchange, [], error);
    }
    if (isShared) return;
    if (refusal === "too many requests") connections.punish(connection);
    else connections.refuse(connection);
  }

  /**
   * The connection of a proxy is shared among clients, and stays open. A client that sends its next request as soon as
   * this one is refused would keep the event loop busy.
   */
  function refuseLate(exchange: BaseExchange, error: SignetError): void {
    if (lateRefusals >= MAX_LATE_REFUSALS) {
      sendError(exchange, [], error);
      return;
    }
    lateRefusals++;
    setTimeout(() => {
      lateRefusals--;
      sendError(exchange, [], error);
    }, LATE_REFUSAL_MS).unref();
  }

  function respond(exchange: BaseExchange, problem: SignetError | undefined): void {
    try {
      if (problem === undefined) handler(exchange);
      else sendError(exchange, [], problem);
    } catch (cause) {
      onFault(new Error("the handler failed", { cause }));
      sendError(exchange, [], new SignetError("INTERNAL", "internal error"));
    }
  }

  return {
    onRequest(exchange, problem) {
      const { connection } = exchange;
      if (connection.isClosing) {
        connection.socket.destroy();
        return;
      }
      const address = addresses.find(connection.remoteAddress, exchange.headers);
      const client = connection.client ?? clients.find(address);
      let charged = charge(exchange, client);
      if (typeof charged === "string") {
        const { recognized } = client;
        const isAdmitted = isRecognized(exchange) && clients.admitRequest(client, recognized) === undefined;
        if (!isAdmitted) return refuse(exchange, charged);
        charged = recognized;
      }
      const account = charged;
      exchange.open({ clients, connections, client, account, address, isOverloaded, isRecognized, metrics });
      respond(exchange, problem ?? findHeadError(exchange.rawHeaders, budgets));
    },
    onCanceled(connection, headers) {
      const client = connection.client ?? clients.find(addresses.find(connection.remoteAddress, headers));
      if (clients.payRequests(connection.account ?? client.strangers, 1)) return;
      // The connections of proxies and callers stay open.
      if (connection.client === undefined || connection.account !== undefined) return;
      if (isRecognized({ headers }) && clients.payRequests(client.recognized, 1)) return;
      metrics?.budgetExceeded("requests");
      onFault(new BudgetError("too many canceled requests"));
      connections.punish(connection);
    },
  };
}
