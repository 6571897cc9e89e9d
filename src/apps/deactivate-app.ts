import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Changed } from "../events/object-details.ts";
import {
  type AppCall,
  type ChangeAppParts,
  changeApp,
  deleteTokens,
  MAX_ENDED_TOKENS,
  prepareAppChange,
} from "./prepare-app-change.ts";

/**
 * Deactivates an application: users cannot sign in to it, and its tokens end (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`), or for a
 *   failure of the database.
 */
export async function deactivateApp(
  parts: ChangeAppParts,
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<Changed> {
  return await changeApp(parts, DEACTIVATE, { appId, event: { type: "app.deactivated", payload: {} } }, call);
}

/**
 * Reactivates a deactivated application (docs/api.md). Its earlier tokens stay invalid.
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`), or for a
 *   failure of the database.
 */
export async function reactivateApp(
  parts: ChangeAppParts,
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<Changed> {
  await deleteLeftTokens(parts, appId, call);
  return await changeApp(parts, REACTIVATE, { appId, event: { type: "app.reactivated", payload: {} } }, call);
}

/** Deletes what the deactivation has left. After a deadline, the next attempt continues. */
async function deleteLeftTokens({ db }: ChangeAppParts, id: string, call: AppCall): Promise<void> {
  if (!isId(id)) return;
  for (;;) {
    const [row] = await deleteOfInactive(db, { ownerId: call.orgId, id }, call);
    if ((row?.deleted ?? 0) < MAX_ENDED_TOKENS) return;
    call.throwIfOver();
  }
}

const deleteOfInactive = prepareStatement<{ ownerId: string; id: string }, { deleted: number }>((db, param) =>
  db
    .with("inactive", (query) =>
      query
        .selectFrom("apps")
        .select("id")
        .where("owner_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("id", "uuid"))
        .where("state", "=", "inactive"),
    )
    .with("ended", () => deleteTokens("inactive"))
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);

const DEACTIVATE = prepareAppChange({
  refuse: () => sql`case when held.state <> 'active' then 'APP_STATE' end`,
  set: () => ({ state: sql.lit("inactive") }),
  writes: deleteTokens("changed"),
});

const REACTIVATE = prepareAppChange({
  refuse: () => sql`case when held.state = 'active' then 'APP_STATE' end`,
  set: () => ({ state: sql.lit("active") }),
});
