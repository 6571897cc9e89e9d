import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { type Change, holdObject } from "../events/change-object.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import { throwIfServiceUserDenied } from "./service-user.ts";

/**
 * Locks an application that the caller may control, whatever is changed.
 *
 * @throws SignetError APP_NOT_FOUND, or PERMISSION_DENIED if it has API access, or a machine user, which the caller may
 *   not use.
 */
export async function holdApp(change: Pick<Change, "db">, appId: string, call: Call) {
  const app = await holdObject(change, "apps", { owner_id: call.orgId, id: appId });
  if (app === undefined) throw appNotFound(appId);
  if (app.api_access && !mayGrantApiAccess(call)) throw apiAccessDenied();
  await throwIfServiceUserDenied(change, app.service_user_id, call);
  return app;
}

export function appNotFound(appId: string): SignetError {
  const message = "appId: no application of the organization has this id";
  return new SignetError("APP_NOT_FOUND", message, { metadata: { appId } });
}

/**
 * The maximum number of codes, grants and tokens that one statement deletes, in about 0.3 s. An application can have
 * millions, which would take longer than the statement timeout.
 */
export const MAX_ENDED_TOKENS = 10_000;

/**
 * Deletes codes, grants and tokens of an application. The rest is invalid while the application is deactivated or does
 * not exist, is deleted before a reactivation, and expires.
 *
 * @returns Whether some may be left.
 */
export async function deleteTokens({ db }: { readonly db: Database }, appId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from oidc_artifacts using (
      select kind, key from oidc_artifacts where client_id = ${appId} limit ${sql.lit(MAX_ENDED_TOKENS)}) as ended
    where oidc_artifacts.kind = ended.kind and oidc_artifacts.key = ended.key`.execute(db);
  return numAffectedRows === BigInt(MAX_ENDED_TOKENS);
}
