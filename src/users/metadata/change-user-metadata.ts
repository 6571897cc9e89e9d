import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../call.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";
import type { MetadataItem } from "./check-metadata.ts";
import { type StoredItem, storedItemsIn, toStoredItems } from "./stored-items.ts";

/**
 * Stores values with a user, each under a key (docs/reference/metadata.md). Other values are kept. If all are stored,
 * nothing changes.
 *
 * @throws SignetError USER_NOT_FOUND, METADATA_LIMIT, EXTERNAL_ID_TAKEN, PERMISSION_DENIED, ABORTED, or for a failure of
 *   the database.
 */
export async function setUserMetadata(
  parts: ChangeUserParts,
  { id, items }: { readonly id: string; readonly items: readonly MetadataItem[] },
  call: Call,
): Promise<Changed & { readonly id: string }> {
  const stored = toStoredItems(items);
  const events = stored.map((payload) => ({ type: "user.metadata.set", payload }) as const);
  const values = { userId: id, items: stored, plans: [toPlan(events)] };
  return { id, ...(await changeUser(parts, SET_METADATA, values, call, { id })) };
}

interface SetValues {
  items: readonly StoredItem[];
}

const MOST = 50;

const SET_METADATA = prepareUserChange<SetValues>({
  name: "set_user_metadata",
  columns: { items: "jsonb" },
  choose: (given) => sql`case when exists (
    select from ${storedItemsIn(given("items", "jsonb"))} left join ${stored("users.org_id", "users.id")} on stored.key = item.key
    where stored.value is distinct from item.value) then 0 end`,
  refuse: sql`case when (
    select count(*) from (
      select key from ${storedItemsIn(sql`given.items`)} union select key from ${stored("users.org_id", "users.id")}) as keys
    ) > ${sql.lit(MOST)} then 'METADATA_LIMIT' end`,
  writes: (planned) => sql`(
    insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
    select ${orgOf("planned")}, ${planned("aggregateId", "uuid")}, item.key, item.value,
      planned.sequence + item.position, ${planned("now", "timestamptz")}, ${planned("now", "timestamptz")}
    from planned cross join lateral ${storedItemsIn(planned("items", "jsonb"))}
    on conflict (org_id, user_id, key) do update set value = excluded.value, sequence = excluded.sequence,
      changed_at = greatest(user_metadata.changed_at, excluded.changed_at))`,
});

function stored(orgId: string, userId: string): RawBuilder<object> {
  return sql`(
    select key, value from user_metadata
    where user_metadata.org_id = ${sql.ref(orgId)} and user_metadata.user_id = ${sql.ref(userId)}) as stored`;
}

/**
 * Removes the values of a user that have one of the keys (docs/reference/metadata.md). The user must have all of them.
 *
 * @throws SignetError USER_NOT_FOUND, METADATA_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removeUserMetadata = prepareUserOperation<
  { readonly id: string; readonly keys: readonly string[] },
  { keys: readonly string[] }
>({
  name: "remove_user_metadata",
  columns: { keys: "jsonb" },
  toValues: ({ keys }) => ({ keys }),
  toEvents: ({ keys }) => keys.map((key) => ({ type: "user.metadata.removed", payload: { key } }) as const),
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
});
