import type { SignetError } from "../errors.ts";
import { tooManyRequests } from "../http/base-exchange.ts";
import type { Exchange } from "../http/exchange.ts";
import type { StartLimit } from "./start-limit.ts";

/** Applies a `StartLimit` to requests: a start that a request has not used is released when the request ends. */
interface ExchangeLimit {
  /** Reserves a start. Returns an error if the address of the request has none left. */
  reserve(exchange: Exchange): SignetError | undefined;
  /** The request has used its start; see `StartLimit`. */
  count(exchange: Exchange, length: number): void;
}

/** @param onExceeded Called for each refused request. */
export function createExchangeLimit(limit: StartLimit, onExceeded: () => void): ExchangeLimit {
  const started = new WeakSet<Exchange>();
  const released = new WeakSet<Exchange>();

  return {
    reserve(exchange) {
      const { address } = exchange;
      const retryAfterMs = limit.reserve(address);
      if (retryAfterMs > 0) {
        onExceeded();
        return tooManyRequests(retryAfterMs);
      }
      exchange.onClose(() => {
        if (started.has(exchange)) return;
        released.add(exchange);
        limit.release(address);
      });
      return undefined;
    },
    count(exchange, length) {
      started.add(exchange);
      limit.count(exchange.address, length, released.has(exchange));
    },
  };
}
