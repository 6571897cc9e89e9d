import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { APP_COLUMNS, type AppRow } from "./app-row.ts";
import { type AppCall, appNotFound } from "./prepare-app-change.ts";

/**
 * Returns an application of the organization (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function getAppById(
  { db }: { readonly db: Database },
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<AppRow> {
  const [row] = isId(appId) ? await selectApp(db, { orgId: call.orgId, appId }, call) : [];
  if (row === undefined) throw appNotFound(appId);
  return row;
}

const selectApp = prepareStatement<{ orgId: string; appId: string }, AppRow>((db, param) =>
  db
    .selectFrom("apps")
    .select(Object.entries(APP_COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("appId", "uuid"))
    .$castTo<AppRow>(),
);
