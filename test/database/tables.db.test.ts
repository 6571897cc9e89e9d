import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { APP_SETTINGS } from "../../src/database/app-config.ts";
import { PROFILE } from "../../src/database/profile.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

const SOURCE = ["tables", "oidc-tables"]
  .map((name) => readFileSync(`src/database/${name}.ts`, "utf8").replaceAll(/\/\*\*.*?\*\//gs, ""))
  .join("\n");

/** Each column, with whether it may be null, by the name of the interface. */
const INTERFACES = new Map(
  [...SOURCE.matchAll(/^(?:export )?interface (\w+)(?: extends ([\w, ]+))? \{\n(.*?)^\}/gms)].map(
    ([, name = "", parents = "", body = ""]) => [name, { parents: parents.split(", ").filter(Boolean), body }],
  ),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase("postgres");
});
afterAll(() => database?.close());

test("the types of the tables have the columns of the migrated database, and say which may be null", async () => {
  const { rows } = await sql<{ table: string; column: string; may_be_null: boolean }>`
    select table_name as table, column_name as column, is_nullable = 'YES' as may_be_null
    from information_schema.columns where table_schema = current_schema() and table_name not like 'kysely%'`.execute(
    database.db,
  );
  const stored = rows.map(({ table, column, may_be_null }) => `${table}.${column}${may_be_null ? " or null" : ""}`);
  const typed = [...columnsOf("Tables")].flatMap(([table, type]) =>
    [...columnsOf(type)].map(([column, of]) => `${table}.${column}${/\bnull\b/.test(of) ? " or null" : ""}`),
  );
  expect(typed.length).toBeGreaterThan(200);
  expect(typed.sort()).toEqual(stored.sort());
});

function columnsOf(name: string): [column: string, type: string][] {
  if (name === "ProfileRow") return Object.values(PROFILE).map(({ column }) => [column, "null"]);
  if (name === "AppConfigRow") {
    return Object.values(APP_SETTINGS).map(({ column, rule }) => [
      column,
      rule === "text" || rule === "uri" ? "null" : "",
    ]);
  }
  const { parents, body } = INTERFACES.get(name) ?? { parents: [], body: "" };
  const own = [...body.matchAll(/^ {2}(?:readonly )?(\w+): (.*?);$/gms)];
  return [...parents.flatMap(columnsOf), ...own.map(([, column = "", type = ""]): [string, string] => [column, type])];
}
