import { isIP } from "node:net";
import { CompiledQuery, type Kysely } from "kysely";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { toSignetError } from "../../database/failure.ts";
import type { Tables } from "../../database/tables.ts";

/** How many wrong codes an address may send in how much time. Nobody guesses 128 bits; this keeps the log quiet. */
export const FAILURES = 30;
export const FAILURE_SECONDS = 15 * 60;

/**
 * Counts what went wrong by address, in the database, so that several processes count together. Visits with a right code
 * are not counted.
 *
 * Both functions give the seconds after which the address may try again; undefined where it may now. They throw
 * SignetError for a failure of the database.
 */
export function createAddressLimit(db: Kysely<Tables>) {
  const limiter = new RateLimiterPostgres({
    storeClient: { query: (query: Query) => runQuery(db, query) },
    storeType: "kysely",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: "page",
    points: FAILURES,
    duration: FAILURE_SECONDS,
  });

  return {
    async check(address: string): Promise<number | undefined> {
      const found = await limiter.get(toNetwork(address)).catch(refuse);
      return found !== null && found.consumedPoints >= FAILURES ? toSeconds(found) : undefined;
    },
    /** Counts one failure. The one that is too many is told so. */
    async count(address: string): Promise<number | undefined> {
      try {
        await limiter.consume(toNetwork(address));
        return undefined;
      } catch (error) {
        return error instanceof RateLimiterRes ? toSeconds(error) : refuse(error);
      }
    },
  };
}

/** What an address stands for: of IPv6 the first 64 bits, because that is what one household or server gets. */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  // What a proxy gives may be no address, and of any length; a key of the table may not.
  if (isIP(address) !== 6) return address.slice(0, 64);
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const end = tail === undefined || tail === "" ? [] : tail.split(":");
  // An IPv4 address at the end takes the place of two groups.
  const written = groups.length + end.length + (address.includes(".") ? 1 : 0);
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(8 - written).fill("0"), ...end];
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The part of a `pg` client that the limiter uses. It takes the time from us, and reckons with plain numbers. */
async function runQuery(db: Kysely<Tables>, { text, values }: Query) {
  const { rows } = await db.executeQuery<{ points: number; expire: bigint }>(CompiledQuery.raw(text, [...values]));
  return { rows: rows.map(({ points, expire }) => ({ points, expire: Number(expire) })), rowCount: rows.length };
}

function refuse(error: unknown): never {
  throw toSignetError(error);
}

function toSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
