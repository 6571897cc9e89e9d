import type { SignetError } from "../errors.ts";
import { tooManyRequests } from "../http/base-exchange.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { ROUTES } from "./routes.ts";
import { createStartLimit } from "./start-limit.ts";

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
  const started = new WeakSet<Exchange>();
  const released = new WeakSet<Exchange>();

  return {
    refuse(exchange) {
      const { path, address } = exchange;
      if (!STARTING_PATHS.has(path)) return undefined;
      const retryAfterMs = limit.reserve(address);
      if (retryAfterMs > 0) {
        metrics?.budgetExceeded("sign_in_starts");
        return tooManyRequests(retryAfterMs);
      }
      exchange.onClose(() => {
        if (started.has(exchange)) return;
        released.add(exchange);
        limit.release(address);
      });
      return undefined;
    },
    count(exchange, parameters) {
      started.add(exchange);
      limit.count(exchange.address, JSON.stringify(parameters).length, released.has(exchange));
    },
    settle: limit.settle,
  };
}

/** The paths on which an unauthenticated client can make the provider store a row. */
const STARTING_PATHS: ReadonlySet<string> = new Set([
  ROUTES.authorization,
  ROUTES.device_authorization,
  ROUTES.code_verification,
  ROUTES.end_session,
]);
