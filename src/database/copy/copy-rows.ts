import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { CopiedTable } from "./read-schema.ts";

/** A value in PostgreSQL's text format, which represents every type without loss. */
type Text = string | null;
type Batch = readonly Readonly<Record<string, Text>>[];

/**
 * Copies the rows of a table in batches, in the order of its primary key: a cursor would need an open transaction,
 * which the embedded database limits in time. The source is read while the previous batch is written.
 *
 * @param onBatch Called with the number of rows of each batch.
 * @throws Error if the table has no primary key.
 */
export async function copyRows(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  table: CopiedTable,
  batchRows: number,
  onBatch: (rows: number) => void,
): Promise<void> {
  if (table.key.length === 0) throw new Error(`the table ${table.name} has no primary key`);
  let batch = await readBatch(source, table, batchRows, undefined);
  while (batch.length > 0) {
    const last = batch.length === batchRows ? batch.at(-1) : undefined;
    const [next] = await Promise.all([
      last === undefined ? [] : readBatch(source, table, batchRows, last),
      writeBatch(target, table, batch),
    ]);
    onBatch(batch.length);
    batch = next;
  }
}

async function readBatch(
  source: Kysely<Tables>,
  table: CopiedTable,
  limit: number,
  after: Batch[number] | undefined,
): Promise<Batch> {
  const { name, columns, key } = table;
  // Qualified, because an unqualified name in `order by` refers to the result column, which is text.
  const column = (each: string) => sql.ref(`source.${each}`);
  const keyColumns = sql.join(key.map(column));
  const typeOf = (each: string) => columns.find((found) => found.name === each)?.type ?? "text";
  const lastKey = sql.join(key.map((each) => sql`${after?.[each]}::text::${sql.raw(typeOf(each))}`));
  const { rows } = await sql<Batch[number]>`
    select ${sql.join(columns.map((each) => sql`${column(each.name)}::text as ${sql.ref(each.name)}`))}
    from ${sql.table(name)} as source
    ${after === undefined ? sql`` : sql`where (${keyColumns}) > (${lastKey})`}
    order by ${keyColumns} limit ${sql.lit(limit)}`.execute(source);
  return rows;
}

/** Triggers of another table may have written a row already. The checksum shows whether it is the same. */
async function writeBatch(target: Kysely<Tables>, { name, columns }: CopiedTable, batch: Batch): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  const values = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::${sql.raw(column.type)}`));
  const lists = sql.join(columns.map((column) => sql`${batch.map((row) => row[column.name] ?? null)}::text[]`));
  await sql`
    insert into ${sql.table(name)} (${names}) overriding system value
    select ${values} from unnest(${lists}) as copied (${names})
    on conflict do nothing`.execute(target);
}
