import { type Expression, type RawBuilder, sql } from "kysely";
import { LIMITS, periodMsOf } from "../limits.ts";
import { isOfSameUser } from "./conditions.ts";
import { type CodeKind, VALID_SECONDS } from "./kinds.ts";

/**
 * The number of codes of one kind in 24 hours after which pages and the `Resend…` calls send no more, or links to reset
 * a password only once per `RESET_MS`. Imports and updates count, but are not limited.
 */
const { most: MAX_PER_DAY } = LIMITS.codes;
const MINUTE_MS = 60_000;

/**
 * Anyone can request links to reset a user's password. The user must therefore always have a valid one, or get one on
 * request: the next one is available before the last one expires.
 */
const RESET_MS = VALID_SECONDS.password * 1_000;

/**
 * When a new code may replace the user's last one; undefined if immediately. The limits are one per minute and five in
 * 24 hours, after which a link to reset a password is sent once per hour.
 *
 * @param sentAt As selected by `sentTimes` or `sentTimesOfUser`.
 */
export function nextSendAt(
  { kind, sentAt }: { readonly kind: CodeKind; readonly sentAt: readonly Date[] },
  now: Date,
): Date | undefined {
  const [last, fifth] = [sentAt[0]?.getTime() ?? 0, sentAt[MAX_PER_DAY - 1]?.getTime()];
  const afterFifth = fifth === undefined ? 0 : kind === "password" ? last + RESET_MS : fifth + periodMsOf(LIMITS.codes);
  const at = Math.max(last + MINUTE_MS, afterFifth);
  return at > now.getTime() ? new Date(at) : undefined;
}

/** The same rule as a condition on `users`. */
export function maySend(kind: Expression<CodeKind>, now: Expression<Date>, bySelf = ANYONE) {
  return sql<boolean>`(
    select case
      when count(*) < ${sql.lit(MAX_PER_DAY)} then coalesce(max(codes.created_at) <= ${now} - interval '1 minute', true)
      else ${kind} = 'password' and max(codes.created_at) <= ${now} - ${sql.lit(RESET_MS)} * interval '1 millisecond' end
    from codes where ${isRecent(kind, now, bySelf)})`;
}

/** Like `sentTimes`, for the user in `users`. */
export function sentTimesOfUser(kind: Expression<CodeKind>, now: Expression<Date>, bySelf = ANYONE) {
  return sql<Date[]>`array(
    select codes.created_at from codes where ${isRecent(kind, now, bySelf)}
    order by codes.created_at desc limit ${sql.lit(MAX_PER_DAY)})`;
}

/** When codes of this kind were issued to the user in the last 24 hours: at most five, newest first. */
export function sentTimes(now: Expression<Date>) {
  return sql<Date[]>`array(
    select other.created_at from codes as other
    where ${isOfSameUser} and other.created_at > ${now} - interval '24 hours'
    order by other.created_at desc limit ${sql.lit(MAX_PER_DAY)})`;
}

/** For `bySelf`: counts all codes. */
const ANYONE = sql<boolean | null>`null::boolean`;

/**
 * Whether the code in `codes` is of this kind, was issued to the user in `users` in the last 24 hours, and was requested
 * as the user, that is on a page (`bySelf` is true), by another caller (false), or by anyone (null).
 */
function isRecent(kind: Expression<CodeKind>, now: Expression<Date>, bySelf: RawBuilder<boolean | null>) {
  return sql<boolean>`(
    codes.org_id = users.org_id and codes.user_id = users.id and codes.kind = ${kind}
    and codes.created_at > ${now} - interval '24 hours'
    and (${bySelf} is null or ${bySelf} = exists (
      select from events
      where events.owner_id = codes.org_id and events.aggregate_id = codes.user_id
        and events.sequence = codes.sequence and events.editor_id = codes.user_id)))`;
}
