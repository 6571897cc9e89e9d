import { type Expression, sql } from "kysely";
import { isActiveUser } from "../database/active.ts";

/** Whether `other` is a code of the same user and kind as `codes`. */
export const isOfSameUser = sql<boolean>`(
  other.org_id = codes.org_id and other.user_id = codes.user_id and other.kind = codes.kind)`;

/** Whether a newer code replaces the one in `codes`. */
export const isReplaced = sql<boolean>`exists (
  select from codes as other where ${isOfSameUser} and other.sequence > codes.sequence)`;

/** Whether the code in `codes` can still be used: it is not used, expired or replaced. */
export function isValid(now: Expression<Date>) {
  // A code has no expiry until its message is delivered.
  return sql<boolean>`(
    codes.used_at is null and (codes.expires_at is null or codes.expires_at > ${now}) and not ${isReplaced})`;
}

/** Whether the code in `codes` is for the current address or number of its user in `users`. */
export const isForCurrentRecipient = sql<boolean>`(
  case codes.kind
    when 'initialization' then codes.recipient is not distinct from users.email
    when 'email' then codes.recipient is not distinct from users.email
    when 'phone' then codes.recipient is not distinct from users.phone
    when 'password' then coalesce(codes.recipient = users.email and users.email_verified, false)
      or coalesce(codes.recipient = users.phone and users.phone_verified, false)
    else true end)`;

/** Whether the user of the code in `codes` is neither deactivated nor locked, and its organization is active. */
export const isOfActiveUser = sql<boolean>`exists (
  select from users as owner
  where owner.org_id = codes.org_id and owner.id = codes.user_id and ${isActiveUser("owner")})`;
