import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { ChangeApiParts } from "./add-api.ts";
import { apiNotFound } from "./api-not-found.ts";

/**
 * Removes an API (docs/api.md). Applications get no tokens for it any more.
 *
 * @throws SignetError API_NOT_FOUND, or for a failure of the database.
 */
export async function removeApi(
  { db, clock }: ChangeApiParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  const values = {
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "org.api.removed", payload: {} }]),
  };
  const [row] = isId(id) ? await deleteApi(db, values, call) : [];
  if (row === undefined) throw apiNotFound(id);
  return toChanged(row, call.orgId);
}

const deleteApi = prepareWrite<EventValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("removed", (query) =>
        query
          .deleteFrom("apis")
          .where("owner_id", "=", param("ownerId", "uuid"))
          .where("id", "=", param("aggregateId", "uuid"))
          .returning(removedColumns(param, "apis")),
      )
      .with("appended", () => appendEvents(param, "removed"))
      .with("result", (query) => query.selectFrom("removed").select(["sequence", "created_at", "changed_at"])),
  ),
);
