import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import pg from "pg";
import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { ListUsersRequestSchema } from "../../../gen/signet/v1/user_read_pb.js";
import { type SearchQuery, SearchQuerySchema, UserFieldName } from "../../../gen/signet/v1/user_search_pb.js";
import { createId } from "../../../src/crypto/secrets.ts";
import type { Database } from "../../../src/database/database.ts";
import { createOrg } from "../../../src/orgs/change-org.ts";
import { toUserSearch } from "../../../src/rpc/messages/user.ts";
import { findTakenValues } from "../../../src/users/read/find-taken-values.ts";
import { listUsers } from "../../../src/users/read/list-users.ts";
import { createTestDatabase, type TestDatabase, watchQueries } from "../../support/databases/database.ts";
import { createPrincipalCall } from "../../support/operations/principal.ts";

const USERS = 20_000;
const { CONTAINS, EQUALS, EQUALS_IGNORE_CASE, ENDS_WITH, STARTS_WITH, STARTS_WITH_IGNORE_CASE } = TextQueryMethod;

const IDP_ID = createId();

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let orgId: string;
const sent: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  database = await createTestDatabase("postgres");
  const { address } = database;
  if (!("url" in address)) throw new Error("the database has no URL");
  pool = new pg.Pool({ connectionString: address.url, max: 1 });
  pool.on("error", () => {});
  db = watchQueries(database.db, ({ sql: text, parameters }) => void sent.push({ text, values: [...parameters] }));
  const parts = { db: database.db, clock: () => new Date() };
  await createOrg(parts, "other");
  orgId = await createOrg(parts, "own");
  // Not limited in time, as statements of the service are.
  await pool.query(`
    insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
      phone, phone_verified, sequence, created_at, changed_at)
    select orgs.id, gen_random_uuid(), 'human', 'user-' || n, 'user-' || n, 'First' || n, 'Last' || n, 'First' || n || ' Last' || n,
      0, 'mail' || n || '@example.com', '+4179' || to_char(n, 'FM0000000'), n % 2 = 0, 1, now() + n * interval '1 second', now()
    from orgs, generate_series(1, ${USERS}) as n`);
  await sql`insert into master_keys (id, created_at) values ('', now())`.execute(database.db);
  await sql`
    insert into idps (owner_id, id, name, styling_type, client_id, client_secret, client_secret_key, issuer, scopes,
      display_name_mapping, username_mapping, auto_register, state, sequence, created_at, changed_at)
    values (${orgId}, ${IDP_ID}, 'Example', 0, 'client', '', '', 'https://idp.example.com', '{}', 0, 0, false, 'active', 1, now(), now())`.execute(
    database.db,
  );
  await pool.query(
    `insert into user_idp_links (org_id, idp_id, external_user_id, idp_owner_id, user_id, display_name, created_at)
    select org_id, $1, 'sub-' || user_name, $2, id, '', now() from users where org_id = $2`,
    [IDP_ID, orgId],
  );
  await pool.query(`
    insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
    select org_id, id, key, convert_to(value, 'UTF8'), 1, now(), now() from users
    cross join lateral (values ('external_id', user_name), ('plan', 'gold')) as stored (key, value)`);
  await pool.query("insert into verified_phones select org_id, id, phone from users where phone_verified");
  await pool.query(
    "insert into user_subjects (user_id, org_id, subject) select id, org_id, 'sub-' || user_name from users where org_id = $1",
    [orgId],
  );
  await pool.query(
    "vacuum analyze users, user_idp_links, user_metadata, user_subjects, verified_phones, unverified_phones",
  );
});
afterAll(async () => {
  await pool?.end();
  await database?.close();
});

interface Found {
  readonly names: string[];
  readonly plan: string;
}

/** Runs a search, and explains the statement that it sent. */
async function search({
  limit = 5,
  ...request
}: {
  limit?: number;
  sortingColumn?: UserFieldName;
  queries?: SearchQuery[];
}): Promise<Found> {
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  const message = create(ListUsersRequestSchema, { query: { limit, asc: true }, ...request });
  sent.length = 0;
  const { rows: users } = await listUsers(
    { db, clock: () => new Date() },
    toUserSearch(message, problems, ListUsersRequestSchema),
    newCall(),
  );
  return { names: users.map(({ user_name: userName }) => userName), plan: await explainSent() };
}

const newCall = () => createPrincipalCall({ orgId, userId: createId(), instanceId: createId() });

/** The plan of the statement that was sent. */
async function explainSent(): Promise<string> {
  const [statement] = sent;
  if (statement === undefined) throw new Error("no statement was sent");
  const { rows } = await pool.query(`explain (analyze, costs off, timing off) ${statement.text}`, statement.values);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

const email = (emailAddress: string, method: TextQueryMethod) =>
  create(SearchQuerySchema, { query: { case: "emailQuery", value: { emailAddress, method } } });
const userName = (name: string, method: TextQueryMethod) =>
  create(SearchQuerySchema, { query: { case: "userNameQuery", value: { userName: name, method } } });
const firstName = (name: string, method: TextQueryMethod) =>
  create(SearchQuerySchema, { query: { case: "firstNameQuery", value: { firstName: name, method } } });

test.each([
  ["creation", UserFieldName.UNSPECIFIED, "users__by_creation"],
  ["user name", UserFieldName.USER_NAME, "users__user_name"],
  ["last name", UserFieldName.LAST_NAME, "users__by_last_name"],
  ["display name", UserFieldName.DISPLAY_NAME, "users__by_display_name"],
  ["email address", UserFieldName.EMAIL, "users__by_email"],
])("a list sorted by %s reads an index in its order", async (_what, sortingColumn, index) => {
  const { plan, names } = await search({ sortingColumn });
  expect(names).toHaveLength(5);
  // The page reads only the rows that it returns, and one or two more to detect the last page. The count may read the
  // table instead: that depends on when the table was vacuumed.
  expect(plan).toMatch(new RegExp(`Index Scan using ${index} on users .*rows=(6|7) `));
});

test.each([
  ["an email address", email("mail7@example.com", EQUALS), "users__by_email", ["user-7"]],
  [
    "an email address regardless of case",
    email("MAIL7@example.com", EQUALS_IGNORE_CASE),
    "users__by_email",
    ["user-7"],
  ],
  ["the beginning of an email address", email("mail1999", STARTS_WITH), "users__by_email", undefined],
  ["the beginning of a user name", userName("USER-777", STARTS_WITH_IGNORE_CASE), "users__user_name", undefined],
  ["a part of an email address", email("il777@", CONTAINS), "users__trigrams", ["user-777"]],
  ["the end of a user name", userName("-777", ENDS_WITH), "users__trigrams", ["user-777"]],
  ["a first name", firstName("First777", EQUALS), "users__trigrams", ["user-777"]],
  ["the beginning of a first name", firstName("First777", STARTS_WITH), "users__trigrams", undefined],
] as const)("a search for %s reads an index", async (_what, query, index, found) => {
  const { plan, names } = await search({ queries: [query] });
  if (found !== undefined) expect(names).toEqual(found);
  else expect(names).not.toHaveLength(0);
  // The index finds the text, not only the organization.
  expect(plan).toMatch(new RegExp(`${index} .*\\(actual rows=\\d{1,2} `));
  expect(plan).not.toMatch(/Seq Scan on users|users__by_creation/);
});

const link = { idpId: IDP_ID, externalUserId: "sub-user-777" };
const metadata = { key: "external_id", value: Buffer.from("user-777"), method: EQUALS };

test.each([
  ["a link", { case: "idpLinkQuery", value: link }, "user_idp_links__pkey"],
  ["metadata", { case: "metadataQuery", value: metadata }, "user_metadata__(?:value|external_id)"],
] as const)("a search for %s starts with it", async (_what, query, index) => {
  const { plan, names } = await search({ queries: [create(SearchQuerySchema, { query })] });
  expect(names).toEqual(["user-777"]);
  // Once for the page and once for the count, not once for each user.
  expect(plan.match(new RegExp(`${index} .*\\(actual rows=1 loops=1\\)`, "g"))).toHaveLength(2);
  expect(plan).not.toMatch(/Seq Scan|users__by_creation/);
});

test("a search for the beginning of an id starts with the key", async () => {
  const { id } = await database.db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", orgId)
    .where("user_name", "=", "user-777")
    .executeTakeFirstOrThrow();
  const query = { case: "idPrefixQuery", value: { idPrefix: id.slice(0, 18).toUpperCase() } } as const;
  const { plan, names } = await search({ queries: [create(SearchQuerySchema, { query })] });
  expect(names).toEqual(["user-777"]);
  expect(plan).toMatch(/users__pkey/);
  expect(plan).not.toMatch(/Seq Scan|users__by_creation/);
});

const phone = (number: string, method: TextQueryMethod) =>
  create(SearchQuerySchema, { query: { case: "phoneQuery", value: { phone: number, method } } });

test.each([
  ["a verified phone number", phone("+41 79 000 07 78", EQUALS), ["user-778"]],
  ["an unverified phone number", phone("+41 79 000 07 77", EQUALS), ["user-777"]],
  [
    "the beginning of ten phone numbers",
    phone("+41 79 000 077", STARTS_WITH),
    [0, 1, 2, 3, 4].map((n) => `user-77${n}`),
  ],
] as const)("a search for %s starts with the numbers", async (_what, query, found) => {
  const { plan, names } = await search({ queries: [query] });
  expect(names).toEqual(found);
  // Once for the page and once for the count, not once for each user.
  for (const table of ["verified_phones", "unverified_phones"]) {
    expect(plan.match(new RegExp(` ${table}__phone .*loops=1\\)`, "g"))).toHaveLength(2);
  }
  expect(plan).not.toMatch(/Seq Scan|users__by_creation|rows=\d{3}/);
});

test("a search for 20 subjects starts with them", async () => {
  const subjects = Array.from({ length: 20 }, (_, n) => `sub-user-${n + 1}`);
  const queries = subjects.map((subject) =>
    create(SearchQuerySchema, { query: { case: "subjectQuery", value: { subject } } }),
  );
  const any = create(SearchQuerySchema, { query: { case: "orQuery", value: { queries } } });
  const { plan, names } = await search({ limit: 100, queries: [any] });
  expect(names).toEqual(Array.from({ length: 20 }, (_, n) => `user-${n + 1}`));
  // Once for the page and once for the count.
  expect(plan.match(/user_subjects__subject .*loops=1\)/g)).toHaveLength(40);
  expect(plan).not.toMatch(/Seq Scan|users__by_creation|rows=\d{3}/);
});

test("the look-ups before an import read one row of an index for each value", async () => {
  const users = Array.from({ length: 50 }, (_, n) => ({
    externalId: Buffer.from(`new-${n}`),
    userName: n === 0 ? "user-777" : `new-${n}@example.com`,
    email: { email: `other-${n}@example.com`, isEmailVerified: true },
    phone: { phone: `+4179000${1000 + n}`, isPhoneVerified: true },
    subject: `sub-user-${n}`,
    idps: [{ configId: IDP_ID, externalUserId: `new-${n}` }],
  }));
  sent.length = 0;
  const [first] = await findTakenValues({ db }, { users }, newCall());
  expect(first?.taken.map(({ field }) => field)).toEqual(["userName"]);
  const plan = await explainSent();
  for (const index of [
    "user_metadata__external_id",
    "users__user_name",
    "user_subjects__subject",
    "user_idp_links__pkey",
  ]) {
    expect(plan).toMatch(new RegExp(` ${index} .*\\(actual rows=[01] loops=50\\)`));
  }
  expect(plan).not.toMatch(/Seq Scan|Rows Removed/);
});
