import { sql } from "kysely";
import { prepareStatement } from "../../database/prepare.ts";
import type { RemovalStep } from "./removal-step.ts";

/** Events that one statement reads. */
export const EVENTS_AT_ONCE = 1_000;
/** The largest bigint. No event has this position. */
const LAST = 2n ** 63n - 1n;

/** Erases the payloads of the events of an organization. Type, sequence, time and editor stay, as of a removed user. */
export const ERASE_EVENTS: RemovalStep = {
  async run(db, { id: orgId }, after = "0") {
    const [row] = await statement(db, { orgId, after: BigInt(after) });
    if (row === undefined || row.last === null) return { next: undefined };
    return { next: row.events < EVENTS_AT_ONCE ? undefined : row.last };
  },
};

interface ErasedRow {
  events: number;
  last: string | null;
}

/**
 * Both conditions are row comparisons, as in `feedDeliveries`. With an equality for the owner, PostgreSQL would read each
 * time from the owner's first event: thousands of times for an organization with a million users.
 */
const statement = prepareStatement<{ orgId: string; after: bigint }, ErasedRow>((_, param) => {
  const orgId = param("orgId", "uuid");
  return sql`
    with found as materialized (
      select aggregate_id, sequence, position, payload is not null and payload <> '{}' as has_payload from events
      where (owner_id, position) > (${orgId}, ${param("after", "bigint")})
        and (owner_id, position) <= (${orgId}, ${sql.lit(LAST)})
      order by owner_id, position limit ${sql.lit(EVENTS_AT_ONCE)}
    ), erased as (
      update events set payload = null from found
      where events.owner_id = ${orgId} and events.aggregate_id = found.aggregate_id
        and events.sequence = found.sequence and found.has_payload
    )
    select count(*)::int as events, max(position)::text as last
    from found`;
});
