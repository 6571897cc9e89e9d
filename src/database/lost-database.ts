import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Marks a data folder that contains a database, so that startup does not silently create a new one if it is missing.
 */
const RECORD = "db.made";
/**
 * Files that the first start creates after the database. `master.key` covers folders of versions that wrote no record.
 * `admin.token` is not listed, because it is also in the data folder if DATABASE_URL is set.
 */
const TRACES = [RECORD, "master.key"];

/**
 * Returns the name of a file that belongs to a missing database, or undefined if the data folder contains a database or
 * never contained one. A first start that was killed while creating the database leaves no such file.
 */
export function findLostDatabase(dataDir: string): string | undefined {
  // PostgreSQL documentation, "Database File Layout".
  if (existsSync(join(dataDir, "db", "PG_VERSION"))) return undefined;
  return TRACES.find((name) => existsSync(join(dataDir, name)));
}

/** Records that the data folder contains a database. */
export function recordDatabase(dataDir: string): void {
  const file = join(dataDir, RECORD);
  if (existsSync(file)) return;
  writeFileSync(
    file,
    "The folder db contains a database. While this file exists, Signet does not create a new one.\n",
    {
      mode: 0o600,
    },
  );
}
