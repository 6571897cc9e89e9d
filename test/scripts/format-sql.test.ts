import { formatSql } from "../../scripts/sql/format-sql.ts";

const LONG = "users.user_name_key = given.user_name_key";

test("a statement is broken at its parts, clauses and terms where a line is too long", () => {
  const given =
    "select value ->> 0 as name\n  from jsonb_array_elements($1::jsonb)   with ordinality as command (value)";
  const sql = `with given as (${given}),"found" as (select id from users where ${LONG} and (users.state = 'a (b' or ${LONG} or not ${LONG}) for no key update) select E'\\n' || id from found`;
  expect(formatSql(sql).split("\n")).toEqual([
    "with given as (select value ->> 0 as name from jsonb_array_elements($1::jsonb) with ordinality as command (value)),",
    '  "found" as (',
    "    select id",
    "    from users",
    `    where ${LONG}`,
    "      and (",
    "        users.state = 'a (b'",
    `        or ${LONG}`,
    `        or not ${LONG}`,
    "      )",
    "    for no key update",
    "  )",
    "select E'\\n' || id",
    "from found",
  ]);
});

test("nothing but white space changes", () => {
  const sql = `insert into users ("id", state) select $1::uuid, 'it''s ( "a"' from (select) as x where a is distinct from b on conflict do nothing -- ${LONG.repeat(3)}`;
  expect(formatSql(sql).replaceAll(/\s+/g, "")).toBe(sql.replaceAll(/\s+/g, ""));
});
