import { type Kysely, sql } from "kysely";
import { ConfigError } from "../../config.ts";
import { FIRST_MIGRATION, newerMigrations, pendingMigrations } from "../migrate.ts";
import type { Tables } from "../tables.ts";
import { type CopiedTable, readSchema } from "./read-schema.ts";

/**
 * Checks whether a database can be the target of a copy. Does not change anything.
 *
 * @param instanceId The instance to be copied.
 * @returns `filled` if the database already contains this instance.
 * @throws ConfigError if it contains anything else, or was migrated by a newer version.
 */
export async function inspectTarget(
  target: Kysely<Tables>,
  tables: readonly CopiedTable[],
  instanceId: string,
): Promise<"empty" | "filled"> {
  const names = tables.map(({ name }) => name);
  const present = (await readSchema(target)).map(({ name }) => name).filter((name) => names.includes(name));
  if ((await pendingMigrations(target)).includes(FIRST_MIGRATION)) {
    if (present.length === 0) return "empty";
    throw new ConfigError(`the target database contains tables of another application: ${present.join(", ")}`);
  }
  const newer = await newerMigrations(target);
  if (newer.length > 0) {
    throw new ConfigError(
      `the target database was migrated by a newer version of Signet (${newer.join(", ")}): use that version for the copy`,
    );
  }
  const instance = await target.selectFrom("instance").select("id").executeTakeFirst();
  if (instance?.id === instanceId) return "filled";
  if (instance !== undefined) {
    throw new ConfigError(`the target database contains another instance (${instance.id}): expected an empty database`);
  }
  for (const name of present) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(target);
    if (rows.length > 0) {
      throw new ConfigError(`the target database is not empty: the table ${name} has rows; expected an empty database`);
    }
  }
  return "empty";
}
