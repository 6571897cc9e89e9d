import { sql } from "kysely";
import { isActiveWebhook } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** Deliveries of a webhook that may wait. Its further events stay in `events` until some of them have ended. */
export const MAX_WAITING = 1_000;
/** Webhooks, and events of each, that one statement examines. */
const MAX_WEBHOOKS_AT_ONCE = 50;
const MAX_EVENTS_AT_ONCE = 200;

interface Fed {
  /** Whether there is an active webhook. */
  readonly isUsed: boolean;
  /** The webhooks whose events were examined; 0 if all are up to date, or have as many deliveries as may wait. */
  readonly examined: number;
}

/**
 * Creates the deliveries of new events for active webhooks, and moves their positions. Each webhook follows the events
 * of its organization by its own position, so an event has one delivery, and none is missing. Several processes may do
 * this at once: each webhook is fed by one of them.
 *
 * @param settled No event at this position or before it can appear any more (`ReadSettledPosition`).
 * @throws SignetError if the database fails.
 */
export async function feedDeliveries(db: Database, { settled, now }: { settled: bigint; now: Date }): Promise<Fed> {
  const [row] = await feed(db, { settled, now });
  return { isUsed: row?.is_used ?? false, examined: row?.examined ?? 0 };
}

/**
 * Conditions on owner and position are row comparisons, for which the planner uses the index that starts with the owner
 * (`indexOrderOf` in src/events/list-events.ts).
 */
const feed = prepareStatement<{ settled: bigint; now: Date }, { is_used: boolean; examined: number }>((_, param) => {
  const [settled, now] = [param("settled", "bigint"), param("now", "timestamptz")];
  const isBetween = (table: string) => sql`
    (events.owner_id, events.position) > (${sql.ref(`${table}.owner_id`)}, ${sql.ref(`${table}.position`)})
    and (events.owner_id, events.position) <= (${sql.ref(`${table}.owner_id`)}, ${settled})`;
  return sql`
    with behind as materialized (
      select owner_id, id, position, event_types from webhooks
      where ${isActiveWebhook("webhooks")} and position < ${settled}
        and exists (select from events where ${isBetween("webhooks")})
        and (
          select count(*) from (
            select from webhook_deliveries
            where webhook_deliveries.owner_id = webhooks.owner_id and webhook_deliveries.webhook_id = webhooks.id
              and webhook_deliveries.state = 'waiting'
            limit ${sql.lit(MAX_WAITING)}) as waiting
        ) < ${sql.lit(MAX_WAITING)}
      order by position limit ${sql.lit(MAX_WEBHOOKS_AT_ONCE)}
      for no key update skip locked
    ), found as materialized (
      select behind.owner_id, behind.id as webhook_id, behind.event_types, event.*
      from behind cross join lateral (
        select events.position, aggregate_id, sequence, type, created_at from events
        where ${isBetween("behind")}
        order by events.owner_id, events.position limit ${sql.lit(MAX_EVENTS_AT_ONCE)}
      ) as event
    ), moved as (
      update webhooks set position = last.position
      from (select owner_id, webhook_id, max(position) as position from found group by owner_id, webhook_id) as last
      where webhooks.owner_id = last.owner_id and webhooks.id = last.webhook_id
    ), added as (
      insert into webhook_deliveries (owner_id, id, webhook_id, position, aggregate_id, sequence, event_type,
        event_created_at, created_at, next_attempt_at)
      select owner_id, gen_random_uuid(), webhook_id, position, aggregate_id, sequence, type, created_at, ${now}, ${now}
      from found where event_types = '{}' or type = any(event_types)
    )
    select exists (select from webhooks where state = 'active') as is_used,
      (select count(*)::int from behind) as examined`;
});
