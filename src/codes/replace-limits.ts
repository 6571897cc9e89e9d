import { type Expression, sql } from "kysely";
import { isOfSameUser } from "./conditions.ts";
import type { CodeKind } from "./kinds.ts";

/**
 * The number of codes of one kind in 24 hours after which pages and the `Resend…` calls send no more. Imports and
 * updates count, but are not limited.
 */
const MAX_PER_DAY = 5;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/**
 * When a new code may replace the user's last one; undefined if immediately. The limits are five in 24 hours and one
 * per minute.
 *
 * @param sentAt As selected by `sentTimes`.
 */
export function nextSendAt({ sentAt }: { readonly sentAt: readonly Date[] }, now: Date): Date | undefined {
  const [last, fifth] = [sentAt[0], sentAt[MAX_PER_DAY - 1]];
  const at = Math.max((last?.getTime() ?? 0) + MINUTE_MS, fifth === undefined ? 0 : fifth.getTime() + DAY_MS);
  return at > now.getTime() ? new Date(at) : undefined;
}

/** The same rule as a condition on `users`. */
export function maySend(kind: Expression<CodeKind>, now: Expression<Date>) {
  return sql<boolean>`(
    select count(*) < ${sql.lit(MAX_PER_DAY)} and coalesce(max(created_at) <= ${now} - interval '1 minute', true)
    from codes
    where codes.org_id = users.org_id and codes.user_id = users.id and codes.kind = ${kind}
      and codes.created_at > ${now} - interval '24 hours')`;
}

/** Like `sentTimes`, for the user in `users`. */
export function sentTimesOfUser(kind: Expression<CodeKind>, now: Expression<Date>) {
  return sql<Date[]>`array(
    select codes.created_at from codes
    where codes.org_id = users.org_id and codes.user_id = users.id and codes.kind = ${kind}
      and codes.created_at > ${now} - interval '24 hours'
    order by codes.created_at desc limit ${sql.lit(MAX_PER_DAY)})`;
}

/** When codes of this kind were issued to the user in the last 24 hours: at most five, newest first. */
export function sentTimes(now: Expression<Date>) {
  return sql<Date[]>`array(
    select other.created_at from codes as other
    where ${isOfSameUser} and other.created_at > ${now} - interval '24 hours'
    order by other.created_at desc limit ${sql.lit(MAX_PER_DAY)})`;
}
