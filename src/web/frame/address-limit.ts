import { LRUCache } from "lru-cache";
import type { Caller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { countInPeriod } from "../../database/counters.ts";
import type { Database } from "../../database/database.ts";
import { LIMITS, periodMsOf } from "../../limits.ts";
import { networksOf } from "../../network-of.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

const { wrongCodes: LIMIT } = LIMITS;

/** The number of networks in memory, at about 200 bytes each. The one whose last failure is oldest is dropped first. */
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
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
}

/**
 * Failures are counted twice: in the database, which all processes share, and in the memory of this process, for
 * `secondsBlocked`. A process reads the shared count only when it counts a failure itself. Therefore, an address
 * blocked by another process can open valid links here, and look up one wrong code before it is blocked here too: with
 * n processes, 29 + n wrong codes per window instead of 30. In exchange, neither a valid link nor a blocked address
 * causes a query for the count. Codes cannot be guessed in either case: a link has 128 random bits, and the digits of
 * an SMS have separate limits. For the same reason, the failures of wider networks are counted in memory only.
 */
export function createAddressLimit({ db, clock, metrics }: AddressLimitParts): AddressLimit {
  const remembered = new LRUCache<string, Failures>({ max: MAX_REMEMBERED });

  return {
    secondsBlocked(address) {
      const blocked = networksOf(address).flatMap((network, width) => {
        const failures = recall(network);
        return failures !== undefined && failures.count >= maxFailures(width) ? [failures] : [];
      });
      if (blocked.length === 0) return undefined;
      metrics?.budgetExceeded("wrong_codes");
      return Math.max(...blocked.map(secondsUntilEnd));
    },
    async countFailure(address, caller) {
      const networks = networksOf(address);
      // Concurrent failures over the limit do not reach the database, or count for a wider network.
      for (const [width, network] of networks.entries()) {
        const counted = countInMemory(network);
        if (counted.count > maxFailures(width)) return secondsUntilEnd(counted);
      }
      caller.throwIfOver();
      const [own] = networks;
      const shared = await countShared(db, own, clock().getTime());
      const synced = { count: Math.max(recall(own)?.count ?? 0, shared.count), endsAt: shared.endsAt };
      remembered.set(own, synced);
      return shared.count > LIMIT.most ? secondsUntilEnd(synced) : undefined;
    },
  };

  function countInMemory(network: string): Failures {
    const ofNow = { count: 0, endsAt: clock().getTime() + periodMsOf(LIMIT) };
    const { count, endsAt } = recall(network) ?? ofNow;
    const counted = { count: count + 1, endsAt };
    remembered.set(network, counted);
    return counted;
  }

  function recall(network: string): Failures | undefined {
    const found = remembered.peek(network);
    return found !== undefined && found.endsAt > clock().getTime() ? found : undefined;
  }

  function secondsUntilEnd({ endsAt }: Failures): number {
    return Math.max(1, Math.ceil((endsAt - clock().getTime()) / 1_000));
  }
}

/** @param width The number of the network in `networksOf`. */
function maxFailures(width: number): number {
  return LIMIT.most * 2 ** width;
}

interface Failures {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

/** Counts a failure of a network in the database, for all processes. */
async function countShared(db: Database, network: string, now: number): Promise<Failures> {
  const counted = await countInPeriod(db, { key: `page:${network}`, periodMs: periodMsOf(LIMIT) }, now);
  if (counted === undefined) throw new Error("the counter was not stored");
  return counted;
}
