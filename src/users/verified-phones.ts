import { type RawBuilder, sql } from "kysely";
import { isActiveUser } from "../database/active.ts";

/**
 * The part of a statement that makes users findable by the numbers that they have verified. A row stays when the number
 * changes, so readers compare it with the user: see `usersWithPhone`. An index in `users` would make each change of
 * a number write to all indexes of the table.
 *
 * @param verified Rows with `org_id`, `user_id` and `phone`.
 */
export function storeVerifiedPhones(verified: RawBuilder<unknown>): RawBuilder<object> {
  return sql`(
    insert into verified_phones (org_id, user_id, phone)
    select org_id, user_id, phone from ${verified} as verified
    on conflict (org_id, user_id) do update set phone = excluded.phone)`;
}

/**
 * The active users of an organization who have verified a phone number.
 *
 * @returns Rows with the column `id`.
 */
export function usersWithPhone(orgId: RawBuilder<unknown>, phone: RawBuilder<unknown>): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`(
    select holder.id from verified_phones as verified
      join users as holder on holder.org_id = verified.org_id and holder.id = verified.user_id
    where verified.org_id = ${orgId} and verified.phone = ${phone}
      and holder.phone = verified.phone and holder.phone_verified and ${isActiveUser("holder")})`;
}
