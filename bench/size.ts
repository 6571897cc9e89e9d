/**
 * Measures the size of a database with many users, and how long maintenance takes:
 *
 * `node bench/size.ts [--users <number>] [--out <file>]`: a million users by default, which takes ten minutes. Writes
 * the figures as Markdown, from which docs/scale.md calculates.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { createKeyring } from "../src/crypto/keyring.ts";
import { registerKeys } from "../src/crypto/register-keys.ts";
import { createId } from "../src/crypto/secrets.ts";
import { connect } from "../src/database/connection.ts";
import { migrate } from "../src/database/migrate.ts";
import { createRunTogether } from "../src/database/run-together.ts";
import { createOrg } from "../src/orgs/change-org.ts";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { createOperations } from "../test/support/operations/operations.ts";
import { fillUsers } from "./size-fill.ts";

const { values: flags } = parseArgs({
  options: { users: { type: "string", default: "1000000" }, out: { type: "string", default: "bench/results-size.md" } },
});
const USERS = Number(flags.users);
const ORGS = Math.min(1_000, Math.ceil(USERS / 1_000));
/** Calls for each per-call figure. */
const CALLS = Math.min(20_000, USERS / 10);
const IN_FLIGHT = 64;
const lines: string[] = [];

const postgres = await startPostgres(
  ["shared_buffers=1GB", "max_wal_size=16GB", "maintenance_work_mem=256MB", "autovacuum=off"].flatMap((set) => [
    "-c",
    set,
  ]),
);
const url = postgres.urlOf("postgres");
const db = connect({ url }, 8, () => {}, { timeLimits: false });
// Temporary tables and settings belong to one connection.
const session = connect({ url }, 1, () => {}, { timeLimits: false });
const clock = () => new Date();
try {
  await migrate(session);
  const keyring = createKeyring([randomBytes(32)]);
  await registerKeys(session, keyring, clock());
  const orgIds: string[] = [];
  for (let number = 0; number < ORGS; number++) orgIds.push(await createOrg({ db: session, clock }, `size-${number}`));
  const [orgId = ""] = orgIds;
  const runTogether = createRunTogether(db);
  const operations = createOperations({
    runTogether,
    userId: createId(),
    instanceId: createId(),
    orgId,
    keyring,
    clock,
  });

  const filledIn = await seconds(() => fillUsers(session, operations.importHuman, USERS));
  print(`# ${USERS.toLocaleString("en")} users in ${ORGS} organizations, filled in ${format(filledIn)} s`);
  print(`${cpus().length} × ${cpus()[0]?.model.trim()}, ${new Date().toISOString().slice(0, 10)}`);
  await measureUpkeep("after the fill");
  await printSizes();
  await measureCalls("import", async (number) => {
    await operations.importHuman({ userName: `measured-${number}` }, { orgId: pick(orgIds, number) });
  });
  const { rows: ids } = await sql<{ org_id: string; id: string }>`
    select org_id, id from users where user_name not like 'measured-%' and kind = 'human' order by md5(id::text)
    limit ${CALLS * 2}`.execute(session);
  let turn = 0;
  const change = async (number: number) => {
    const { org_id, id } = pick(ids, number);
    await operations.setPhone(id, `+4178${String(1_000_000 + (turn++ % 9_000_000))}`, true, { orgId: org_id });
  };
  await measureCalls("phone change", change);
  // The same users again, so that the figures apply to pages with free space.
  await measureUpkeep("after changes of users");
  await measureCalls("phone change, after VACUUM", change);
  await measureIndexes();
  await operations.close();
  measureDump();
} finally {
  await session.destroy();
  await db.destroy();
  await postgres.stop();
}
writeFileSync(flags.out, `${lines.join("\n")}\n`);

function print(line: string): void {
  lines.push(line);
  console.log(line);
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item;
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
}

/** The size of each non-empty table, including its TOAST table, and of each of its indexes. */
async function printSizes(): Promise<void> {
  const { rows } = await sql<{ table: string; index: string | null; bytes: string; rows: string }>`
    select relation.relname as table, null as index, pg_table_size(relation.oid)::text as bytes, reltuples::bigint::text as rows
    from pg_class as relation where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 100
    union all
    select relation.relname, index.relname, pg_relation_size(index.oid)::text, relation.reltuples::bigint::text
    from pg_class as relation join pg_index on indrelid = relation.oid join pg_class as index on index.oid = indexrelid
    where relation.relkind = 'r' and relation.relnamespace = 'public'::regnamespace and relation.reltuples > 100
    order by 1, 2 nulls first`.execute(session);
  print("\n| table | index | rows per user | bytes per user |\n|---|---|---:|---:|");
  let total = 0;
  for (const { table, index, bytes, rows: count } of rows) {
    total += Number(bytes);
    print(
      `| ${table} | ${index ?? ""} | ${index ? "" : (Number(count) / USERS).toFixed(2)} | ${format(Number(bytes) / USERS)} |`,
    );
  }
  print(`| **all** | | | **${format(total / USERS)}** |`);
}

/** WAL bytes per call, with and without full pages after a checkpoint, and the share of HOT updates. */
async function measureCalls(what: string, call: (number: number) => Promise<void>): Promise<void> {
  print(`\n${what}, ${CALLS} calls, ${IN_FLIGHT} in flight:`);
  for (const [mode, first] of [
    ["on", 0],
    ["off", CALLS],
  ] as const) {
    await sql.raw(`alter system set full_page_writes = ${mode}`).execute(session);
    await sql`select pg_reload_conf()`.execute(session);
    await sql`checkpoint`.execute(session);
    await sql`select pg_stat_reset()`.execute(session);
    const before = await walPosition();
    const sizeBefore = await sizeOfUsers();
    let next = first;
    const took = await seconds(() =>
      Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          while (next < first + CALLS) await call(next++);
        }),
      ),
    );
    const bytes = (await walPosition()) - before;
    const growth = (await sizeOfUsers()) - sizeBefore;
    print(
      `- full_page_writes ${mode}: ${format(bytes / CALLS)} bytes of WAL per call, ${format(CALLS / took)} calls/s; ` +
        `users and its indexes grew by ${format(growth / CALLS)} bytes per call`,
    );
  }
  // Sessions report their statistics when they are idle.
  await sql`select pg_sleep(2)`.execute(session);
  const { rows } = await sql<{ updated: string; hot: string }>`
    select n_tup_upd::text as updated, n_tup_hot_upd::text as hot from pg_stat_user_tables
    where relname = 'users'`.execute(session);
  const { updated = "0", hot = "0" } = rows[0] ?? {};
  if (updated !== "0") print(`- updates of users that were HOT: ${format((100 * Number(hot)) / Number(updated))} %`);
}

async function walPosition(): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`.execute(session);
  return Number(rows[0]?.bytes);
}

async function sizeOfUsers(): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_total_relation_size('users')::text as bytes`.execute(session);
  return Number(rows[0]?.bytes);
}

async function measureUpkeep(when: string): Promise<void> {
  print(`\n${when}:`);
  for (const table of ["users", "events", "codes", "messages"]) {
    const vacuum = await seconds(() => sql`vacuum ${sql.table(table)}`.execute(session));
    const analyze = await seconds(() => sql`analyze ${sql.table(table)}`.execute(session));
    print(`- ${table}: VACUUM ${format(vacuum)} s, ANALYZE ${format(analyze)} s`);
  }
}

async function measureIndexes(): Promise<void> {
  const { rows } = await sql<{ name: string; before: string }>`
    select indexrelid::regclass::text as name, pg_relation_size(indexrelid)::text as before from pg_index
    where indrelid in ('users'::regclass, 'events'::regclass) order by indrelid, 1`.execute(session);
  print("\n| index | seconds to build | bytes per user, grown | new |\n|---|---:|---:|---:|");
  for (const { name, before } of rows) {
    const took = await seconds(() => sql`reindex index ${sql.ref(name)}`.execute(session));
    const size = await sql<{ bytes: string }>`select pg_relation_size(${name}::regclass)::text as bytes`.execute(
      session,
    );
    print(
      `| ${name} | ${format(took)} | ${format(Number(before) / USERS)} | ${format(Number(size.rows[0]?.bytes) / USERS)} |`,
    );
  }
}

function measureDump(): void {
  if (!existsSync("/usr/bin/pg_dump")) {
    print("\npg_dump is not installed");
    return;
  }
  const startedAt = performance.now();
  const size = execFileSync("sh", ["-c", 'pg_dump -Fc "$1" | wc -c', "sh", url], { encoding: "utf8" });
  const took = (performance.now() - startedAt) / 1_000;
  print(`\npg_dump -Fc: ${format(Number(size) / USERS)} bytes per user, ${format(took)} s`);
}
