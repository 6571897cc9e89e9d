import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Rows that are deleted some time after they have ended. Each room declares its own. */
export interface Purge {
  /** What the rows are, for the log. */
  readonly what: string;
  /** Whether the rows are deleted as soon as they have ended, whatever RETENTION_DAYS says. */
  readonly isImmediate?: true;
  /**
   * Deletes at most `PURGE_BATCH` rows that ended before a time, the oldest first; rows that another process deletes are
   * skipped. Returns their number.
   *
   * @throws SignetError for a failure of the database.
   */
  readonly deleteBatch: (db: Kysely<Tables>, before: Date) => Promise<number>;
}

/** Rows in a statement: it takes a few milliseconds, and holds its locks no longer. */
export const PURGE_BATCH = 500;
