import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Keyring } from "./keyring.ts";

/**
 * Stores the id of the current master key in the database, and checks that every key in use is in the keyring.
 *
 * @throws ConfigError if a key is missing.
 */
export async function registerKeys(db: Database, keyring: Keyring, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Serializes processes with different keys, which could otherwise both find an empty table.
    await sql`lock table master_keys in share row exclusive mode`.execute(transaction);
    const stored = await transaction.selectFrom("master_keys").select("id").orderBy("created_at").execute();
    const missing = stored.map(({ id }) => id).filter((id) => !keyring.keyIds.includes(id));
    if (missing.length > 0) {
      throw new ConfigError(
        `MASTER_KEY_PREVIOUS is incomplete: add the master key with id ${missing.join(", ")}, which encrypts stored secrets`,
      );
    }
    await transaction
      .insertInto("master_keys")
      .values({ id: keyring.currentKeyId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
