import { sql } from "kysely";
import { openPool } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { runQuery } from "../../src/database/run-query.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

const now = sql`select 1 as one`;
const CONNECTIONS = 16;

describe.each(DATABASE_KINDS)("the connections to %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase(kind, CONNECTIONS);
    db = database.db;
    await sql`create table notes (text text not null)`.execute(db);
    await sql`create sequence attempts`.execute(db);
    await sql
      .raw(`create function fail_at_first(sqlstate text) returns bigint language plpgsql as $$
      declare attempt bigint := nextval('attempts');
      begin
        if attempt = 1 then raise exception using errcode = sqlstate; end if;
        return attempt;
      end $$`)
      .execute(db);
  });
  afterAll(async () => {
    await sql`drop table notes`.execute(db);
    await sql`drop function fail_at_first`.execute(db);
    await sql`drop sequence attempts`.execute(db);
    await database.close();
  });

  const insert = (text: string) =>
    sql<{ text: string }>`insert into notes (text) values (${text}) returning text`.compile(db);
  const notes = async () => (await sql<{ text: string }>`select text from notes`.execute(db)).rows;

  test("send no query of a caller that disconnected while it waited", async () => {
    const over = new Error("the call is over");
    const caller = createCaller(over);
    const single = openPool(database.address, 1, () => {});
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holder = single.db.connection().execute(async () => {
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const gone = runQuery(single.db, insert("of the one that went"), caller);
    const there = runQuery(single.db, insert("of the one that stayed"));
    caller.go();
    release.resolve();
    await expect(gone).rejects.toBe(over);
    expect(await there).toEqual([{ text: "of the one that stayed" }]);
    await holder;
    await single.close();
    expect(await notes()).toEqual([{ text: "of the one that stayed" }]);
  });

  test("send no query of a caller that disconnected while its connection was opened, and keep the connection", async () => {
    const over = new Error("the call is over");
    const caller = createCaller(over);
    const single = openPool(database.address, 1, () => {});
    const gone = runQuery(single.db, insert("of the first"), caller);
    // The limiter had room: what is missing is the connection.
    setImmediate(caller.go);
    await expect(gone).rejects.toBe(over);
    await expect(runQuery(single.db, now.compile(single.db))).resolves.toEqual([{ one: 1 }]);
    await single.close();
    expect(await notes()).not.toContainEqual({ text: "of the first" });
  });

  test.each(["40001", "40P01"])("retry a statement that fails with %s", async (code) => {
    await sql`alter sequence attempts restart`.execute(db);
    const [row] = await runQuery(db, sql<{ attempt: bigint }>`select fail_at_first(${code}) as attempt`.compile(db));
    expect(row).toEqual({ attempt: 2n });
  });

  test("do not retry a statement that fails otherwise, and map its error", async () => {
    await sql`alter sequence attempts restart`.execute(db);
    const query = sql`select fail_at_first('53300')`.compile(db);
    await expect(runQuery(db, query)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(runQuery(db, query)).resolves.toHaveLength(1);
  });

  test("are released however a query ends", async () => {
    const single = openPool(database.address, 1, () => {});
    for (let round = 0; round < 5; round += 1) {
      await expect(runQuery(single.db, sql`selekt`.compile(single.db))).rejects.toMatchObject({ reason: "INTERNAL" });
      await expect(
        single.db.transaction().execute(async () => Promise.reject(new Error("not this one"))),
      ).rejects.toThrow("not this one");
    }
    await expect(runQuery(single.db, now.compile(single.db))).resolves.toEqual([{ one: 1 }]);
    await single.close();
  });

  test("are closed no matter which of the two handles was used", async () => {
    for (const handle of ["db", "pagesDb"] as const) {
      const opened = openPool(database.address, 2, () => {});
      await now.execute(opened[handle]);
      await opened.close();
      await expect(now.execute(opened[handle])).rejects.toThrow();
    }
  });
});

describe("the pages on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase("postgres", CONNECTIONS);
  });
  afterAll(() => database.close());

  test("do not delay calls, however slow and numerous their queries are", async () => {
    // Opens the connections, which a busy machine does slowly.
    await Promise.all(Array.from({ length: CONNECTIONS }, () => runQuery(database.db, now.compile(database.db))));
    const slow = sql`select pg_sleep(1)`.compile(database.db);
    const flood = Promise.allSettled(Array.from({ length: 5_000 }, () => runQuery(database.pagesDb, slow)));
    const { rows } = await sql<{ n: bigint }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`.execute(database.db);
    expect(rows[0]?.n).toBeLessThanOrEqual(4n);
    // Few enough that a slow machine completes them within the time that they may wait.
    const calls = Array.from({ length: 100 }, () => runQuery(database.db, now.compile(database.db)));
    // The calls end first, although the flood started earlier.
    expect(await Promise.race([flood, Promise.all(calls).then(() => "calls")])).toBe("calls");
    const outcomes = await flood;
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(5_000 - 4 * 65);
    expect(refused[0]).toMatchObject({ reason: { reason: "UNAVAILABLE", retryAfterMs: 1_000 } });
  });
});

describe("a connection to PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase("postgres", 1);
    await sql`create table notes (text text not null)`.execute(database.db);
  });
  afterAll(() => database.close());

  test("is replaced after the server has refused to write", async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    const name = sql.id(rows[0]?.name ?? "");
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(database.db);
    const other = openPool(database.address, 1, () => {});
    const insert = sql`insert into notes values ('written')`.compile(other.db);
    await now.execute(other.db);
    await sql`alter database ${name} reset default_transaction_read_only`.execute(database.db);
    await expect(runQuery(other.db, insert)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(runQuery(other.db, insert)).resolves.toEqual([]);
    await other.close();
  });

  test("runs a prepared statement after a migration has changed the columns of its result", async () => {
    const text = "select * from notes where text = $1";
    const other = openPool(database.address, 1, () => {});
    const read = () => runQuery(other.db, { name: "read", sql: text, parameters: ["written"] });
    expect(await read()).toEqual([{ text: "written" }]);
    const { rows } = await sql`select name from pg_prepared_statements`.execute(other.db);
    expect(rows).toHaveLength(1);
    await sql`alter table notes add column added text`.execute(database.db);
    for (let round = 1; round <= 3; round++) expect(await read()).toEqual([{ text: "written", added: null }]);
    await other.close();
  });

  test("has no session settings and no prepared statements if a pooler shares it", async () => {
    if (!("url" in database.address)) throw new Error("PostgreSQL has a URL");
    const other = openPool({ ...database.address, prepared: false }, 1, () => {});
    const text = "select text from notes where text = $1";
    await runQuery(other.db, { name: "read", sql: text, parameters: ["x"] });
    const { rows } = await sql`
      select current_setting('statement_timeout') as timeout, count(name) as prepared from pg_prepared_statements`.execute(
      other.db,
    );
    expect(rows).toEqual([{ timeout: "0", prepared: 0n }]);
    await other.close();
  });
});

function createCaller(over: Error) {
  let isOver = false;
  return {
    go: () => {
      isOver = true;
    },
    throwIfOver() {
      if (isOver) throw over;
    },
  };
}
