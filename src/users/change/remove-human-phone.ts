import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Removes the phone number of a human user (docs/reference/change-users.md). Without a number, nothing changes, and the
 * response has the details of the last event.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function removeHumanPhone(
  parts: ChangeUserParts,
  { userId }: { readonly userId: string },
  call: Call<Actor>,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.phone.removed", payload: {} }])];
  return await changeUser(parts, REMOVE_PHONE, { userId, plans }, call);
}

const REMOVE_PHONE = prepareUserChange({
  name: "remove_human_phone",
  kind: "human",
  columns: {},
  choose: () => sql`case when users.phone is not null then 0 end`,
  notice: "phone-removed",
  writes: (planned) => sql`(
    delete from verified_phones using planned
    where verified_phones.org_id = ${orgOf("planned")} and verified_phones.user_id = ${planned("aggregateId", "uuid")})`,
  set: () => ({ phone: sql`null`, phone_verified: sql`false` }),
});
