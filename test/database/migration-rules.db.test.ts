import { Migrator } from "kysely/migration";
import pg from "pg";
import { connect } from "../../src/database/connection.ts";
import { FIRST_MIGRATION, MIGRATIONS } from "../../src/database/migrate.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { findBreakingChanges, readTables } from "./table-changes.ts";

/**
 * Later changes that look breaking but are not, each with the reason.
 *
 * A constraint belongs here if everything that the earlier version writes satisfies it.
 */
const HARMLESS: Readonly<Record<string, string>> = {};

const names = Object.keys(MIGRATIONS);
const later = names.slice(1);
let database: EmptyDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await migrateTo(FIRST_MIGRATION);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function migrateTo(name: string): Promise<void> {
  const db = connect({ url: database.url }, 1, () => {});
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateTo(name);
  await db.destroy();
  if (error !== undefined) throw error;
}

test("the migrations have increasing numbers, and require only earlier ones", () => {
  const numbers = names.map((name) => Number(/^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1]));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const name of names) {
    const [, required = "0000"] = /-requires-(.*)$/.exec(name) ?? [];
    expect(required).toMatch(/^\d{4}$/);
    expect(required < name).toBe(true);
  }
});

test("a migration keeps everything that the previous version uses, unless its name says so", async () => {
  const breaking: string[] = [];
  for (const name of later) {
    const before = await readTables(client);
    await migrateTo(name);
    if (/-requires-\d{4}$/.test(name)) continue;
    const found = findBreakingChanges(before, await readTables(client));
    breaking.push(...found.filter((change) => HARMLESS[change] === undefined).map((change) => `${name}: ${change}`));
  }
  expect(breaking).toEqual([]);
});

describe("the check reports", () => {
  test.each([
    ["drop table recovery_codes", "the column recovery_codes.org_id is gone"],
    ["alter table users drop column nick_name cascade", "the column users.nick_name is gone"],
    ["alter table users rename nick_name to alias", "the column users.nick_name is gone"],
    ["alter table users rename to people", "the column users.id is gone"],
    ["alter table codes alter attempts type text", "the column codes.attempts was smallint and is text"],
    ["alter table users alter nick_name set not null", "the column users.nick_name has become required"],
    ["alter table codes alter attempts drop default", "the column codes.attempts has become required"],
    ["alter table users add color text not null", "the new column users.color is required"],
    [
      "alter table user_idp_links drop constraint user_idp_links__pkey",
      "user_idp_links.user_idp_links__pkey is no longer unique",
    ],
    [
      "create unique index users__email on users (email)",
      /^the rule users.users__email is new or has changed: CREATE UNIQUE/,
    ],
    [
      "alter table users add constraint users__x check (gender < 3)",
      /^the rule users.users__x is new or has changed: CHECK/,
    ],
  ])("%s", async (statement, change) => {
    const before = await readTables(client);
    await client.query(`begin; ${statement}`);
    const found = findBreakingChanges(before, await readTables(client));
    await client.query("rollback");
    expect(found).toContainEqual(typeof change === "string" ? change : expect.stringMatching(change));
  });

  test.each([
    "alter table users add color text",
    "alter table users add color text not null default 'none'",
    "alter table users add color text, add constraint users__color check (color in ('red', 'blue'))",
    "create index users__by_nick_name on users (nick_name)",
    "create table colors (id uuid primary key, user_id uuid not null)",
    "alter table users drop constraint users__state",
  ])("nothing wrong with %s", async (statement) => {
    const before = await readTables(client);
    await client.query(`begin; ${statement}`);
    const found = findBreakingChanges(before, await readTables(client));
    await client.query("rollback");
    expect(found).toEqual([]);
  });
});
