import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/** The outcome of an attempt. `retried`: it failed, and the next one is due at `nextAttemptAt`. */
export type DeliveryOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "retried"; readonly error: string; readonly nextAttemptAt: Date };

/**
 * Stores the outcome of an attempt. Once a delivery has ended, the next one of the same object is due.
 *
 * @returns Whether the claim was still valid. If not, nothing changes.
 * @throws SignetError if the database fails.
 */
export async function endDelivery(
  db: Database,
  { owner_id: ownerId, id, attempts }: ClaimedDelivery,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<boolean> {
  const claim = { ownerId, id, attempts: BigInt(attempts) };
  const error = "error" in outcome ? outcome.error : null;
  if (outcome.kind !== "retried") return (await end(db, { ...claim, state: outcome.kind, error, now })).length > 0;
  return (await postpone(db, { ...claim, error, nextAttemptAt: outcome.nextAttemptAt })).length > 0;
}

interface Claim {
  ownerId: string;
  id: string;
  attempts: bigint;
  error: string | null;
}

/**
 * A delivery that waits, in words from which the planner cannot conclude that an index of waiting deliveries serves: with
 * the statistics of a small table, it read all that wait in the organization instead of one row by its primary key.
 */
const isWaiting = sql<boolean>`webhook_deliveries.state <> all ('{sent,failed}')`;

const end = prepareStatement<Claim & { state: "sent" | "failed"; now: Date }, { id: string }>((_, param) => {
  const now = param("now", "timestamptz");
  return sql`
    with ended as (
      update webhook_deliveries set state = ${param("state", "text")}, next_attempt_at = null, ended_at = ${now},
        last_error = ${param("error", "text")}
      where owner_id = ${param("ownerId", "uuid")} and id = ${param("id", "uuid")}
        and attempts = ${param("attempts", "bigint")} and ${isWaiting}
      returning owner_id, id, webhook_id, aggregate_id, position
    ), next as (
      update webhook_deliveries set next_attempt_at = least(webhook_deliveries.next_attempt_at, ${now})
      from ended cross join lateral (
        select id from webhook_deliveries as later
        where later.owner_id = ended.owner_id and later.webhook_id = ended.webhook_id
          and later.aggregate_id = ended.aggregate_id and later.state = 'waiting' and later.position > ended.position
        order by later.position limit 1
      ) as first
      where webhook_deliveries.owner_id = ended.owner_id and webhook_deliveries.id = first.id and ${isWaiting}
    )
    select id from ended`;
});

const postpone = prepareStatement<Claim & { nextAttemptAt: Date }, { id: string }>((db, param) =>
  db
    .updateTable("webhook_deliveries")
    .set({ next_attempt_at: param("nextAttemptAt", "timestamptz"), last_error: param("error", "text") })
    .where("owner_id", "=", param("ownerId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .where(sql<boolean>`attempts = ${param("attempts", "bigint")}`)
    .where(isWaiting)
    .returning("id"),
);
