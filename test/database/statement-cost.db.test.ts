import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import pg from "pg";
import { IMPORT_FORMS, toImportRequest, toPhoneNumber } from "../../bench/data.ts";
import { createRelyingParty } from "../../bench/relying-party.ts";
import { createTokenSecret } from "../../src/crypto/secrets.ts";
import { createCaller, type Rpc } from "../support/clients/callers.ts";
import { IDP, PASSWORD } from "../support/clients/requests.ts";
import { startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { findPrograms } from "../support/databases/postgres-programs.ts";
import { createProcesses, onPostgres, readToken } from "../support/servers/process.ts";

/** PostgreSQL compiles every statement of a session that does not switch that off, and counts how often it plans each. */
const SETTINGS = [
  "fsync=off",
  "autovacuum=off",
  "shared_preload_libraries=pg_stat_statements",
  "pg_stat_statements.track_planning=on",
  "jit=on",
  "jit_above_cost=0",
];

const CALLS = 25;
/** A statement that runs this often is hot. */
const HOT = 20;
/** Not the statements that look for due work every few seconds, which are planned each time. */
const TABLES = String.raw`\y(users|tokens|codes|oidc_artifacts|rate_limits)\y`;
/**
 * PostgreSQL plans a prepared statement for the values of its first five runs, once for all values, and again after each
 * time that the server has analyzed a table (`choose_custom_plan` in plancache.c), on a slow machine up to four times. The server has one connection, which may have
 * prepared two statements that differ in a number: those that claim emails and SMS.
 */
const PLANS = 2 * (5 + 1 + 4);

interface Statement {
  readonly query: string;
  readonly plans: number;
  readonly compiled: number;
}

const processes = createProcesses();
let postgres: TestPostgres;
let hot: readonly Statement[];

beforeAll(async () => {
  postgres = await startPostgres(SETTINGS.flatMap((setting) => ["-c", setting]));
  const client = new pg.Client(postgres.urlOf("postgres"));
  await client.connect();
  await client.query("create extension pg_stat_statements");
  const dataDir = join(processes.root, "data");
  const { origin } = await processes.serve({
    ...onPostgres(postgres.urlOf("postgres")),
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: "1",
    SMS_PROVIDER: "file",
    TRUSTED_PROXIES: "127.0.0.1",
    PASSKEY_OFFER: "never",
  });
  // Without the migrations.
  await client.query("select pg_stat_statements_reset()");
  await makeCalls(origin, readToken(join(dataDir, "admin.token")), await createRelyingParty(client));
  const { rows } = await client.query<Statement>(
    `select query, plans::int, jit_functions::int as compiled from pg_stat_statements
     where calls >= $1 and query ~ $2 and dbid = (select oid from pg_database where datname = current_database())`,
    [HOT, TABLES],
  );
  hot = rows;
  await client.end();
});
afterAll(async () => {
  await processes.close();
  await postgres?.stop();
});

/** Every form of an import and of a phone change, look-ups of tokens, and sign-ins with a password. */
async function makeCalls(origin: string, token: string, app: Awaited<ReturnType<typeof createRelyingParty>>) {
  const caller = createCaller("grpc", { origin, responses: [] }, token);
  const call = async (rpc: Rpc, request: object) => {
    const outcome = await caller.call(rpc, request as JsonObject);
    if (!outcome.ok) throw new Error(`${rpc}: ${outcome.message}`);
    return outcome.message;
  };
  const { idpId } = await call("AddOIDCIDP" as Rpc, IDP);
  const { userId } = await call("ImportHumanUser", toImportRequest(1, PASSWORD));
  for (let number = 100; number < 100 + CALLS; number++) {
    for (const [index, form] of Object.values(IMPORT_FORMS).entries()) {
      const own = number + 1_000 * index;
      await call("ImportHumanUser", { ...toImportRequest(own), ...form(own, String(idpId)) });
    }
    await call("UpdateHumanPhone", { userId, phone: toPhoneNumber(number), isPhoneVerified: true });
    await call("UpdateHumanPhone", { userId, phone: toPhoneNumber(number + CALLS) });
    await caller.call("GetUserByID", { id: String(userId) }, { authorization: `Bearer ${createTokenSecret()}` });
    await app.signIn(Number(new URL(origin).port), "user-1", PASSWORD);
  }
  caller.close();
}

test.each([
  ["imports", /insert into "?users"?/],
  ["phone changes", /"planned"/],
  ["look-ups of tokens", /as "holder"/],
  ["sign-ins", /oidc_artifacts/],
])("there are hot statements of %s", (_, pattern) => {
  expect(hot.some(({ query }) => pattern.test(query))).toBe(true);
});

test("no hot statement is planned at each call", () => {
  expect(hot.filter(({ plans }) => plans > PLANS)).toEqual([]);
});

const hasCompiler = findPrograms().has("llvmjit");
(hasCompiler ? test : test.skip)(
  `no hot statement is compiled${hasCompiler ? "" : " (skipped: this PostgreSQL has no JIT)"}`,
  () => {
    expect(hot.filter(({ compiled }) => compiled > 0)).toEqual([]);
  },
);
