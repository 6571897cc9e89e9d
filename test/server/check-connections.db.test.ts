import { sql } from "kysely";
import { pino } from "pino";
import { type Config, readConfig } from "../../src/config.ts";
import { connect } from "../../src/database/connection.ts";
import { checkConnections } from "../../src/server/check-connections.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { onPostgres } from "../support/servers/process.ts";

let database: EmptyDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

/** Returns the warnings about a database with these settings. */
async function check(settings: Readonly<Record<string, string>>, prepared: boolean): Promise<string[]> {
  for (const [name, value] of Object.entries(settings)) {
    await database.outside(`alter database ${database.name} set ${name} = '${value}'`);
  }
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });
  const db = connect({ url: database.url, prepared }, 1, () => {});
  const config: Config = {
    ...readConfig({ ...onPostgres(database.url), PUBLIC_URL: "http://localhost:8080" }),
    databasePrepared: prepared,
  };
  await checkConnections(config, db, log);
  await db.destroy();
  for (const name of Object.keys(settings)) {
    await database.outside(`alter database ${database.name} reset ${name}`);
  }
  return warnings;
}

/** Warnings about the server that runs the tests are not counted. */
const aboutRole = (warnings: readonly string[]) => warnings.filter((text) => text.includes("alter role"));

test("a session gets its settings from Signet, whatever the database sets", async () => {
  const others = {
    jit: "on",
    default_transaction_isolation: "serializable",
    statement_timeout: "0",
    DateStyle: "German",
  };
  for (const [name, value] of Object.entries(others)) {
    await database.outside(`alter database ${database.name} set ${name} = '${value}'`);
  }
  const read = async (timeLimits: boolean) => {
    const db = connect({ url: database.url }, 1, () => {}, { timeLimits });
    const { rows } = await sql`
      select current_setting('jit') as jit, current_setting('transaction_isolation') as isolation,
        current_setting('statement_timeout') as timeout, '2026-11-28'::date::text as date`.execute(db);
    await db.destroy();
    return rows;
  };
  const same = { jit: "off", isolation: "read committed", date: "2026-11-28" };
  expect(await read(true)).toEqual([{ ...same, timeout: "10s" }]);
  expect(await read(false)).toEqual([{ ...same, timeout: "0" }]);
  for (const name of Object.keys(others)) await database.outside(`alter database ${database.name} reset ${name}`);
  expect(aboutRole(await check(others, true))).toEqual([]);
});

test("behind a pooler that shares sessions, a warning has the statements that set up the role", async () => {
  const fitting = { jit: "off", statement_timeout: "3s", idle_in_transaction_session_timeout: "1min" };
  expect(aboutRole(await check(fitting, false))).toEqual([]);
  expect(aboutRole(await check({ ...fitting, jit: "on", statement_timeout: "0" }, false))).toEqual([
    "the role lacks settings that Signet cannot set because DATABASE_PREPARED is false: run " +
      "alter role postgres set statement_timeout = '10s'; alter role postgres set jit = 'off';",
  ]);
});

test("a warning names settings of the server that cost speed", async () => {
  const before = await check({}, true);
  const text = "the database server has settings that make Signet slower: ";
  const found = (await check({ enable_indexscan: "off", log_statement: "all" }, true)).find((each) =>
    each.startsWith(text),
  );
  expect(found?.slice(text.length).split(", ")).toEqual(
    expect.arrayContaining(["enable_indexscan = off", "log_statement = all"]),
  );
  expect(before.join()).not.toContain("enable_indexscan");
});
