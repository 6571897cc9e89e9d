import type { QueryCreator, UpdateObject } from "kysely";
import type { Param } from "../../database/prepare.ts";
import type { Tables } from "../../database/tables.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import type { EventValues } from "../../events/append-events.ts";
import { verifiedEmail } from "../../messages/notices.ts";

/**
 * The part of a statement that changes the row of the user to whom it appends events. It returns what `appendEvents`
 * and `queueNotices` need. Conditions can be added.
 *
 * @param columns The columns to change, besides `sequence` and `changed_at`.
 */
export function changeUserRow<Values extends EventValues>(
  query: QueryCreator<Tables>,
  param: Param<Values>,
  columns: UpdateObject<Tables, "users"> = {},
) {
  return query
    .updateTable("users")
    .set({ ...columns, ...changedColumns(param, "users") })
    .where("org_id", "=", param("ownerId", "uuid"))
    .where("id", "=", param("aggregateId", "uuid"))
    .returning(["sequence", "changed_at", verifiedEmail.as("verified_email")]);
}
