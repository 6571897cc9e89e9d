import { sql } from "kysely";
import { isActiveWebhook } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** Where the events of a webhook are sent, and the keys that sign them. */
export interface WebhookTarget {
  readonly url: string;
  readonly key_id: string;
  readonly secret: Buffer;
  readonly secret_key: string;
  /** The previous signing key, while it is still used. */
  readonly previous_id: string | null;
  readonly previous_secret: Buffer | null;
  readonly previous_secret_key: string | null;
}

/** A delivery that this process has claimed, with everything that is sent. */
export interface ClaimedDelivery extends WebhookTarget {
  readonly owner_id: string;
  readonly id: string;
  readonly webhook_id: string;
  /** Attempts, including this one. The claim is valid while the row has this number. */
  readonly attempts: number;
  readonly position: bigint;
  readonly event_type: string;
  readonly event_created_at: Date;
  readonly aggregate_id: string;
  readonly editor_id: string | null;
  /** Null if the webhook does not include payloads, and after the user's personal data was erased. */
  readonly payload: object | null;
}

interface ClaimOptions {
  /** The webhooks whose deliveries to claim; undefined for all. */
  readonly webhookIds: readonly string[] | undefined;
  /** The most deliveries to claim: in all, and of webhooks that are not quick. */
  readonly limit: number;
  readonly slowLimit: number;
  /** The most of some webhooks. Of any other one, which is not quick, one is claimed. */
  readonly limits: readonly WebhookLimit[];
  readonly now: Date;
  /** No process claims them again before that time. */
  readonly until: Date;
}

export interface WebhookLimit {
  readonly id: string;
  readonly most: number;
  readonly quick: boolean;
}

/** Due deliveries of a webhook that one statement examines, and locks meanwhile, to find a few that it can claim. */
const MAX_EXAMINED = 50;

/**
 * Claims deliveries that are due: of the deliveries of one object to one webhook, only the first that waits. The others
 * that are due are postponed, at most until that one is tried again; `endDelivery` makes the next one due earlier. A flag
 * that they are blocked could remain set when the end of one delivery and the creation of the next one do not see each
 * other.
 *
 * @returns `mayBeMore`: whether others may be due that this call has not examined.
 * @throws SignetError if the database fails.
 */
export async function claimDeliveries(
  db: Database,
  { webhookIds, limit, slowLimit, limits, now, until }: ClaimOptions,
): Promise<{ claimed: ClaimedDelivery[]; mayBeMore: boolean }> {
  const rows = await claim(db, {
    ids: webhookIds === undefined ? null : [...webhookIds],
    limit: BigInt(limit),
    slowLimit: BigInt(slowLimit),
    limits: JSON.stringify(limits),
    now,
    until,
  });
  const claimed = rows.filter((row): row is ClaimRow & ClaimedDelivery => row.id !== null);
  return {
    claimed,
    mayBeMore: claimed.length === limit || rows.some(({ postponed }) => postponed >= MAX_EXAMINED / 2),
  };
}

interface ClaimValues {
  ids: string[] | null;
  limit: bigint;
  slowLimit: bigint;
  limits: string;
  now: Date;
  until: Date;
}

/** A row without an id represents that nothing was claimed. */
type ClaimRow = { readonly postponed: number } & {
  readonly [Name in keyof ClaimedDelivery]: ClaimedDelivery[Name] | null;
};

/**
 * Sets `last_error` to null, as claims of messages do: a delivery that waits for a retry has one. The limit of the join
 * with the events keeps the planner from reading all of them.
 */
const claim = prepareStatement<ClaimValues, ClaimRow>((_, param) => {
  const [now, ids] = [param("now", "timestamptz"), param("ids", "uuid[]")];
  return sql`
    with hook as materialized (
      select webhooks.owner_id, webhooks.id, coalesce(limited.most, 1) as most, coalesce(limited.quick, false) as quick
      from webhooks
        left join jsonb_to_recordset(${param("limits", "jsonb")}) as limited (id uuid, most int, quick boolean)
          on limited.id = webhooks.id
      where ${isActiveWebhook("webhooks")} and (${ids} is null or webhooks.id = any(${ids}))
        and coalesce(limited.most, 1) > 0
    ), due as materialized (
      select one.*, hook.most, hook.quick
      from hook cross join lateral (
        select owner_id, id, webhook_id, aggregate_id, position, next_attempt_at from webhook_deliveries
        where webhook_deliveries.owner_id = hook.owner_id and webhook_deliveries.webhook_id = hook.id
          and state = 'waiting' and next_attempt_at <= ${now}
        order by next_attempt_at, position limit ${sql.lit(MAX_EXAMINED)}
        for update skip locked
      ) as one
    ), ordered as materialized (
      select due.*, earlier.again_at, row_number() over (
        partition by due.webhook_id, earlier.again_at is null order by due.next_attempt_at, due.position) as number
      from due left join lateral (
        select case when before.last_error is not null and before.next_attempt_at > ${now} then before.next_attempt_at
          else ${now} + interval '1 second' end as again_at
        from webhook_deliveries as before
        where before.owner_id = due.owner_id and before.webhook_id = due.webhook_id
          and before.aggregate_id = due.aggregate_id and before.state = 'waiting' and before.position < due.position
        order by before.position limit 1
      ) as earlier on true
    ), postponed as (
      update webhook_deliveries set next_attempt_at = ordered.again_at from ordered
      where ordered.again_at is not null
        and webhook_deliveries.owner_id = ordered.owner_id and webhook_deliveries.id = ordered.id
      returning 1
    ), eligible as (
      select *, row_number() over (partition by quick order by next_attempt_at, position) as place
      from ordered where again_at is null and number <= most
    ), claimed as (
      update webhook_deliveries
      set attempts = webhook_deliveries.attempts + 1, next_attempt_at = ${param("until", "timestamptz")}, last_error = null
      from (
        select owner_id, id from eligible where quick or place <= ${param("slowLimit", "bigint")}
        order by next_attempt_at, position limit ${param("limit", "bigint")}
      ) as chosen
      where webhook_deliveries.owner_id = chosen.owner_id and webhook_deliveries.id = chosen.id
      returning webhook_deliveries.*
    )
    select counted.postponed, claimed.owner_id, claimed.id, claimed.webhook_id, claimed.attempts, claimed.position,
      claimed.event_type, claimed.event_created_at, claimed.aggregate_id, event.editor_id,
      case when webhooks.includes_payload then event.payload end as payload, webhooks.url,
      current.id as key_id, current.secret, current.secret_key,
      previous.id as previous_id, previous.secret as previous_secret, previous.secret_key as previous_secret_key
    from (select count(*)::int as postponed from postponed) as counted
      left join (
        claimed
          join webhooks on webhooks.owner_id = claimed.owner_id and webhooks.id = claimed.webhook_id
          join webhook_keys as current on current.owner_id = webhooks.owner_id and current.id = webhooks.key_id
      ) on true
      left join webhook_keys as previous on previous.owner_id = webhooks.owner_id
        and previous.id = webhooks.previous_key_id and webhooks.previous_key_until > ${now}
      left join lateral (
        select editor_id, payload from events
        where events.owner_id = claimed.owner_id and events.aggregate_id = claimed.aggregate_id
          and events.sequence = claimed.sequence
        limit 1
      ) as event on true
    order by claimed.position`;
});
