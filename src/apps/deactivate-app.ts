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
import { SignetError } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeAppParts, type ChangedApp, changeApp, prepareAppChange } from "./prepare-app-change.ts";

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
 * Reactivates a deactivated application (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, or for a failure of the database.
 */
export async function reactivateApp(
  parts: ChangeAppParts,
  { appId }: ReactivateAppRequest,
  call: Call,
): Promise<ReactivateAppResponse> {
  const app = await changeApp(parts, REACTIVATE, { appId, event: { type: "app.reactivated", payload: {} } }, call);
  throwIfUnchanged(app);
  return create(ReactivateAppResponseSchema, { details: toObjectDetails(app, call.orgId) });
}

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
