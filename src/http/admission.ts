import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type BaseExchange, tooManyRequests } from "./base-exchange.ts";
import type { Budgets } from "./budgets.ts";
import type { ClientAddresses } from "./client-address.ts";
import { BudgetError, type Clients, type Refusal } from "./clients.ts";
import type { Connection, Connections } from "./connections.ts";
import type { Handler } from "./exchange.ts";
import type { Http2Fault } from "./guard/http2-guard.ts";
import type { OnRequest } from "./http2-server.ts";
import { findHeadError } from "./request-head.ts";
import { sendError } from "./router.ts";

interface AdmissionParts {
  readonly budgets: Budgets;
  readonly addresses: ClientAddresses;
  readonly clients: Clients;
  readonly connections: Connections;
  /** Whether the event loop is too far behind to serve all requests. */
  readonly isLate: () => boolean;
  readonly handler: Handler;
  readonly onFault: (fault: Error) => void;
  readonly metrics?: Metrics | undefined;
}

/** The checks and reports of the servers for both HTTP versions. */
export interface Admission {
  readonly onRequest: OnRequest;
  readonly mayOpenStream: (connection: Connection) => boolean;
  readonly onFlood: (connection: Connection, fault: Http2Fault) => void;
}

/** Rejects requests that violate a rule or a budget, and passes all others to the handler. */
export function createAdmission(parts: AdmissionParts): Admission {
  const { budgets, addresses, clients, connections, isLate, handler, onFault, metrics } = parts;
  const isOverloaded = () => clients.openRequests > budgets.openRequestsWhenLate && isLate();

  function refuse(exchange: BaseExchange, refusal: Refusal, isDirect: boolean): void {
    const { connection } = exchange;
    metrics?.budgetExceeded("requests");
    onFault(new BudgetError(refusal));
    // HTTP/2 uses GOAWAY for this, unless a proxy shares the connection among clients.
    if (!isDirect || connection.protocol === "http1") sendError(exchange, [], tooManyRequests(budgets.penaltyMs));
    if (isDirect) connections.punish(connection);
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
      const address = addresses.find(connection.remoteAddress, exchange.headers);
      const isDirect = address === connection.remoteAddress;
      const client = isDirect && connection.client !== undefined ? connection.client : clients.find(address);
      const refusal = clients.admitRequest(client, isDirect && connection.guard !== undefined);
      if (refusal !== undefined) {
        refuse(exchange, refusal, isDirect);
        return;
      }
      exchange.open({ clients, client, address, isOverloaded, metrics });
      respond(exchange, problem ?? findHeadError(exchange.rawHeaders, budgets));
    },
    /** A stream over the budget costs nothing if nghttp2 does not see it. Proxies are exempt here. */
    mayOpenStream({ client }) {
      if (client === undefined || clients.payRequest(client)) return true;
      metrics?.budgetExceeded("requests");
      return false;
    },
    /** The guard has already sent GOAWAY. A protocol error is not a flood, and does not count against the address. */
    onFlood({ client }, { kind, description }) {
      if (kind === "flood") metrics?.budgetExceeded("http2_frames");
      if (kind === "flood" && client !== undefined) clients.penalize(client);
      onFault(kind === "flood" ? new BudgetError(description) : new Error(description));
    },
  };
}
