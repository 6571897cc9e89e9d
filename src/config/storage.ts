import { join, resolve } from "node:path";
import { z } from "zod";
import { boolean, integer, list, masterKey, postgresUrl } from "./schemas.ts";
import { type Values, variable } from "./variables.ts";

export const STORAGE_VARIABLES = {
  DATA_DIR: variable(z.string(), "the path of a folder"),
  DATABASE_URL: variable(postgresUrl(), "a URL that starts with postgres:// or postgresql://", "secret"),
  DATABASE_POOL_SIZE: variable(integer(1, 1_000), "an integer from 1 to 1000"),
  DATABASE_PREPARED: variable(boolean(), "true or false"),
  MIGRATE_ON_START: variable(boolean(), "true or false"),
  MASTER_KEY: variable(masterKey(), "32 bytes in base64, such as the output of `openssl rand -base64 32`", "secret"),
  MASTER_KEY_PREVIOUS: variable(list(masterKey()), "a comma-separated list of 32-byte keys in base64", "secret"),
  CREATE_ADMIN_TOKEN: variable(boolean(), "true or false"),
  ADMIN_TOKEN_FILE: variable(z.string(), "the path of a file"),
  RETENTION_DAYS: variable(integer(0, 36_500), "an integer from 0 to 36500"),
};

/** The database, the files, and the keys of stored secrets. */
export type StorageConfig = Readonly<ReturnType<typeof readStorage>>;

export function readStorage(values: Values<typeof STORAGE_VARIABLES>) {
  const dataDir = resolve(values.DATA_DIR ?? "data");
  return {
    /** Absolute path of the folder in which the service stores its files. */
    dataDir,
    /** URL of PostgreSQL; undefined selects the embedded database. */
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE ?? 16,
    /** False if a pooler shares PostgreSQL sessions between connections. */
    databasePrepared: values.DATABASE_PREPARED ?? true,
    /** Whether the service runs pending migrations when it starts. */
    migrateOnStart: values.MIGRATE_ON_START ?? true,
    /** The 32-byte key for encryption; undefined selects the key file in DATA_DIR. */
    masterKey: values.MASTER_KEY,
    /** Older 32-byte keys, for decryption only. */
    previousMasterKeys: values.MASTER_KEY_PREVIOUS ?? [],
    /** Whether the first start creates a token for `admin`, and writes it to the file. */
    createAdminToken: values.CREATE_ADMIN_TOKEN ?? true,
    adminTokenFile: resolve(values.ADMIN_TOKEN_FILE ?? join(dataDir, "admin.token")),
    /** The number of days for which ended messages, codes and tokens are kept; 0 means forever. */
    retentionDays: values.RETENTION_DAYS ?? 30,
  };
}
