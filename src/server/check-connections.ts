import { sql } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { checkSessions } from "../database/check-sessions.ts";
import type { Database } from "../database/database.ts";
import { SESSION_SETTINGS, toSet } from "../database/session-settings.ts";

/**
 * Checks that the connections to PostgreSQL match DATABASE_PREPARED, and logs settings of the server that make Signet
 * slow or unsafe. If DATABASE_PREPARED is false, Signet cannot set up sessions, so the role must have the settings.
 *
 * @throws ConfigError if DATABASE_PREPARED is true and a pooler shares sessions; the driver's errors.
 */
export async function checkConnections(config: Config, db: Database, log: Logger): Promise<void> {
  if (config.databaseUrl === undefined) return;
  if (config.databasePrepared) await checkSessions(config.databaseUrl);
  else await checkRole(db, log);
  await checkServer(db, log);
}

async function checkRole(db: Database, log: Logger): Promise<void> {
  const names = SESSION_SETTINGS.map(({ name }) => name);
  const { rows } = await sql<{ role: string; values: string[] }>`
    select quote_ident(current_user) as role, array(
      select current_setting(name) from unnest(${names}::text[]) with ordinality as setting (name, number) order by number
    ) as values`.execute(db);
  const { role, values } = rows[0] ?? { role: "", values: [] };
  const missing = SESSION_SETTINGS.filter(({ accepts }, at) => !accepts(values[at] ?? ""));
  if (missing.length === 0) return;
  const statements = missing.map((setting) => `alter role ${role} ${toSet(setting)};`).join(" ");
  log.warn(`the role lacks settings that Signet cannot set because DATABASE_PREPARED is false: run ${statements}`);
}

/** Conditions on `pg_settings` for settings of a server that cost speed and that a session cannot, or should not, change. */
const COSTLY = sql<boolean>`
  (starts_with(name, 'enable_') and setting = 'off' and boot_val = 'on')
  or (name in ('autovacuum', 'track_counts') and setting = 'off')
  or (name = 'log_statement' and setting = 'all')
  or (name = 'log_min_duration_statement' and setting = '0')`;

async function checkServer(db: Database, log: Logger): Promise<void> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where ${COSTLY} order by name`.execute(db);
  if (rows.length === 0) return;
  const settings = rows.map(({ name, setting }) => `${name} = ${setting}`).join(", ");
  log.warn(`the database server has settings that make Signet slower: ${settings}`);
}
