import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** A table in the catalog of the database. */
export interface CopiedTable {
  readonly name: string;
  /** In order of creation, without generated columns. `type` is valid in a cast. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The tables that the foreign keys refer to, except the table itself. */
  readonly refersTo: readonly string[];
}

/** Reads the tables from the catalog, except those of the migrator. A partitioned table counts as one. */
export async function readSchema(db: Kysely<Tables>): Promise<CopiedTable[]> {
  const { rows } = await sql<CopiedTable>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(a.attname order by k.number), '[]')
        from pg_index i
        cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, number)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(json_agg(distinct f.relname), '[]')
        from pg_constraint r join pg_class f on f.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and r.conparentid = 0 and f.oid <> c.oid) as "refersTo"
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('kysely_migration', 'kysely_migration_lock')
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by c.relname`.execute(db);
  return rows;
}

/**
 * Orders tables so that each one comes after the tables that it refers to.
 *
 * @throws Error for circular references.
 */
export function inOrder(tables: readonly CopiedTable[]): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const isReady = ({ refersTo }: CopiedTable) => !rest.some(({ name }) => refersTo.includes(name));
    const ready = rest.filter(isReady);
    if (ready.length === 0) {
      throw new Error(`the tables ${rest.map(({ name }) => name).join(", ")} refer to each other in a circle`);
    }
    ordered.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** A sequence, such as the one of an identity column. */
interface SequenceState {
  readonly name: string;
  /** The value that it returns next. */
  readonly next: string;
}

export async function readSequences(db: Kysely<Tables>): Promise<SequenceState[]> {
  const { rows } = await sql<{ name: string; step: string }>`
    select c.relname as name, s.seqincrement::text as step
    from pg_class c join pg_sequence s on s.seqrelid = c.oid
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by c.relname`.execute(db);
  const sequences: SequenceState[] = [];
  for (const { name, step } of rows) {
    const state = await sql<{ next: string }>`
      select (case when is_called then last_value + ${step}::bigint else last_value end)::text as next
      from ${sql.table(name)}`.execute(db);
    sequences.push({ name, next: state.rows[0]?.next ?? "1" });
  }
  return sequences;
}
