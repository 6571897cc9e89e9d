import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { runQuery } from "../database/run-query.ts";
import { invalidArgument } from "../errors.ts";
import type { AttemptKind } from "./attempt-limit.ts";
import { HOUR_MS, startOfHour } from "./failed-sign-ins.ts";

/** Which failed sign-ins to count. */
export interface FailedSignInSearch {
  /** Undefined for all of the organization. */
  readonly userId: string | undefined;
  /** By default, 23 hours before `until`. */
  readonly since: Date | undefined;
  /** By default, now. */
  readonly until: Date | undefined;
}

export interface FailedSignInCounts {
  /** Only hours with failures, the oldest first. */
  readonly hours: readonly { readonly hour: Date; readonly count: bigint }[];
  /** The largest first. */
  readonly sources: readonly FailedSignInSource[];
}

/** The failures of a kind from a network with a browser. */
interface FailedSignInSource {
  readonly network: string;
  readonly browser: string;
  readonly kind: AttemptKind;
  readonly count: bigint;
  readonly last_hour: Date;
}

const LONGEST_MS = 31 * 24 * HOUR_MS;
const MOST_SOURCES = 100;

/**
 * Counts the failed sign-ins of the organization of the call (docs/reference/events.md).
 *
 * @throws SignetError INVALID_ARGUMENT, or for a failure of the database.
 */
export async function countFailedSignIns(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { userId, since, until = clock() }: FailedSignInSearch,
  call: Call,
): Promise<FailedSignInCounts> {
  const from = since ?? new Date(until.getTime() - 23 * HOUR_MS);
  if (from > until) throw invalidArgument({ field: "since", description: "must not be after `until`" });
  if (until.getTime() - from.getTime() > LONGEST_MS) {
    throw invalidArgument({ field: "since", description: "must be at most 31 days before `until`" });
  }
  if (userId !== undefined && !isId(userId)) return { hours: [], sources: [] };
  const isCounted = sql<SqlBool>`org_id = ${call.orgId}::uuid and hour between ${startOfHour(from)}::timestamptz
    and ${until}::timestamptz${userId === undefined ? sql`` : sql` and user_id = ${userId}::uuid`}`;
  const read = <Row>(statement: RawBuilder<Row>) => runQuery<Row>(db.lists, statement.compile(db), call);
  const hours = await read(sql<FailedSignInCounts["hours"][number]>`
    select hour, sum(count)::bigint as count from failed_sign_ins where ${isCounted} group by hour order by hour`);
  const sources = await read(sql<FailedSignInSource>`
    select network, browser, kind, sum(count)::bigint as count, max(hour) as last_hour
    from failed_sign_ins where ${isCounted}
    group by network, browser, kind order by count desc, last_hour desc, network, browser, kind
    limit ${sql.lit(MOST_SOURCES)}`);
  return { hours, sources };
}
