import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { checkSessions } from "../database/check-sessions.ts";
import type { Tables } from "../database/tables.ts";

/**
 * Checks that the connections to PostgreSQL are what DATABASE_PREPARED says. If it is false, statements need a time limit
 * from elsewhere; its absence is logged.
 *
 * @throws ConfigError if connections should be sessions and are not; the error of the driver.
 */
export async function checkConnections(config: Config, db: Kysely<Tables>, log: Logger): Promise<void> {
  if (config.databaseUrl === undefined) return;
  if (config.databasePrepared) return await checkSessions(config.databaseUrl);
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db);
  if (rows[0]?.limit !== "0") return;
  log.warn(
    "statements have no time limit: set one with ALTER ROLE … SET statement_timeout, because DATABASE_PREPARED is false",
  );
}
