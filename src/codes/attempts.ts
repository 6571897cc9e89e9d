import { type Expression, sql } from "kysely";
import { LIMITS, periodMsOf } from "../limits.ts";
import { isOfSameUser } from "./conditions.ts";

/** After these wrong attempts, a code allows no more, or none of the codes of a user. */
const { wrongDigitsOfCode: OF_CODE, wrongDigitsOfUser: OF_USER } = LIMITS;

/** The number of attempts that a code still allows. */
export function attemptsLeft({ attempts, wrongToday }: { readonly attempts: number; readonly wrongToday: number }) {
  return Math.max(0, Math.min(OF_CODE.most - attempts, OF_USER.most - wrongToday));
}

/** When a user with too many wrong attempts may try a new code; undefined if immediately. */
export function nextAttemptAt(
  { wrongToday, wrongSince }: { readonly wrongToday: number; readonly wrongSince: Date | null },
  now: Date,
): Date | undefined {
  if (wrongToday < OF_USER.most) return undefined;
  return new Date((wrongSince ?? now).getTime() + periodMsOf(OF_USER));
}

/**
 * Whether the code in `codes` allows another attempt. Concurrent attempts read the row's own count one after another;
 * the user's other codes are replaced, so their counts do not change.
 */
export function takesAttempt(now: Expression<Date>) {
  const wrongElsewhere = sql<bigint>`(
    select coalesce(sum(${wrong}), 0) from codes as other
    where ${isOfSameUser} and other.id <> codes.id and ${wasValidToday(now)})`;
  return sql<boolean>`(
    codes.attempts < ${sql.lit(OF_CODE.most)} and codes.attempts < ${sql.lit(OF_USER.most)} - ${wrongElsewhere})`;
}

/** The number of wrong attempts for the user's codes of this kind that were valid in the last 24 hours. */
export function wrongToday(now: Expression<Date>) {
  return sql<bigint>`(
    select coalesce(sum(${wrong}), 0) from codes as other where ${isOfSameUser} and ${wasValidToday(now)})`;
}

/** When the first of the codes counted by `wrongToday` ended or will end; null if there is none. */
export function wrongSince(now: Expression<Date>) {
  return sql<Date | null>`(
    select min(${endOf(now)}) from codes as other where ${isOfSameUser} and ${wrong} > 0 and ${wasValidToday(now)})`;
}

/** All attempts except the one that used the code. */
const wrong = sql<number>`(other.attempts - (other.used_at is not null)::int)`;

/** Attempts are made before a code ends, so this includes all of the last 24 hours. */
function wasValidToday(now: Expression<Date>) {
  return sql<boolean>`${endOf(now)} > ${now} - interval '24 hours'`;
}

/** A code has no end before its message is delivered. */
function endOf(now: Expression<Date>) {
  return sql<Date>`coalesce(other.expires_at, ${now})`;
}
