import { type RawBuilder, sql } from "kysely";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "./aggregate-columns.ts";
import { appendEvents, type EventValues } from "./append-events.ts";
import type { ObjectRow } from "./object-details.ts";

/**
 * Prepares the statement that removes an object of an owner and appends its last events. It returns no row if there is no
 * such object.
 *
 * @param writes A further part of the statement, which may refer to the row `removed` with the `id`.
 */
export function prepareRemoval(table: "apis" | "apps" | "webhooks", writes?: RawBuilder<object>) {
  return prepareWrite<EventValues, ObjectRow>((db, param, returnRows) => {
    const removed = db.with(
      "removed",
      () => sql<ObjectRow & { id: string }>`(
        delete from ${sql.table(table)}
        where owner_id = ${param("ownerId", "uuid")} and id = ${param("aggregateId", "uuid")}
        returning id, ${sql.join(removedColumns(param, table))})`,
    );
    return returnRows(
      (writes === undefined ? removed : removed.with("written", () => writes))
        .with("appended", () => appendEvents(param, "removed"))
        .with("result", (query) => query.selectFrom("removed").select(["sequence", "created_at", "changed_at"])),
    );
  });
}
