import { type RawBuilder, type SqlBool, sql } from "kysely";
import { createId } from "../../src/crypto/secrets.ts";
import { listPage, type PageQuery, type SortKey } from "../../src/database/list-page.ts";
import { foldCase, matchesText, searchedText, type TextMatch } from "../../src/database/text-match.ts";
import { createOrg } from "../../src/orgs/change-org.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";

const NAMES = ["alpha", "Alpha", "al_ha", "al%ha", "al\\ha", "beta", "ALPHABET", "", "Ünal", "ΟΔΟΣ"];
const ID: SortKey = { value: sql.ref("users.id"), type: "uuid" };
const NICK_NAME: SortKey = { value: sql`coalesce(users.nick_name, '')`, type: "text" };
const CREATED: SortKey = { value: sql.ref("users.created_at"), type: "timestamptz" };
const KIND: SortKey = { value: sql`case users.kind when 'human' then 1 else 2 end`, type: "integer" };
const FIRST: PageQuery = { offset: 0, limit: 1_000, ascending: true, after: undefined };

let database: TestDatabase;
let orgId: string;

beforeAll(async () => {
  database = await createTestDatabase("postgres");
  const parts = { db: database.db, clock: () => new Date() };
  orgId = await createOrg(parts, "own");
  for (const org of [orgId, await createOrg(parts, "other")]) {
    // Ids created in the same millisecond are not ordered.
    const ids = NAMES.map(createId).sort();
    for (const [n, name] of NAMES.entries()) {
      await sql`
        insert into users (org_id, id, kind, user_name, user_name_key, nick_name, sequence, created_at, changed_at)
        values (${org}, ${ids[n]}, 'machine', ${`u${n}`}, ${`u${n}`}, ${name || null}, 1,
          timestamptz '2026-01-01 00:00:00.000001+00' + ${Math.floor(n / 2)}::integer * interval '1 microsecond', now())`.execute(
        database.db,
      );
    }
  }
});
afterAll(() => database?.close());

const read = (order: readonly SortKey[], page: Partial<PageQuery> = {}, filters: RawBuilder<SqlBool>[] = []) =>
  listPage<{ name: string }>(
    database.db,
    {
      from: sql.table("users"),
      columns: { name: sql`coalesce(users.nick_name, '')` },
      scope: sql`users.org_id = ${orgId}`,
      filters,
      order,
    },
    { ...FIRST, ...page },
  );
const namesOf = async (...given: Parameters<typeof read>) => (await read(...given)).rows.map(({ name }) => name);

test.each([
  ["the id", [ID]],
  ["a text with nulls", [NICK_NAME, ID]],
  ["a time, to the microsecond", [CREATED, ID]],
  ["a number that all rows share", [KIND, ID]],
])("pages in the order of %s have each row once", async (_what, order) => {
  for (const ascending of [true, false]) {
    const expected = await namesOf(order, { ascending });
    expect(expected).toHaveLength(NAMES.length);
    for (const limit of [1, 3, 10]) {
      const names: string[] = [];
      let after: readonly string[] | undefined;
      do {
        const page = await read(order, { ascending, limit, after });
        expect(page.total).toBe(NAMES.length);
        names.push(...page.rows.map(({ name }) => name));
        after = page.last;
      } while (after !== undefined);
      expect(names).toEqual(expected);
    }
  }
});

test("texts are sorted by code points", async () => {
  expect(await namesOf([NICK_NAME, ID])).toEqual([...NAMES].sort());
});

test("an offset beyond the end returns the total without rows", async () => {
  expect(await read([ID], { offset: 10 })).toEqual({ rows: [], total: NAMES.length, last: undefined });
  expect(await namesOf([ID], { offset: 8 })).toEqual(NAMES.slice(8));
});

test("a filter cannot reach beyond the scope", async () => {
  expect(await read([ID], {}, [sql`false or true`])).toMatchObject({ total: NAMES.length });
  expect(await read([ID], {}, [sql`true`, sql`false or true`])).toMatchObject({ total: NAMES.length });
});

test.each<[TextMatch["part"], boolean, string, string[]]>([
  ["whole", false, "alpha", ["alpha"]],
  ["whole", true, "ALPHA", ["alpha", "Alpha"]],
  ["whole", false, "al%", []],
  ["whole", false, "", [""]],
  ["start", false, "al", ["alpha", "al_ha", "al%ha", "al\\ha"]],
  ["start", true, "al", ["alpha", "Alpha", "al_ha", "al%ha", "al\\ha", "ALPHABET"]],
  ["start", false, "al_", ["al_ha"]],
  ["start", false, "al%", ["al%ha"]],
  ["start", false, "al\\", ["al\\ha"]],
  ["start", false, "", NAMES],
  ["any", false, "ph", ["alpha", "Alpha"]],
  ["any", true, "pH", ["alpha", "Alpha", "ALPHABET"]],
  ["any", false, "_", ["al_ha"]],
  ["any", true, "%", ["al%ha"]],
  ["any", false, "\\", ["al\\ha"]],
  ["any", false, "", NAMES],
  ["end", false, "ha", ["alpha", "Alpha", "al_ha", "al%ha", "al\\ha"]],
  ["end", true, "HABET", ["ALPHABET"]],
  ["end", false, "%ha", ["al%ha"]],
  ["end", false, "_ha", ["al_ha"]],
  ["end", false, "\\ha", ["al\\ha"]],
  ["end", false, "", NAMES],
  ["whole", false, "Ünal", ["Ünal"]],
  ["start", false, "ΟΔΟΣ", ["ΟΔΟΣ"]],
])("%s, ignoring case: %s, matches %p", async (part, ignoresCase, text, expected) => {
  const column = sql<string>`coalesce(users.nick_name, '')`;
  const trigrams = foldCase(sql`'x' || coalesce(users.nick_name, '') || 'x'`);
  for (const indexes of [
    { isSorted: false },
    { isSorted: true },
    { isSorted: false, trigrams },
    { isSorted: true, trigrams },
  ]) {
    const filter = matchesText(searchedText(column, indexes), { part, ignoresCase }, text);
    expect(await namesOf([ID], {}, [filter])).toEqual(expected);
    expect((await namesOf([ID], {}, [sql`not (${filter})`])).sort()).toEqual(
      NAMES.filter((name) => !expected.includes(name)).sort(),
    );
  }
});
