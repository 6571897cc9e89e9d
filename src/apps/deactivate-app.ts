import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type DeactivateAppRequest,
  type DeactivateAppResponse,
  DeactivateAppResponseSchema,
  type ReactivateAppRequest,
  type ReactivateAppResponse,
  ReactivateAppResponseSchema,
} from "../../gen/signet/v1/app_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import {
  type ChangeAppParts,
  type ChangedApp,
  changeApp,
  deleteTokens,
  MAX_ENDED_TOKENS,
  prepareAppChange,
} from "./prepare-app-change.ts";

/**
 * Deactivates an application: users cannot sign in to it, and its tokens end (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, or for a failure of the database.
 */
export async function deactivateApp(
  parts: ChangeAppParts,
  { appId }: DeactivateAppRequest,
  call: Call,
): Promise<DeactivateAppResponse> {
  const app = await changeApp(parts, DEACTIVATE, { appId, event: { type: "app.deactivated", payload: {} } }, call);
  throwIfUnchanged(app);
  return create(DeactivateAppResponseSchema, { details: toObjectDetails(app, call.orgId) });
}

/**
 * Reactivates a deactivated application (docs/api.md). Its earlier tokens stay invalid.
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, or for a failure of the database.
 */
export async function reactivateApp(
  parts: ChangeAppParts,
  { appId }: ReactivateAppRequest,
  call: Call,
): Promise<ReactivateAppResponse> {
  await deleteLeftTokens(parts, appId, call);
  const app = await changeApp(parts, REACTIVATE, { appId, event: { type: "app.reactivated", payload: {} } }, call);
  throwIfUnchanged(app);
  return create(ReactivateAppResponseSchema, { details: toObjectDetails(app, call.orgId) });
}

/** Deletes what the deactivation has left. After a deadline, the next attempt continues. */
async function deleteLeftTokens({ db }: ChangeAppParts, id: string, call: Call): Promise<void> {
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

function throwIfUnchanged({ is_changed, state }: ChangedApp): void {
  if (is_changed) return;
  const name = state === "active" ? "APP_STATE_ACTIVE" : "APP_STATE_INACTIVE";
  throw new SignetError("APP_STATE", `the application is already in the state ${name}`, { metadata: { state: name } });
}

const DEACTIVATE = prepareAppChange({
  when: () => sql`apps.state = 'active'`,
  set: () => ({ state: sql.lit("inactive") }),
  endsTokens: true,
  mustChange: true,
});

const REACTIVATE = prepareAppChange({
  when: () => sql`apps.state = 'inactive'`,
  set: () => ({ state: sql.lit("active") }),
  mustChange: true,
});
