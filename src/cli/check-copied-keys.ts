import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { type Config, ConfigError } from "../config.ts";
import { createKeyring, type Keyring } from "../crypto/keyring.ts";
import { loadMasterKey } from "../crypto/master-key.ts";
import type { Database } from "../database/database.ts";
import { openKeyring } from "../server/keyring.ts";
import { KEYED_COLUMNS } from "./rotate-keys.ts";

/** What the service needs to decrypt the secrets of a database. */
export interface NeededKeys {
  readonly keyIds: readonly string[];
  /** The file that contains the key; undefined if it comes from the environment. */
  readonly file: string | undefined;
}

/**
 * Checks that the configured master keys decrypt the secrets of the embedded database. Creates no key.
 *
 * @throws ConfigError if a key is missing.
 */
export async function checkCopiedKeys(config: Config, db: Database): Promise<NeededKeys> {
  const stored = await db.selectFrom("master_keys").select("id").orderBy("created_at").execute();
  const keyIds = stored.map(({ id }) => id);
  const file = join(config.dataDir, "master.key");
  if (config.masterKey === undefined && !existsSync(file)) {
    throw new ConfigError(
      `MASTER_KEY is not set, and "${file}" does not exist: expected the master key with the id ${keyIds.join(", ")}`,
    );
  }
  const keyring = openKeyring(config);
  const missing = keyIds.filter((id) => !keyring.keyIds.includes(id));
  if (missing.length > 0) throw missingKeys(missing, config, file);
  await decryptSamples(db, keyring);
  return { keyIds, file: config.masterKey === undefined ? file : undefined };
}

function missingKeys(missing: readonly string[], config: Config, file: string): ConfigError {
  const isInFile = existsSync(file) && missing.includes(createKeyring([loadMasterKey(config.dataDir)]).currentKeyId);
  const advice = isInFile ? `use that of "${file}"` : `add the master key with the id ${missing.join(", ")}`;
  const variable = isInFile ? "MASTER_KEY is another key" : "MASTER_KEY and MASTER_KEY_PREVIOUS are incomplete";
  return new ConfigError(
    `${variable}: the secrets of the database are encrypted with ${missing.join(", ")}; ${advice}`,
  );
}

/** Decrypts one value of each column and key. */
async function decryptSamples(db: Database, keyring: Keyring): Promise<void> {
  for (const { table, column } of KEYED_COLUMNS.sealed) {
    const [ciphertext, key] = [sql.ref(column), sql.ref(`${column}_key`)];
    const { rows } = await sql<{ id: string; ciphertext: Buffer; key: string }>`
      select distinct on (${key}) id, ${ciphertext} as ciphertext, ${key} as key
      from ${sql.table(table)} where ${ciphertext} is not null order by ${key}, id`.execute(db);
    for (const row of rows) {
      try {
        keyring.open({ table, column, rowId: row.id }, { keyId: row.key, ciphertext: row.ciphertext });
      } catch {
        throw new ConfigError(`the master key with the id ${row.key} does not decrypt ${table}.${column} of ${row.id}`);
      }
    }
  }
}
