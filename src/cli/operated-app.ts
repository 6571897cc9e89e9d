import type { AppRow } from "../apps/app-row.ts";
import { findAppRow } from "../apps/find-app-row.ts";
import { ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";

/** @throws ConfigError if there is no such application. */
export async function findOperatedApp(db: Database, id: string): Promise<AppRow> {
  const app = await findAppRow(db, id);
  if (app === undefined) throw new ConfigError(`no application has the client id "${id}"`);
  return app;
}
