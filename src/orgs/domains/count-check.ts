import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { SignetError } from "../../errors.ts";

/** The most checks of its domains that an organization can request in an hour, because each sends requests to others. */
export const MAX_CHECKS_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

/**
 * Counts a check before it is made, so that concurrent ones cannot exceed the limit.
 *
 * @throws SignetError TOO_MANY_DOMAIN_CHECKS, or for a failure of the database.
 */
export async function countCheck(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  orgId: string,
  caller: QueryCaller,
): Promise<void> {
  const now = clock().getTime();
  const hour = Math.floor(now / HOUR_MS);
  const end = (hour + 1) * HOUR_MS;
  const [counted] = await increment(db, { key: `domain-checks:${orgId}:${hour}`, expire: BigInt(end) }, caller);
  if (counted !== undefined) return;
  const message = `an organization can check its domains ${MAX_CHECKS_PER_HOUR} times per hour`;
  throw new SignetError("TOO_MANY_DOMAIN_CHECKS", message, { retryAfterMs: end - now });
}

/** Returns no row if the limit is reached. Rows are deleted with the table's other expired rows. */
const increment = prepareStatement<{ key: string; expire: bigint }, { points: number }>((db, param) =>
  db
    .insertInto("rate_limits")
    .values({ key: param("key", "text"), points: 1, expire: param("expire", "bigint") })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ points: sql<number>`rate_limits.points + 1` })
        .where(sql<boolean>`rate_limits.points < ${sql.lit(MAX_CHECKS_PER_HOUR)}`),
    )
    .returning("points"),
);
