import { CompiledQuery, type Kysely } from "kysely";
// The package's main module also loads 30 other modules and SQLite, which adds 30 ms to startup.
import RateLimiterPostgres from "rate-limiter-flexible/lib/RateLimiterPostgres.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import type { Caller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { toSignetError } from "../../database/failure.ts";
import type { Tables } from "../../database/tables.ts";
import { networkOf } from "../../http/network-of.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

/** The number of wrong codes that one address may send, and for how many seconds they count. */
export const MAX_FAILURES = 30;
export const FAILURE_WINDOW_SECONDS = 15 * 60;

/**
 * The number of addresses in memory, at about 200 bytes each. The one whose last failure is oldest is dropped first.
 */
const MAX_REMEMBERED = 10_000;

/** Limits the wrong codes of an address. Requests with a valid code are never counted. */
export interface AddressLimit {
  /** The seconds until the address may try again; undefined if it is not blocked. Runs no query. */
  secondsBlocked(address: string): number | undefined;
  /**
   * Counts one failure. Returns the seconds until the address may try again if this failure exceeds the limit. A
   * failure of a disconnected client is counted in memory only.
   *
   * @throws SignetError for a failure of the database.
   */
  countFailure(address: string, caller: Pick<Caller, "throwIfOver">): Promise<number | undefined>;
}

interface AddressLimitParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
}

/**
 * Failures are counted twice: in the database, which all processes share, and in the memory of this process, for
 * `secondsBlocked`. A process reads the shared count only when it counts a failure itself. Therefore, an address
 * blocked by another process can open valid links here, and look up one wrong code before it is blocked here too: with
 * n processes, 29 + n wrong codes per window instead of 30. In exchange, neither a valid link nor a blocked address
 * causes a query for the count. Codes cannot be guessed in either case: a link has 128 random bits, and the digits of
 * an SMS have separate limits.
 */
export function createAddressLimit({ db, clock, metrics }: AddressLimitParts): AddressLimit {
  const limiter = createSharedLimiter(db);
  const remembered = new Map<string, Failures>();

  return {
    secondsBlocked(address) {
      const found = recall(networkOf(address));
      if (found === undefined || found.count < MAX_FAILURES) return undefined;
      metrics?.budgetExceeded("wrong_codes");
      return secondsUntilEnd(found);
    },
    async countFailure(address, caller) {
      const network = networkOf(address);
      const { count, endsAt } = recall(network) ?? {
        count: 0,
        endsAt: clock().getTime() + FAILURE_WINDOW_SECONDS * 1_000,
      };
      const counted = remember(network, { count: count + 1, endsAt });
      // Concurrent failures over the limit do not reach the database.
      if (counted.count > MAX_FAILURES) return secondsUntilEnd(counted);
      caller.throwIfOver();
      const shared = await consume(limiter, network);
      const synced = remember(network, {
        count: Math.max(recall(network)?.count ?? 0, shared.consumedPoints),
        endsAt: clock().getTime() + shared.msBeforeNext,
      });
      return shared.consumedPoints > MAX_FAILURES ? secondsUntilEnd(synced) : undefined;
    },
  };

  function recall(network: string): Failures | undefined {
    const found = remembered.get(network);
    if (found === undefined || found.endsAt > clock().getTime()) return found;
    remembered.delete(network);
    return undefined;
  }

  function remember(network: string, failures: Failures): Failures {
    // A Map iterates in insertion order.
    remembered.delete(network);
    remembered.set(network, failures);
    if (remembered.size > MAX_REMEMBERED) {
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        break;
      }
    }
    return failures;
  }

  function secondsUntilEnd({ endsAt }: Failures): number {
    return Math.max(1, Math.ceil((endsAt - clock().getTime()) / 1_000));
  }
}

interface Failures {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

function createSharedLimiter(db: Kysely<Tables>): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: { query: (query: Query) => runQuery(db, query) },
    storeType: "kysely",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: "page",
    points: MAX_FAILURES,
    duration: FAILURE_WINDOW_SECONDS,
  });
}

/** The limiter rejects with its result if the limit is exceeded. */
async function consume(limiter: RateLimiterPostgres, network: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(network);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw toSignetError(error);
  }
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The part of a `pg` client that the limiter uses. The limiter passes the time as a parameter, and computes with
 * numbers.
 */
async function runQuery(db: Kysely<Tables>, { text, values }: Query) {
  const { rows } = await db.executeQuery<{ points: number; expire: bigint }>(CompiledQuery.raw(text, [...values]));
  return { rows: rows.map(({ points, expire }) => ({ points, expire: Number(expire) })), rowCount: rows.length };
}
