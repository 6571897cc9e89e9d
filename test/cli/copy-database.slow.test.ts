import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import * as client from "openid-client";
import { openPool } from "../../src/database/connection.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import { FIRST_MIGRATION } from "../../src/database/migrate.ts";
import { tables } from "../../src/database/migrations/0082-tables.ts";
import { requestOptionsOf, submitPasskey } from "../support/browsers/passkeys.ts";
import { createPerson } from "../support/browsers/person.ts";
import { allRows, createVisitor, VISITED } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import type { TestDatabase } from "../support/databases/database.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { type OtherProviders, passProvider, startOtherProviders } from "../support/oidc/other-provider.ts";
import { createRequest, redeem } from "../support/oidc/relying-party.ts";
import { createProcesses } from "../support/servers/process.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";
import { countRows, fillEveryTable, importOnce, listUsers, oneTimeCode, PASSWORD } from "./every-table.ts";

const processes = createProcesses();
const masterKey = randomBytes(32);
let dataDir: string;
let providers: OtherProviders;
let target: EmptyDatabase;
let before: TestService;
let state: Awaited<ReturnType<typeof fillEveryTable>>;
let rows: Record<string, string>;
let counts: Record<string, number>;

beforeAll(async () => {
  providers = await startOtherProviders();
  target = await processes.createDatabase();
  dataDir = processes.dataDir("trial");
  writeFileSync(join(dataDir, "master.key"), masterKey.toString("base64"), { mode: 0o600 });
  const { socketDir, close } = await startEmbedded(dataDir);
  const database = openDatabase({ socketDir });
  before = await startService(
    "embedded",
    { ...VISITED, DATA_DIR: dataDir },
    { existing: { database, masterKey, port: 0 } },
  );
  state = await fillEveryTable(before, providers);
  counts = await countRows(before);
  rows = await withoutXmin(before);
  await before.close();
  await close();
});
afterAll(async () => {
  await processes.close();
  await providers?.close();
});

function openDatabase(address: TestDatabase["address"]): TestDatabase {
  return { address, ...openPool(address, 4, () => {}) };
}

async function withoutXmin(service: Pick<TestService, "db">) {
  const tables = await allRows(service as TestService);
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => !name.startsWith("kysely_"))
      .map(([name, text]) => [name, text.replaceAll(/^\d+/gm, "").split("\n").sort().join("\n")]),
  );
}

const copyArguments = () => ["database", "copy", "--to", target.url];
const environment = () => ({ DATA_DIR: dataDir });

test("the trial has rows in every table", () => {
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});

test.each([
  [
    "another master key",
    { MASTER_KEY: randomBytes(32).toString("base64") },
    /^signet: MASTER_KEY is another key: .* use that of ".*master\.key"\n$/,
  ],
  [
    "no database in DATA_DIR",
    { DATA_DIR: "elsewhere" },
    /^signet: DATA_DIR is invalid: expected a folder with a database, got ".*elsewhere"\n$/,
  ],
])("nothing is copied with %s", async (_title, variables, message) => {
  const { code, stdout, stderr } = await processes.run(copyArguments(), { ...environment(), ...variables });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
  const database = openDatabase({ url: target.url });
  expect(await countRows(database)).toEqual({});
  await database.close();
});

describe("killed", () => {
  /** Statements that make the copy wait for the advisory lock 1 when it writes to a table, or when it commits. */
  const waiting = (table: string, when: string) => sql.raw(`${when} on ${table}`);
  const WAIT = sql`create or replace function wait() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return null; end $$`;

  test.each([
    ["in the first table", waiting("apps", "create trigger wait before insert"), "statement", true],
    ["in the middle", waiting("users", "create trigger wait after insert"), "statement", true],
    ["in the last table", waiting("messages", "create trigger wait after insert"), "statement", true],
    ["at the commit", waiting("messages", "create constraint trigger wait after insert"), "row", false],
  ])("%s, the copy is complete, or there is none", async (_title, trigger, each, isEmpty) => {
    const database = openDatabase({ url: target.url });
    if (Object.keys(await countRows(database)).length === 0) {
      expect((await processes.runHere(["migrate"], { ...onTarget() })).code).toBe(0);
    }
    await WAIT.execute(database.db);
    const deferred = sql.raw(each === "row" ? "deferrable initially deferred" : "");
    await sql`${trigger} ${deferred} for each ${sql.raw(each)} execute function wait()`.execute(database.db);
    await database.db.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock(1)`.execute(holder);
      const copying = processes.spawn(copyArguments(), environment());
      await until("the copy waits", async () => {
        if (copying.child.exitCode !== null) throw new Error(copying.stderr());
        const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(holder);
        return rows.length > 0;
      });
      expect(await copying.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
      await sql`select pg_advisory_unlock(1)`.execute(holder);
    });
    await until("the server has ended the transaction", async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(database.db);
      return rows.length === 0;
    });
    const left = Object.values(await countRows(database)).reduce((sum, count) => sum + count, 0);
    expect(left).toBe(isEmpty ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0));
    await sql`drop function wait cascade`.execute(database.db);
    await database.close();
  });

  test("the copy is run again, and has every row", async () => {
    const { code, stdout, stderr } = await processes.run([...copyArguments(), "--json"], environment());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const masterKeyFile = join(dataDir, "master.key");
    expect(JSON.parse(stdout)).toMatchObject({ instanceId: before.instanceId, wasComplete: true, masterKeyFile });
    expect(stdout).not.toContain(masterKey.toString("base64"));
    const database = openDatabase({ url: target.url });
    expect(await withoutXmin(database)).toEqual(rows);
    await database.close();
  });
});

test("a database of an older version is not copied before it is migrated", async () => {
  const DATA_DIR = processes.dataDir("older");
  const { socketDir, close } = await startEmbedded(DATA_DIR);
  const database = openDatabase({ socketDir });
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(database.db);
  await database.close();
  await close();
  const { code, stderr } = await processes.run(copyArguments(), { DATA_DIR });
  const advice = "run `signet migrate` without DATABASE_URL first";
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `signet: the database in DATA_DIR has pending migrations; ${advice}\n`,
  });
});

test("the target of an older version is migrated first, and the output says what to do next", async () => {
  const { url } = await processes.createDatabase();
  const database = openDatabase({ url });
  const provider = { getMigrations: async () => ({ [FIRST_MIGRATION]: tables }) };
  expect((await new Migrator({ db: database.db, provider }).migrateToLatest()).error).toBeUndefined();
  const { code, stdout, stderr } = await processes.run(["database", "copy"], { ...environment(), ...onTarget(url) });
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({
    code: 0,
    lines: expect.arrayContaining([`users: ${counts.users} of ${counts.users} rows`]),
  });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(stdout).toMatch(
    new RegExp(`^copied ${total} rows of ${Object.keys(counts).length} tables in [\\d.]+ s; .*\n`),
  );
  expect(stdout).toMatch(/^master key: the service needs the same MASTER_KEY .* \(id [0-9a-f]{16}\)$/m);
  expect(stdout).not.toContain(masterKey.toString("base64"));
  expect(await withoutXmin(database)).toEqual(rows);
  await database.close();
});

/** The variables of commands on the target. */
function onTarget(url = target.url) {
  return { DATABASE_URL: url, PUBLIC_URL: before.config.publicUrl, MASTER_KEY: masterKey.toString("base64") };
}

describe("on the copy", () => {
  let service: TestService;
  beforeAll(async () => {
    const database = openDatabase({ url: target.url });
    const existing = { database, masterKey, port: before.port };
    service = await startService("postgres", { ...VISITED, DATA_DIR: dataDir }, { existing });
    service.clockOffsetMs = 30_000;
  });
  afterAll(() => service?.close());

  test("tokens of services work", async () => {
    const caller = createCaller("grpc", service, state.robot.token);
    expect(await caller.call("GetUserByID", { id: state.robot.userId })).toMatchObject({ ok: true });
    caller.close();
  });

  test("a call is repeated with its idempotency key", async () => {
    expect(await importOnce(service)).toMatchObject({
      ok: true,
      message: state.imported.ok ? state.imported.message : {},
    });
  });

  test("a list continues after its first page", async () => {
    const whole = await listUsers(service);
    expect(whole.ids).toEqual(state.firstPage.ids);
    const { ids } = await listUsers(service, state.firstPage.next);
    expect(ids).toHaveLength(2);
    expect(ids).not.toEqual(expect.arrayContaining([whole.ids[0]]));
  });

  test("a session continues, and tokens of an application are used and refreshed", async () => {
    const { person, accessToken, refreshToken } = state.ada;
    expect((await person.open("/ui/account")).title).toBe("Your account");
    const { configuration } = state.app;
    const { sub } = await client.fetchUserInfo(configuration, accessToken, client.skipSubjectCheck);
    const refreshed = await client.refreshTokenGrant(configuration, refreshToken);
    expect(refreshed.claims()?.sub).toBe(sub);
  });

  test("users sign in with a password and a one-time code, a recovery code, a passkey, and another provider", async () => {
    const signIn = async (username: string) => {
      const person = createPerson(service);
      return { person, gate: await person.submit(await person.open("/ui/account"), { username, password: PASSWORD }) };
    };
    const ada = await signIn("ada");
    expect((await ada.person.submit(ada.gate, { code: oneTimeCode(service) })).title).toBe("Your account");
    const carol = await signIn("carol");
    const { recoveryCode: recovery } = state.carol;
    expect((await carol.person.submit(carol.gate, { recovery })).title).toBe("Your account");

    const dave = createPerson(service);
    const page = await dave.open(createRequest(state.app).url);
    const { authenticator, userHandle } = state.dave;
    const response = authenticator.get(requestOptionsOf(page).challenge, { userHandle });
    expect((await submitPasskey(dave, page, response)).url.searchParams.has("code")).toBe(true);

    const { person, atProvider, request } = state.grace;
    const done = await person.open(await passProvider(atProvider));
    const tokens = await redeem(service, state.app, done.url, request);
    expect(tokens.claims()).toMatchObject({ amr: ["fed"] });
  });

  test("links in emails from before the copy work, and so do the digits of an SMS", async () => {
    for (const { path } of [state.erin, state.frank]) {
      const visitor = createVisitor(service);
      expect((await visitor.open(path)).status).toBe(200);
      const [, code = ""] = path.split("code=");
      const fields = { code, password: "difference engine no. 2", repeat: "difference engine no. 2" };
      expect(await visitor.post("/ui/init", fields)).toMatchObject({ status: 200 });
    }
    const { code, digits } = state.dave.sms;
    const answer = await createVisitor(service).post("/ui/phone", { code, digits });
    expect(answer).toMatchObject({ status: 200, title: "All done" });
  });

  test("waiting messages are sent, and none is sent twice", async () => {
    const before = mailFiles();
    expect(before.map(({ recipient }) => recipient)).toContain("erin");
    await service.delivery.deliverDue();
    const after = mailFiles();
    // A message that is sent again replaces its file.
    expect(after.filter(({ name }) => before.some((file) => file.name === name))).toEqual(before);
    expect(after.map(({ recipient }) => recipient)).toContain("once");
    const unsent = await service.db.selectFrom("messages").select("id").where("state", "=", "waiting").execute();
    expect(unsent).toEqual([]);
  });

  test("the copy is rejected once the service has changed something", async () => {
    const { code, stderr } = await processes.run(copyArguments(), environment());
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^signet: the target database contains this instance already, and the table \w+ differs: .*\n$/,
      ),
    });
  });
});

function mailFiles() {
  const folder = join(dataDir, "mail");
  return readdirSync(folder).map((name) => ({
    name,
    recipient: /^To: .*?([\w-]+)@/m.exec(readFileSync(join(folder, name), "utf8"))?.[1],
    writtenAt: statSync(join(folder, name)).mtimeMs,
  }));
}
