import { type Expression, type RawBuilder, sql } from "kysely";

/** The condition that at least one column of a row in `table` differs from the given value. Null equals null. */
export function differsFrom(
  table: string,
  columns: { readonly [Column in string]?: Expression<unknown> },
): RawBuilder<boolean> {
  const stored = Object.keys(columns).map((name) => sql.ref(`${table}.${name}`));
  return sql<boolean>`((${sql.join(stored)}) is distinct from (${sql.join(Object.values(columns))}))`;
}
