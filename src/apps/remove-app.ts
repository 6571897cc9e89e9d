import type { Changed } from "../events/object-details.ts";
import { type AppCall, type ChangeAppParts, changeApp, deleteTokens, prepareAppRemoval } from "./prepare-app-change.ts";

/**
 * Removes an application (docs/api.md), which invalidates its tokens. The events are kept.
 *
 * @throws SignetError APP_NOT_FOUND, PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`), or for a failure of
 *   the database.
 */
export async function removeApp(
  parts: ChangeAppParts,
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<Changed> {
  return await changeApp(parts, REMOVE, { appId, event: { type: "app.removed", payload: {} } }, call);
}

const REMOVE = prepareAppRemoval(deleteTokens("removed"));
