import { type Kysely, sql, type Transaction } from "kysely";
import { toPartitionName } from "./partition-names.ts";
import type { Tables } from "./tables.ts";

/** The tables that can be partitioned, each by the column with the organization's id, which leads its primary key. */
export const PARTITION_KEYS = {
  users: "org_id",
  user_idp_links: "org_id",
  recovery_codes: "org_id",
  codes: "org_id",
  messages: "org_id",
  events: "owner_id",
} as const satisfies Partial<Record<keyof Tables, string>>;

type PartitionedTable = keyof typeof PARTITION_KEYS;

/**
 * Unique values in those tables that do not depend on the organization. PostgreSQL cannot check them across partitions,
 * so the organization's id is added. The service generates the values: random UUIDs, and a sequence.
 */
const GENERATED_KEYS: ReadonlySet<string> = new Set(["users__id", "codes__id", "events__position"]);

interface KeyRow {
  name: string;
  definition: string;
  is_unique: boolean;
  /** `p`, `u`, or null for an index without a constraint. */
  constraint_type: "p" | "u" | null;
  columns: string[];
}

/**
 * Partitions the organization tables by the hash of the organization's id, and moves their rows. Runs in one
 * transaction: after an error or an interruption, the tables are unchanged.
 *
 * Constraints and indexes keep their names; see `namePartitionIndexes` for the partitions' names.
 *
 * @param db A connection without time limits: moving the rows takes as long as copying them.
 * @param count The number of partitions of each table.
 * @throws Error if the tables are already partitioned.
 */
export async function partitionTables(db: Kysely<Tables>, count: number): Promise<void> {
  const tables = Object.keys(PARTITION_KEYS) as PartitionedTable[];
  await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in access exclusive mode`.execute(trx);
    if ((await countPartitions(trx)) > 0) throw new Error("the tables are partitioned already");
    const foreignKeys = await dropForeignKeys(trx, tables);
    for (const table of tables) await rebuild(trx, table, count);
    for (const { table, name, definition } of foreignKeys) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(trx);
    }
    await namePartitionIndexes(trx);
    // The planner would expect one row in tables that were analyzed while they were empty.
    const filled = await trx.selectFrom("users").select("id").limit(1).executeTakeFirst();
    if (filled !== undefined) await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(trx);
  });
}

/** Drops the foreign keys from and to the tables, and returns them. */
async function dropForeignKeys(trx: Transaction<Tables>, tables: readonly string[]) {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select relation.relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class as relation on relation.oid = conrelid
    where contype = 'f' and (conrelid = any(${tables}::regclass[]) or confrelid = any(${tables}::regclass[]))
    order by 1, 2`.execute(trx);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(trx);
  }
  return rows;
}

/** Replaces a table with a partitioned one. */
async function rebuild(trx: Transaction<Tables>, table: PartitionedTable, count: number): Promise<void> {
  const keys = await readKeys(trx, table);
  const parameters = await readParameters(trx, table);
  const triggers = await readTriggers(trx, table);
  const [old, partitioned, column] = [`${table}__whole`, sql.table(table), PARTITION_KEYS[table]];
  await sql`alter table ${partitioned} rename to ${sql.ref(old)}`.execute(trx);
  for (const { name } of keys)
    await sql`alter index ${sql.ref(name)} rename to ${sql.ref(`${name}__whole`)}`.execute(trx);
  await sql`create table ${partitioned} (like ${sql.ref(old)} including all excluding indexes)
    partition by hash (${sql.ref(column)})`.execute(trx);
  for (let number = 0; number < count; number++) {
    await sql`create table ${sql.ref(toPartitionName(table, number))} partition of ${partitioned}
      for values with (modulus ${sql.lit(count)}, remainder ${sql.lit(number)}) ${parameters}`.execute(trx);
  }
  await sql`insert into ${partitioned} overriding system value select * from ${sql.ref(old)}`.execute(trx);
  await takeSequences(trx, table, old);
  await sql`drop table ${sql.ref(old)}`.execute(trx);
  for (const key of keys) await sql.raw(toDefinition(table, key)).execute(trx);
  for (const definition of triggers) await sql.raw(definition).execute(trx);
}

/** The statements that create the triggers of a table, except those of foreign keys. */
async function readTriggers(trx: Transaction<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal order by tgname`.execute(trx);
  return rows.map(({ definition }) => definition);
}

/** The storage parameters of a table, as part of the statement that creates a partition. */
async function readParameters(trx: Transaction<Tables>, table: string) {
  const { rows } = await sql<{ list: string | null }>`
    select array_to_string(reloptions, ', ') as list from pg_class where oid = ${table}::regclass`.execute(trx);
  const list = rows[0]?.list;
  return list ? sql`with (${sql.raw(list)})` : sql``;
}

/** The primary key, unique constraints and indexes of a table. */
async function readKeys(trx: Transaction<Tables>, table: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select relation.relname as name, pg_get_indexdef(indexrelid) as definition, indisunique as is_unique,
      contype as constraint_type,
      array(select attname::text from unnest(indkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = indrelid and attnum = key.number order by place) as columns
    from pg_index join pg_class as relation on relation.oid = indexrelid
      left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
    where indrelid = ${table}::regclass order by 1`.execute(trx);
  return rows;
}

/** The statement that creates a key of the partitioned table. A unique key must contain the organization's id. */
function toDefinition(
  table: PartitionedTable,
  { name, definition, is_unique, constraint_type, columns }: KeyRow,
): string {
  const column = PARTITION_KEYS[table];
  if (!is_unique) return definition;
  if (!columns.includes(column) && !GENERATED_KEYS.has(name)) {
    throw new Error(`${name} does not contain ${column}, so that it cannot be unique across partitions`);
  }
  const all = [...new Set([...columns, column])].join(", ");
  if (constraint_type === null) return `create unique index ${name} on ${table} (${all})`;
  const type = constraint_type === "p" ? "primary key" : "unique";
  return `alter table ${table} add constraint ${name} ${type} (${all})`;
}

/** Moves the names and values of the old table's sequences to the identity columns of the new one. */
async function takeSequences(trx: Transaction<Tables>, table: string, old: string): Promise<void> {
  const { rows } = await sql<{ column: string; name: string; own: string }>`
    select attname as column, pg_get_serial_sequence(${old}, attname) as name,
      pg_get_serial_sequence(${table}, attname) as own
    from pg_attribute where attrelid = ${old}::regclass and attidentity <> ''`.execute(trx);
  for (const { column, name, own } of rows) {
    await sql`select setval(${own}, last_value, is_called) from ${sql.raw(name)}`.execute(trx);
    await sql`alter table ${sql.table(old)} alter column ${sql.ref(column)} drop identity`.execute(trx);
    await sql`alter sequence ${sql.raw(own)} rename to ${sql.ref(name.split(".").at(-1) ?? name)}`.execute(trx);
  }
}

/**
 * Names the indexes of partitions after those of their tables, because PostgreSQL reports a violated unique constraint
 * by the name of the partition's index. Does nothing without partitions.
 */
export async function namePartitionIndexes(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string; parent: string; table: string }>`
    select child.relname as name, parent.relname as parent, relation.relname as table
    from pg_inherits join pg_class as child on child.oid = inhrelid and child.relkind = 'i'
      join pg_class as parent on parent.oid = inhparent
      join pg_index on indexrelid = child.oid join pg_class as relation on relation.oid = indrelid
    where pg_table_is_visible(relation.oid)`.execute(db);
  for (const { name, parent, table } of rows) {
    const wanted = toPartitionName(parent, Number(/__p(\d+)$/.exec(table)?.[1]));
    if (name !== wanted) await sql`alter index ${sql.ref(name)} rename to ${sql.ref(wanted)}`.execute(db);
  }
}

/** The number of partitions that each table has; 0 if the tables are not partitioned. */
export async function countPartitions(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_inherits where inhparent = to_regclass('users')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The number of other sessions of Signet on the database, by `application_name`. */
export async function countOtherSessions(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'signet' and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.count ?? 0;
}
