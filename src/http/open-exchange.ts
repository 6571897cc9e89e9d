import { SignetError } from "../errors.ts";
import type { Client, Clients } from "./clients.ts";
import type { Connection, OpenRequest } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import type { Transport } from "./http2-exchange.ts";
import { createRequestId } from "./request-id.ts";

/** What is known of a request besides its head and its body. */
export interface RequestContext {
  readonly connection: Connection;
  readonly clients: Clients;
  /** The client's address, and its budgets: those of the connection, or of the client behind a proxy. */
  readonly address: string;
  readonly client: Client;
  readonly isOverloaded: () => boolean;
}

/**
 * Makes an exchange of a request that was admitted, and accounts for it until the client has its answer.
 *
 * @param target The request target as it was sent.
 */
export function openExchange(
  transport: Transport,
  target: string,
  openRequest: OpenRequest,
  { connection, clients, client, address, isOverloaded }: RequestContext,
): Exchange {
  const at = target.indexOf("?");
  let isStranger = true;
  const trust = (isAuthorized: boolean) => {
    if (isStranger) clients.closeRequest(client, isAuthorized);
    isStranger = false;
  };
  connection.requests.add(openRequest);
  transport.onClose(() => {
    connection.requests.delete(openRequest);
    trust(false);
  });
  return Object.assign(transport, {
    id: createRequestId(),
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? "" : target.slice(at + 1),
    address,
    refuseStranger() {
      const waitMs = clients.failureWaitMs(client);
      if (waitMs > 0) return tooManyRequests(waitMs);
      if (!isOverloaded()) return undefined;
      return new SignetError("UNAVAILABLE", "the service is overloaded; try again", { retryAfterMs: 1_000 });
    },
    countFailure: () => clients.countFailure(client),
    trust: () => trust(true),
  });
}

export function tooManyRequests(retryAfterMs: number): SignetError {
  return new SignetError("TOO_MANY_REQUESTS", "too many requests from this address; try again later", { retryAfterMs });
}
