import { isId } from "../crypto/secrets.ts";
import { eventsToJson } from "../events/append-events.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { prepareRemoval } from "../events/prepare-removal.ts";
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

const deleteApp = prepareRemoval("apps", deleteTokens("removed"));
