import { FIND_TOKEN_PRINCIPAL } from "../../src/access/find-principal.ts";
import { summarize } from "../../src/database/statement-summary.ts";

const summaryOf = (sql: string) => summarize(sql).name;

test.each([
  ["a query", 'select "id" from "users" where "id" = $1', "SELECT users"],
  [
    "joined tables",
    'select * from "codes" inner join "users" on true left join "orgs" on true',
    "SELECT codes users orgs",
  ],
  [
    "a part of the query",
    'with "due" as materialized (select 1 from "messages") select * from "due"',
    "SELECT messages",
  ],
  ["a function", "select * from jsonb_to_recordset($1) as item join users on true", "SELECT users"],
  ["a lock", 'select "id" from "messages" for update of "messages" skip locked', "SELECT messages"],
  ["an insert", 'insert into "users" ("id") values ($1)', "INSERT users"],
  [
    "changes in one statement, each once",
    'with "changed" as (update "users" set "state" = $1 returning *), "added" as (insert into events select * from changed), ' +
      'more as (insert into events select 1), gone as (delete from "codes" using "changed") select * from "changed"',
    "UPDATE users INSERT events DELETE codes",
  ],
  [
    "an upsert",
    'insert into "rate_limits" ("key") values ($1) on conflict ("key") do update set "points" = 1',
    "INSERT rate_limits",
  ],
  ["no table", "select pg_notify($1, '')", "SELECT"],
])("summarizes %s", (_what, sql, expected) => {
  expect(summaryOf(sql)).toBe(expected);
});

test("a summary of a real statement contains only the names of its tables", () => {
  const { sql } = FIND_TOKEN_PRINCIPAL.statement.bind([]);
  const { name, attributes } = summarize(sql);
  expect(name).toBe("SELECT orgs members tokens users instance");
  expect(attributes).toEqual({
    "db.system.name": "postgresql",
    "db.operation.name": "SELECT",
    "db.query.summary": name,
  });
});
