import type { SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Rate } from "../token-bucket.ts";
import { ROUTES } from "./routes.ts";
import { createExchangeLimit, createStartLimit } from "./start-limit.ts";

/** Limits the wrong user codes of an address (RFC 8628, section 5.1). A correct code does not count. */
export interface UserCodeAttempts {
  /** Returns an error if the request enters a code, and its address has entered too many wrong ones. */
  refuse(exchange: Exchange): SignetError | undefined;
  /** The request has entered a code that no device shows. */
  countWrong(exchange: Exchange): void;
}

/** The provider's event for a code that no device shows. The provider itself has none. */
export const WRONG_USER_CODE = "user_code.wrong";

/** As many as the wrong codes of links. One of 25 billion codes is right for each device. */
const WRONG_CODES: Rate = { burst: 30, perSecond: 30 / 900 };

export function createUserCodeAttempts(metrics: Metrics | undefined): UserCodeAttempts {
  const limit = createExchangeLimit(createStartLimit(undefined, WRONG_CODES), () =>
    metrics?.budgetExceeded("wrong_codes"),
  );
  return {
    refuse(exchange) {
      const isAttempt = exchange.method === "POST" && exchange.path === ROUTES.code_verification;
      return isAttempt ? limit.reserve(exchange) : undefined;
    },
    countWrong: (exchange) => limit.count(exchange, 0),
  };
}
