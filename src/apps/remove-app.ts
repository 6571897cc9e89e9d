import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type AppCall, appNotFound, type ChangeAppParts, deleteTokens } from "./prepare-app-change.ts";

/**
 * Removes an application (docs/api.md), which invalidates its tokens. The events are kept.
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function removeApp(
  { db, clock }: ChangeAppParts,
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<Changed> {
  const values = {
    ownerId: call.orgId,
    aggregateId: appId,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "app.removed", payload: {} }]),
  };
  const [row] = isId(appId) ? await deleteApp(db, values, call) : [];
  if (row === undefined) throw appNotFound(appId);
  return toChanged(row, call.orgId);
}

const deleteApp = prepareWrite<EventValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("removed", (query) =>
        query
          .deleteFrom("apps")
          .where("owner_id", "=", param("ownerId", "uuid"))
          .where("id", "=", param("aggregateId", "uuid"))
          .returning("id")
          .returning(removedColumns(param, "apps")),
      )
      .with("ended", () => deleteTokens("removed"))
      .with("appended", () => appendEvents(param, "removed"))
      .with("result", (query) => query.selectFrom("removed").select(["sequence", "created_at", "changed_at"])),
  ),
);
