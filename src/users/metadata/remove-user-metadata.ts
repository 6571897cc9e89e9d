import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/**
 * Removes the values of a user that have one of the keys (docs/reference/metadata.md). The user must have all of them.
 *
 * @throws SignetError USER_NOT_FOUND, METADATA_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removeUserMetadata(
  parts: ChangeUserParts,
  { id, keys }: { readonly id: string; readonly keys: readonly string[] },
  call: Call,
): Promise<Changed> {
  const plans = [toPlan(keys.map((key) => ({ type: "user.metadata.removed", payload: { key } }) as const))];
  return await changeUser(parts, REMOVE_METADATA, { userId: id, keys, plans }, call);
}

const REMOVE_METADATA = prepareUserChange<{ keys: readonly string[] }>({
  name: "remove_user_metadata",
  columns: { keys: "jsonb" },
  refuse: sql`case when exists (
    select from jsonb_array_elements_text(given.keys) as asked (key)
    where not exists (
      select from user_metadata as stored
      where stored.org_id = users.org_id and stored.user_id = users.id and stored.key = asked.key))
    then 'METADATA_NOT_FOUND' end`,
  writes: (planned) => sql`(
    delete from user_metadata as stored using planned
    where stored.org_id = ${orgOf("planned")} and stored.user_id = ${planned("aggregateId", "uuid")}
      and stored.key in (select jsonb_array_elements_text(${planned("keys", "jsonb")})))`,
  set: () => ({}),
});
