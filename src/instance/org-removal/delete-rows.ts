import { sql } from "kysely";
import { NIL_ID } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { Tables } from "../../database/tables.ts";
import type { RemovalStep } from "./removal-step.ts";

/** Rows per statement. */
export const ROWS_AT_ONCE = 500;

/** The rows of a table that belong to an organization by one of its columns. */
export type OwnedRows = { [Table in keyof Tables & string]: OwnedRowsOf<Table> }[keyof Tables & string];

interface OwnedRowsOf<Table extends keyof Tables & string> {
  readonly table: Table;
  /** The column with the id of the organization. */
  readonly owner: keyof Tables[Table] & string;
  /** The other columns of the primary key. */
  readonly key: readonly (keyof Tables[Table] & string)[];
  /** A column that follows the owner in an index, in whose order the rows are deleted. */
  readonly order: keyof Tables[Table] & string;
  /** Of that column; by default `uuid`. */
  readonly type?: keyof typeof LEAST;
}

/** The least value of each type. */
const LEAST = { uuid: NIL_ID, text: "", timestamptz: "-infinity" };

/**
 * Prepares a step that deletes rows in the order of an index, which continues where the last statement has ended: from
 * the start, each one would read what the earlier ones have deleted.
 */
export function prepareDeleteRows({ table, owner, key, order, type = "uuid" }: OwnedRows): RemovalStep {
  const statement = prepareStatement<{ orgId: string; after: string }, { rows: number; last: string | null }>(
    (_, param) => {
      const orgId = param("orgId", "uuid");
      const after = sql`${param("after", "text")}::${sql.raw(type)}`;
      const [rows, ownerColumn, orderColumn] = [sql.table(table), sql.ref(owner), sql.ref(order)];
      const columns = sql.join([...new Set([...key, order])].map((column) => sql.ref(column)));
      const isSame = [...new Set([...key, order])].map(
        (column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`chosen.${column}`)}`,
      );
      return sql`
        with chosen as materialized (
          select ${columns} from ${rows} where ${ownerColumn} = ${orgId} and ${orderColumn} >= ${after}
          order by ${ownerColumn}, ${orderColumn} limit ${sql.lit(ROWS_AT_ONCE)} for update skip locked
        ), deleted as (
          delete from ${rows} using chosen
          where ${sql.ref(`${table}.${owner}`)} = ${orgId} and ${sql.join(isSame, sql` and `)}
        )
        select count(*)::int as rows, (array_agg(${orderColumn}::text order by ${orderColumn} desc))[1] as last
        from chosen`;
    },
  );
  return {
    async run(db, { id: orgId }, after = LEAST[type]) {
      const [row] = await statement(db, { orgId, after });
      if (row === undefined || row.last === null) return { next: undefined };
      return { next: row.rows < ROWS_AT_ONCE ? undefined : row.last };
    },
  };
}
