import { type Kysely, sql } from "kysely";
import { START } from "../../examples/events/read-events.ts";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { MIGRATIONS, migrate } from "../../src/database/migrate.ts";
import { countPartitions, PARTITION_KEYS, partitionTables } from "../../src/database/partition.ts";
import { type Caller, createCaller, type Outcome } from "../support/clients/callers.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../support/clients/requests.ts";
import { environment } from "../support/databases/database.ts";
import { followEvents } from "../support/databases/follow-events.ts";
import { createDatabase, runStatement } from "../support/databases/postgres.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const TABLES = Object.keys(PARTITION_KEYS) as (keyof typeof PARTITION_KEYS)[];

/** The rows of all tables that can be partitioned. */
async function readRows(db: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of TABLES) {
    const read = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} as t`.execute(db);
    rows[table] = read.rows.map(({ row }) => row).sort();
  }
  return rows;
}

/**
 * Columns, constraints, indexes and triggers of all tables except partitions. Index options are omitted: they cannot be changed
 * on a partitioned index, and only its partitions use them.
 */
async function describeTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, is_identity) as line
      from information_schema.columns where table_schema = 'public' and table_name !~ '__p[0-9]+$'
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text !~ '__p[0-9]+$' and conparentid = 0
    union all
    select indexdef from pg_indexes where schemaname = 'public' and tablename !~ '__p[0-9]+$'
    union all
    select pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal and tgparentid = 0 and tgrelid::regclass::text !~ '__p[0-9]+$'
    union all
    select 'sequence ' || sequencename from pg_sequences`.execute(db);
  return rows.map(({ line }) => line.replaceAll("ONLY ", "").replace(/ WITH \(.*\)$/, "")).sort();
}

/** The names in lines of `describeTables`, apart from definitions, which partitions change. */
function withoutDefinitions(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/(PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK) \(.*| USING .*|CREATE (UNIQUE )?INDEX /g, ""))
    .sort();
}

describe("a database with rows", () => {
  let service: TestService;
  let caller: Caller;
  let idpId: unknown;
  let before: { rows: Record<string, string[]>; tables: string[] };

  const importHuman = (userName: string, changes: object = {}) =>
    caller.call("ImportHumanUser", { userName, ...HUMAN, ...changes } as never);

  beforeAll(async () => {
    service = await startService("postgres", { SMS_PROVIDER: "file" });
    service.secret(BCRYPT);
    service.secret(CLIENT_SECRET);
    caller = createCaller("rest", service, service.adminToken);
    idpId = messageOf(await caller.call("AddOrgOIDCIDP", IDP)).idpId;
    const idps = [{ configId: idpId, externalUserId: "ada" }];
    await importHuman("ada", { phone: { phone: "+41791234567" }, email: { email: "ada@example.com" }, idps });
    await importHuman("grace");
    await sql`
      insert into recovery_codes select org_id, id, '\\x00', now() from users where user_name = 'ada'`.execute(
      service.db,
    );
    before = { rows: await readRows(service.db), tables: await describeTables(service.db) };
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  test("is unchanged if it has a unique index without the organization", async () => {
    await sql`create unique index users__phone on users (phone)`.execute(service.db);
    await expect(partitionTables(service.db, 3)).rejects.toThrow(
      "users__phone does not contain org_id, so that it cannot be unique across partitions",
    );
    await sql`drop index users__phone`.execute(service.db);
    expect(await countPartitions(service.db)).toBe(0);
    expect(await describeTables(service.db)).toEqual(before.tables);
  });

  test("keeps its rows and the names of its columns, constraints, indexes and sequences", async () => {
    expect(Object.values(before.rows).every((rows) => rows.length > 0)).toBe(true);
    await partitionTables(service.db, 3);
    expect(await countPartitions(service.db)).toBe(3);
    expect(await readRows(service.db)).toEqual(before.rows);
    expect(withoutDefinitions(await describeTables(service.db))).toEqual(withoutDefinitions(before.tables));
    await expect(partitionTables(service.db, 3)).rejects.toThrow("the tables are partitioned already");
  });

  test("keeps working: taken names and links are reported as before, and the positions of events continue", async () => {
    const { events, cursor } = await followEvents(service.db, START, 100);
    expect(await importHuman("GRACE")).toMatchObject({ ok: false, reason: "USER_NAME_TAKEN" });
    const idps = [{ configId: idpId, externalUserId: "ada" }];
    expect(await importHuman("eve", { idps })).toMatchObject({ ok: false, reason: "IDP_LINK_TAKEN" });
    const { userId } = messageOf(await importHuman("joan"));
    // The position of the failed import is missing. Followers wait there until the server has no older transaction.
    let follower = { events: [] as typeof events, cursor };
    await until("the follower has passed it", async () => {
      follower = await followEvents(service.db, follower.cursor, 100);
      return follower.events.length > 0;
    });
    const added = follower.events;
    expect(added.map(({ aggregate_id, type }) => ({ aggregate_id, type }))).toEqual([
      { aggregate_id: userId, type: "user.human.added" },
      { aggregate_id: userId, type: "user.human.email.verified" },
    ]);
    expect(Number(added[0]?.position)).toBeGreaterThan(Number(events.at(-1)?.position));
  });

  test("removing a user removes the rows in the partitions of the other tables", async () => {
    const { id } = await service.db
      .selectFrom("users")
      .select("id")
      .where("user_name", "=", "ada")
      .executeTakeFirstOrThrow();
    expect(await caller.call("RemoveUser", { id })).toMatchObject({ ok: true });
    for (const table of ["user_idp_links", "recovery_codes", "codes", "messages"] as const) {
      expect(await service.db.selectFrom(table).selectAll().where("user_id", "=", id).execute()).toEqual([]);
    }
  });
});

function messageOf(outcome: Outcome) {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.message;
}

const LATER = {
  "9999-later": {
    async up(db: Kysely<unknown>) {
      await sql`alter table users add color text not null default 'none'`.execute(db);
      await sql`create unique index users__color on users (org_id, color, id)`.execute(db);
    },
  },
};

test("later migrations apply to partitions", async () => {
  const url = environment("TEST_POSTGRES_URL");
  const names = ["later", "earlier"].map((when) => `signet_test_${process.pid}_partitions_${when}`);
  const described = await Promise.all(
    names.map(async (name, isEarlier) => {
      await createDatabase(url, name, "template0");
      const own = new URL(url);
      own.pathname = `/${name}`;
      const db = connect({ url: own.href }, 1, () => {}, { timeLimits: false });
      await migrate(db, isEarlier ? MIGRATIONS : { ...MIGRATIONS, ...LATER });
      await partitionTables(db, 2);
      if (isEarlier) await migrate(db, { ...MIGRATIONS, ...LATER });
      const tables = await describeTables(db);
      const { rows } = await sql<{ name: string; options: string[] | null }>`
        select relname as name, reloptions as options from pg_class where relispartition order by 1`.execute(db);
      await db.destroy();
      await runStatement(url, `drop database ${name}`);
      return { tables, rows, partitions: rows.map((row) => row.name) };
    }),
  );
  expect(described[1]).toEqual(described[0]);
  expect(described[0]?.rows).toContainEqual({ name: "users__trigrams__p0", options: ["gin_pending_list_limit=1024"] });
  // Of each table and index, two.
  expect(described[0]?.partitions).toContain("users__p1");
  expect(described[0]?.partitions.filter((name) => !/__p[01]$/.test(name))).toEqual([]);
});
