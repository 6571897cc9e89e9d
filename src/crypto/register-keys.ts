import { type Kysely, sql } from "kysely";
import { ConfigError } from "../config.ts";
import type { Tables } from "../database/tables.ts";
import type { Keyring } from "./keyring.ts";

/**
 * Notes the current master key in the database, and makes sure that none is missing under which something is stored.
 *
 * @throws ConfigError when one is.
 */
export async function registerKeys(db: Kysely<Tables>, keyring: Keyring, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // One after the other, or two with different keys would both find an empty table.
    await sql`lock table master_keys in share row exclusive mode`.execute(transaction);
    const stored = await transaction.selectFrom("master_keys").select("id").orderBy("created_at").execute();
    const missing = stored.map(({ id }) => id).filter((id) => !keyring.keyIds.includes(id));
    if (missing.length > 0) {
      throw new ConfigError(
        `MASTER_KEY and MASTER_KEY_PREVIOUS lack the key with the id ${missing.join(", ")}, under which the database holds secrets: add it to MASTER_KEY_PREVIOUS`,
      );
    }
    await transaction
      .insertInto("master_keys")
      .values({ id: keyring.currentKeyId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
