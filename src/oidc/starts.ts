import type { SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { ROUTES } from "./routes.ts";
import { createExchangeLimit, createStartLimit } from "./start-limit.ts";

/** Limits what unauthenticated requests make the provider store; see `StartLimit`. */
export interface Starts {
  /** Reserves a start for a request that may need one. Returns an error if its address has none left. */
  refuse(exchange: Exchange): SignetError | undefined;
  /** The request has stored a row, with a size given by its parameters. */
  count(exchange: Exchange, parameters: object): void;
  /** A sign-in was completed, which deletes its row. */
  settle(address: string): void;
}

export function createStarts(metrics: Metrics | undefined): Starts {
  const limit = createStartLimit();
  const exchangeLimit = createExchangeLimit(limit, () => metrics?.budgetExceeded("sign_in_starts"));
  return {
    refuse: (exchange) => (STARTING_PATHS.has(exchange.path) ? exchangeLimit.reserve(exchange) : undefined),
    count: (exchange, parameters) => exchangeLimit.count(exchange, JSON.stringify(parameters).length),
    settle: limit.settle,
  };
}

/** The paths on which an unauthenticated client can make the provider store a row. */
const STARTING_PATHS: ReadonlySet<string> = new Set([
  ROUTES.authorization,
  ROUTES.device_authorization,
  ROUTES.pushed_authorization_request,
  ROUTES.code_verification,
  ROUTES.end_session,
]);
