import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "./database.ts";
import { runQuery } from "./run-query.ts";

/** A list that can be read page by page: its rows and their order. */
export interface ListSource<Row> {
  /** The tables, such as `sql.table("users")`. */
  readonly from: RawBuilder<unknown>;
  /** An expression for each property of a row. */
  readonly columns: { readonly [Name in keyof Row & string]: Expression<unknown> };
  /** Restricts the list to the rows that the caller may see: the rows of the organization. No filter can extend it. */
  readonly scope: RawBuilder<SqlBool>;
  /** The caller's conditions. */
  readonly filters: readonly RawBuilder<SqlBool>[];
  /** The keys by which the list is sorted, all in the same direction. Together they are unique within the scope. */
  readonly order: readonly SortKey[];
}

/** A key by which a list is sorted; its values are never null. */
export interface SortKey {
  readonly value: RawBuilder<unknown>;
  readonly type: SortType;
}

/** `text` is compared by code points, regardless of the database's collation. */
type SortType = "text" | "uuid" | "integer" | "bigint" | "timestamptz";

export interface PageQuery {
  readonly offset: number;
  readonly limit: number;
  readonly ascending: boolean;
  /** The keys of the last row of the previous page, as `ListPage.last` returned them; undefined for the first page. */
  readonly after: readonly string[] | undefined;
}

export interface ListPage<Row> {
  readonly rows: Row[];
  /** The number of matching rows, counted up to `MOST_COUNTED`. */
  readonly total: number;
  /** The keys of the last row, if there are rows after it. */
  readonly last: readonly string[] | undefined;
}

/** Matching rows are counted up to this number. */
const MOST_COUNTED = 10_000;

/**
 * Reads one page of a list and counts the matching rows, in one statement.
 *
 * The statement is not prepared: its text depends on the filters, and the best plan depends on their values.
 *
 * @throws SignetError if the database fails.
 */
export async function listPage<Row>(
  db: Database,
  source: ListSource<Row>,
  page: PageQuery,
  caller?: QueryCaller,
): Promise<ListPage<Row>> {
  const found = await runQuery<PageRow>(db.lists, pageStatement(source, page).compile(db), caller);
  // Every row contains the count. A row without keys represents an empty page.
  const total = Number(found[0]?.total ?? 0n);
  const rows = found.filter(({ keys }) => keys !== null);
  const more = rows.length > page.limit;
  if (more) rows.pop();
  return { rows: rows as (PageRow & Row)[], total, last: (more && rows.at(-1)?.keys) || undefined };
}

interface PageRow {
  total: bigint;
  keys: string[] | null;
}

function pageStatement<Row>(
  { from, columns, scope, filters, order }: ListSource<Row>,
  { offset, limit, ascending, after }: PageQuery,
): RawBuilder<PageRow> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const direction = sql.raw(ascending ? "asc" : "desc");
  const orderBy = (values: readonly RawBuilder<unknown>[]) =>
    sql.join(values.map((value) => sql`${value} ${direction}`));
  const matching = and([scope, ...filters]);
  const sorted = order.map(toComparable);
  const last = after && sql.join(order.map(({ type }, n) => toParameter(type, after[n] ?? "")));
  const start = last && [sql<SqlBool>`(${sql.join(sorted)}) ${sql.raw(ascending ? ">" : "<")} (${last})`];
  return sql<PageRow>`
    select counted.total, page.keys, ${sql.join(names.map((name) => sql.ref(`page.${name}`)))}
    from (
      select count(*) as total
      from (select from ${from} where ${matching} limit ${sql.lit(MOST_COUNTED)}) as matching
    ) as counted
    left join (
      select array[${sql.join(order.map(toText))}] as keys,
        ${sql.join(sorted.map((value, n) => sql`${value} as ${keyName(n)}`))},
        ${sql.join(names.map((name) => sql`${columns[name]} as ${sql.ref(name)}`))}
      from ${from}
      where ${and([matching, ...(start ?? [])])}
      order by ${orderBy(sorted)}
      limit ${limit + 1} offset ${offset}
    ) as page on true
    order by ${orderBy(sorted.map((_value, n) => sql`page.${keyName(n)}`))}`;
}

/** Each condition is parenthesized, so that it cannot change the meaning of another one. */
function and(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` and `,
  );
}

function keyName(number: number): RawBuilder<unknown> {
  return sql.ref(`sort_key_${number}`);
}

function toComparable({ value, type }: SortKey): RawBuilder<unknown> {
  return type === "text" ? sql`${value} collate "C"` : value;
}

/** The exact value as text. The text of a timestamptz would depend on settings. */
function toText({ value, type }: SortKey): RawBuilder<string> {
  return type === "timestamptz" ? sql`(extract(epoch from ${value}) * 1000000)::bigint::text` : sql`(${value})::text`;
}

function toParameter(type: SortType, text: string): RawBuilder<unknown> {
  if (type === "timestamptz") return sql`timestamptz 'epoch' + ${text}::bigint * interval '1 microsecond'`;
  return sql`${text}::${sql.raw(type)}`;
}

/** Whether the database accepts a string as a key of this type. */
export function isSortKey(type: SortType, text: string): boolean {
  switch (type) {
    case "text":
      return !text.includes("\0") && text.isWellFormed();
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
    case "integer":
      return /^\d{1,9}$/.test(text);
    case "bigint":
      return /^\d{1,18}$/.test(text);
    case "timestamptz":
      return /^\d{1,17}$/.test(text);
    default:
      return type satisfies never;
  }
}
