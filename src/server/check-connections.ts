import { sql } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { checkSessions } from "../database/check-sessions.ts";
import type { Database } from "../database/database.ts";

/**
 * Checks that the connections to PostgreSQL match DATABASE_PREPARED. If it is false, Signet does not set a time limit
 * for statements, so a role without a limit is logged.
 *
 * @throws ConfigError if DATABASE_PREPARED is true and a pooler shares sessions; the driver's errors.
 */
export async function checkConnections(config: Config, db: Database, log: Logger): Promise<void> {
  if (config.databaseUrl === undefined) return;
  if (config.databasePrepared) return await checkSessions(config.databaseUrl);
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db);
  if (rows[0]?.limit !== "0") return;
  log.warn(
    "statements have no time limit: set one with ALTER ROLE … SET statement_timeout, because DATABASE_PREPARED is false",
  );
}
