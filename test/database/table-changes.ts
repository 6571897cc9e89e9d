import type pg from "pg";

/** The columns, constraints and unique indexes of all tables. */
export interface Tables {
  readonly columns: ReadonlyMap<string, Column>;
  readonly rules: ReadonlyMap<string, Rule>;
}

interface Column {
  readonly table: string;
  readonly type: string;
  readonly required: boolean;
}

/** A constraint or a unique index. */
interface Rule {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  readonly definition: string;
}

/** Queries the columns. `required`: an insert that omits the column is rejected. */
const COLUMNS = `
  select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
    attnotnull and not atthasdef and attidentity = '' as required
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped`;

const RULES = `
  select pg_class.relname as table, conname as name, contype in ('p', 'u') as "isUnique", pg_get_constraintdef(pg_constraint.oid) as definition,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where connamespace = 'public'::regnamespace
  union all
  select tables.relname, indexes.relname, true, pg_get_indexdef(indexrelid),
    array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey))
  from pg_index join pg_class as tables on tables.oid = indrelid join pg_class as indexes on indexes.oid = indexrelid
  where indisunique and tables.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint where conindid = indexrelid)`;

export async function readTables(client: pg.Client): Promise<Tables> {
  const columns = await client.query<Column & { name: string }>(COLUMNS);
  const rules = await client.query<Rule & { name: string }>(RULES);
  return {
    columns: new Map(columns.rows.map((row) => [`${row.table}.${row.name}`, row])),
    rules: new Map(rules.rows.map((row) => [`${row.table}.${row.name}`, row])),
  };
}

/** Lists the changes that might break a process that knows only the earlier tables. */
export function findBreakingChanges(before: Tables, after: Tables): string[] {
  const oldTables = new Set([...before.columns.values()].map(({ table }) => table));
  const found: string[] = [];
  for (const [name, { type, required }] of before.columns) {
    const now = after.columns.get(name);
    if (now === undefined) found.push(`the column ${name} is gone`);
    else if (now.type !== type) found.push(`the column ${name} was ${type} and is ${now.type}`);
    else if (now.required && !required) found.push(`the column ${name} has become required`);
  }
  for (const [name, { table, required }] of after.columns) {
    const isNew = oldTables.has(table) && !before.columns.has(name);
    if (isNew && required) found.push(`the new column ${name} is required`);
  }
  for (const [name, { isUnique }] of before.rules) {
    // A statement may name its columns in ON CONFLICT.
    if (isUnique && !after.rules.has(name)) found.push(`${name} is no longer unique`);
  }
  for (const [name, { table, columns, definition }] of after.rules) {
    const isOnNewColumns = columns.length > 0 && columns.every((column) => !before.columns.has(`${table}.${column}`));
    if (!oldTables.has(table) || isOnNewColumns || before.rules.get(name)?.definition === definition) continue;
    found.push(`the rule ${name} is new or has changed: ${definition}`);
  }
  return found;
}
