import { type Expression, sql } from "kysely";

/** The condition under which `other` is a code of the same user and kind as `codes`. */
const ofSameUser = sql<boolean>`(
  other.org_id = codes.org_id and other.user_id = codes.user_id and other.kind = codes.kind)`;

/** Whether a newer code than the one in `codes` was made. */
export const isReplaced = sql<boolean>`exists (
  select from codes as other where ${ofSameUser} and other.sequence > codes.sequence)`;

/** When the user's last codes of the kind were made, the newest first: those of 24 hours, at most five. */
export function sentTimes(now: Expression<Date>) {
  return sql<Date[]>`array(
    select other.created_at from codes as other where ${ofSameUser} and other.created_at > ${now} - interval '24 hours'
    order by other.created_at desc limit 5)`;
}

/** How many wrong digits there were for the user's other codes of the kind that were valid in the last 24 hours. */
export function wrongElsewhere(now: Expression<Date>) {
  return sql<bigint>`(
    select coalesce(sum(${wrong}), 0) from codes as other
    where ${ofSameUser} and other.id <> codes.id and ${wasValidToday(now)})`;
}

/** The same with the digits for the code in `codes` itself. */
export function wrongToday(now: Expression<Date>) {
  return sql<bigint>`(
    select coalesce(sum(${wrong}), 0) from codes as other where ${ofSameUser} and ${wasValidToday(now)})`;
}

/** When the first of the codes ended, or ends, that `wrongToday` counts; null where there is none. */
export function wrongSince(now: Expression<Date>) {
  return sql<Date | null>`(
    select min(${endOf(now)}) from codes as other where ${ofSameUser} and ${wrong} > 0 and ${wasValidToday(now)})`;
}

/** All tries of a code but the one that used it. */
const wrong = sql<number>`(other.attempts - (other.used_at is not null)::int)`;

/** Tries come before the end of a code, so that none of the last 24 hours is left out. */
function wasValidToday(now: Expression<Date>) {
  return sql<boolean>`${endOf(now)} > ${now} - interval '24 hours'`;
}

/** A code whose message was not handed over yet has no end so far. */
function endOf(now: Expression<Date>) {
  return sql<Date>`coalesce(other.expires_at, ${now})`;
}
