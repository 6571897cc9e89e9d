import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { APP_COLUMNS, type AppRow } from "./app-row.ts";

/** Finds an application of any owner, for the command line. */
export async function findAppRow(db: Database, id: string): Promise<AppRow | undefined> {
  if (!isId(id)) return undefined;
  return await selectApps(db).where("apps.id", "=", id).executeTakeFirst();
}

/**
 * All applications of the instance and of organizations, oldest first. The organization's name is null for the
 * instance.
 */
export async function listAllApps(db: Database): Promise<(AppRow & { org_name: string | null })[]> {
  return await selectApps(db)
    .leftJoin("orgs", "orgs.id", "apps.owner_id")
    .where("orgs.removed_at", "is", null)
    .select("orgs.name as org_name")
    .orderBy("apps.created_at")
    .orderBy("apps.id")
    .execute();
}

function selectApps(db: Database) {
  return db
    .selectFrom("apps")
    .select(Object.entries(APP_COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .$castTo<AppRow>();
}
