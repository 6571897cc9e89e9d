import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import { prepareStatement } from "./prepare.ts";
import type { Tables } from "./tables.ts";

/** Rows that are deleted some time after they expire. Each room declares its own. */
export interface Purge {
  /** What the rows are, for the log. */
  readonly what: string;
  /** Whether the rows are deleted as soon as they expire, regardless of RETENTION_DAYS. */
  readonly isImmediate?: true;
  /**
   * Deletes at most `PURGE_BATCH` rows that ended before a given time, oldest first, skipping rows that another process
   * is deleting. Returns the number of deleted rows.
   *
   * @throws SignetError if the database fails.
   */
  readonly deleteBatch: (db: Database, before: Date) => Promise<number>;
}

/** Rows per statement, which thus holds its locks for only a few milliseconds. */
export const PURGE_BATCH = 500;

interface PurgeOptions<Table extends keyof Tables & string> extends Pick<Purge, "what" | "isImmediate"> {
  readonly table: Table;
  /** The columns of the primary key. */
  readonly key: readonly (keyof Tables[Table] & string)[];
  /** The time at which a row expired, as an indexed expression. */
  readonly endedAt: RawBuilder<Date | null>;
  /** The condition of that index, if it is a partial one. */
  readonly hasEnded?: RawBuilder<boolean>;
}

/** Creates the purge of one table. */
export function createPurge<Table extends keyof Tables & string>({
  what,
  isImmediate,
  ...options
}: PurgeOptions<Table>): Purge {
  const deleteEnded = prepareDelete(options);
  return {
    what,
    ...(isImmediate && { isImmediate }),
    async deleteBatch(db, before) {
      const [row] = await deleteEnded(db, { before });
      return row?.deleted ?? 0;
    },
  };
}

function prepareDelete<Table extends keyof Tables & string>({
  table,
  key,
  endedAt,
  hasEnded = sql<boolean>`true`,
}: Omit<PurgeOptions<Table>, "what" | "isImmediate">) {
  return prepareStatement<{ before: Date }, { deleted: number }>((_, param) => {
    const [name, columns] = [sql.table(table), sql.join(key.map((column) => sql.ref(column)))];
    const isSame = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`ended.${column}`)}`);
    return sql`
      with ended as materialized (
        select ${columns} from ${name} where ${hasEnded} and ${endedAt} < ${param("before", "timestamptz")}
        order by ${endedAt} limit ${sql.lit(PURGE_BATCH)} for update skip locked
      ), deleted as (
        delete from ${name} using ended where ${sql.join(isSame, sql` and `)}
      )
      select count(*)::int as deleted from ended`;
  });
}
