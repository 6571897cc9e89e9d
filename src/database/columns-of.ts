import { type RawBuilder, type Selectable, sql } from "kysely";
import type { SortKey } from "./list-page.ts";
import type { Tables } from "./tables.ts";

/** A row with a value for each of the columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends RawBuilder<infer Value> ? Value : never;
};

/** The columns of `ObjectRow`, for `columnsOf`. */
export const VERSION = { sequence: "sequence", created_at: "created_at", changed_at: "changed_at" } as const;

/** Columns of a table, by their names in rows. */
export function columnsOf<
  Table extends keyof Tables & string,
  const Names extends Readonly<Record<string, keyof Tables[Table] & string>>,
>(table: Table, names: Names) {
  return Object.fromEntries(
    Object.entries(names).map(([name, column]) => [name, sql.ref(`${table}.${column}`)]),
  ) as unknown as {
    readonly [Name in keyof Names]: RawBuilder<
      Selectable<Tables[Table]>[Names[Name] & keyof Selectable<Tables[Table]>]
    >;
  };
}

/** Columns of a table that have the same names in rows. */
export function namedColumns<Table extends keyof Tables & string, Name extends keyof Tables[Table] & string>(
  table: Table,
  names: readonly Name[],
) {
  return columnsOf(table, Object.fromEntries(names.map((name) => [name, name])) as { readonly [N in Name]: N });
}

/** The order of a list of objects: by the time of creation, then by id. */
export function byCreation(table: keyof Tables): [SortKey, SortKey] {
  return [
    { value: sql.ref(`${table}.created_at`), type: "timestamptz" },
    { value: sql.ref(`${table}.id`), type: "uuid" },
  ];
}
