import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import { orgOf } from "../../database/command-list.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

/**
 * Removes the phone number of a human user (docs/reference/change-users.md). Without a number, nothing changes, and the
 * response has the details of the last event.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export const removeHumanPhone = prepareUserOperation<{ readonly userId: string }, object, Actor>({
  name: "remove_human_phone",
  kind: "human",
  toEvents: () => [{ type: "user.human.phone.removed", payload: {} }],
  choose: () => sql`case when users.phone is not null then 0 end`,
  notice: "phone-removed",
  writes: (planned) => sql`(
    delete from verified_phones using planned
    where verified_phones.org_id = ${orgOf("planned")} and verified_phones.user_id = ${planned("aggregateId", "uuid")})`,
  set: () => ({ phone: sql`null`, phone_verified: sql`false` }),
});
