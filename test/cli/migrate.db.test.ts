import { join } from "node:path";
import pg from "pg";
import { connect } from "../../src/database/connection.ts";
import { FIRST_MIGRATION, MIGRATIONS } from "../../src/database/migrate.ts";
import { createProcesses, onPostgres } from "../support/servers/process.ts";

/** The names of all migrations, in order. */
const NAMES = Object.keys(MIGRATIONS);
const LAST = NAMES.at(-1);

const processes = createProcesses();
afterAll(() => processes.close());

/** Records the time limit of every statement that creates a table. */
const NOTE_LIMITS = `
  create table limits (value text);
  create function note_limit() returns event_trigger language plpgsql as
    $$ begin insert into public.limits values (current_setting('statement_timeout')); end $$;
  create event trigger note_limit on ddl_command_start when tag in ('CREATE TABLE') execute function note_limit()`;

test.each(["migrate", "serve"] as const)("`signet %s` migrates without a time limit", async (command) => {
  const { url } = await processes.createDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(NOTE_LIMITS);
  const variables = { ...onPostgres(url), DATA_DIR: join(processes.root, command) };
  if (command === "serve") await (await processes.serve(variables)).stop();
  else
    expect(await processes.runHere(["migrate"], variables)).toMatchObject({
      code: 0,
      stdout: NAMES.map(
        (name) => `${name}
`,
      ).join(""),
    });
  const { rows } = await client.query("select value, count(*)::int as tables from limits group by value");
  await client.end();
  expect(rows).toEqual([{ value: "0", tables: expect.any(Number) }]);
  expect(rows[0].tables).toBeGreaterThan(8);
});

test("`migrate --check` lists pending and unknown migrations, changes nothing, and has an exit code for each case", async () => {
  const { url } = await processes.createDatabase();
  const check = (...options: string[]) => processes.runHere(["migrate", "--check", ...options], onPostgres(url));
  const client = new pg.Client(url);
  await client.connect();
  const empty = await check();
  expect(empty).toMatchObject({ code: 1, stderr: "" });
  expect(empty.stdout).toMatch(/^pending: 0082-tables\n(pending: \d{4}-[a-z-]+\n)*$/);
  expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);

  await processes.runHere(["migrate"], onPostgres(url));
  expect(await check()).toMatchObject({ code: 0, stdout: "no pending migrations\n" });
  expect(await check("--json")).toMatchObject({ code: 0, stdout: '{"pending":[],"unknown":[]}\n' });

  await client.query(`delete from kysely_migration where name = '${LAST}'`);
  expect(await check()).toMatchObject({ code: 1, stdout: `pending: ${LAST}\n` });
  await client.query("insert into kysely_migration values ('9999-of-the-future', '2100-01-01T00:00:00.000Z')");
  expect(await check()).toMatchObject({
    code: 2,
    stdout: `pending: ${LAST}\nunknown: 9999-of-the-future\n`,
  });
  expect(await check("--json")).toMatchObject({
    code: 2,
    stdout: `{"pending":["${LAST}"],"unknown":["9999-of-the-future"]}\n`,
  });
  await client.end();
});

test("`migrate --check` fails with exit code 2 if it cannot check", async () => {
  for (const [variables, problem] of [
    [onPostgres("postgres://signet@127.0.0.1:1/signet"), "the database cannot be reached: "],
    [{ DATA_DIR: join(processes.root, "nothing") }, "DATA_DIR is invalid: expected a folder with a database, "],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL is invalid: "],
  ] as const) {
    const outcome = await processes.runHere(["migrate", "--check"], variables);
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`signet: ${problem}`) });
  }
});

test("with MIGRATE_ON_START=false the service does not start until `signet migrate` has run", async () => {
  const { url } = await processes.createDatabase();
  const variables = { ...onPostgres(url), MIGRATE_ON_START: "false", DATA_DIR: join(processes.root, "job") };
  const refused = await processes.runHere(["serve"], variables);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^signet: the database has pending migrations, and MIGRATE_ON_START is false: run `signet migrate` first \(0082-tables.*\)\n$/,
  );
  expect(await processes.runHere(["migrate", "--check"], variables)).toMatchObject({ code: 1 });
  expect(await processes.runHere(["migrate"], variables)).toMatchObject({ code: 0 });
  expect(await (await processes.serve(variables)).stop()).toMatchObject({ code: 0 });
});

test("a connection for calls has a time limit", async () => {
  const { url } = await processes.createDatabase();
  const db = connect({ url }, 1, () => {});
  const limit = await db.selectNoFrom((eb) =>
    eb.fn<string>("current_setting", [eb.val("statement_timeout")]).as("value"),
  );
  expect(await limit.executeTakeFirst()).toEqual({ value: "10s" });
  await db.destroy();
});

describe("a database with migrations of a newer version", () => {
  /** Records a migration as a newer version does. */
  async function createNewer(name: string) {
    const { variables, address } = await processes.createInstallation(name);
    const client = new pg.Client("url" in address ? address.url : "");
    await client.connect();
    await client.query("insert into kysely_migration select $1, max(timestamp) || '1' from kysely_migration", [name]);
    await client.query("alter table users add column added_later text");
    await client.end();
    return variables;
  }

  test.each(["9998-later", "9998-remove-old-requires-0082"])("serves it after %s, and logs this", async (name) => {
    const variables = await createNewer(name);
    expect(await processes.runHere(["migrate"], variables)).toMatchObject({
      code: 0,
      stdout: "no pending migrations\n",
    });
    const server = await processes.serve(variables);
    expect(await processes.runHere(["org", "list"], variables)).toMatchObject({ code: 0 });
    const { code, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stderr).toContain(`"newer":["${name}"],"msg":"the database has migrations of a newer version"`);
  });

  test.each(["migrate", "serve", "org list"])(
    "`signet %s` refuses it if the tables lack what it uses",
    async (command) => {
      const name = "9999-remove-more-requires-9998";
      const variables = await createNewer(name);
      expect(await processes.runHere(command.split(" "), variables)).toMatchObject({
        code: 1,
        stderr: `signet: the database has the migration ${name} of a newer version of Signet, whose tables this version cannot use\n`,
      });
    },
  );
});

describe("a database of a version whose migrations were joined", () => {
  /** Records the migrations that such a version has run, instead of the one that has replaced them. */
  async function createEarlier(...names: string[]) {
    const { variables, address } = await processes.createInstallation(names.at(-1) ?? "");
    const client = new pg.Client("url" in address ? address.url : "");
    await client.connect();
    await client.query("insert into kysely_migration select unnest($1::text[]), min(timestamp) from kysely_migration", [
      names,
    ]);
    await client.query("delete from kysely_migration where name = $1", [FIRST_MIGRATION]);
    return { variables, client };
  }

  test("serves the tables of the last one", async () => {
    const { variables, client } = await createEarlier("0001-first-tables", "0081-optional-pkce");
    await client.end();
    const check = await processes.runHere(["migrate", "--check"], variables);
    expect(check).toMatchObject({ code: 0, stdout: "no pending migrations\n" });
    expect(await (await processes.serve(variables)).stop()).toMatchObject({ code: 0 });
    expect(await processes.runHere(["org", "list"], variables)).toMatchObject({ code: 0 });
  });

  test.each(["migrate", "serve", "org list"])("`signet %s` refuses those of earlier ones", async (command) => {
    const { variables, client } = await createEarlier("0001-first-tables", "0078-failed-sign-ins");
    await client.query("delete from kysely_migration where name > $1", [FIRST_MIGRATION]);
    await client.end();
    const problem =
      "the database has the migrations up to 0078-failed-sign-ins: expected 0081-optional-pkce or a later one; an earlier version of Signet runs them (docs/operate.md#migrations)";
    expect(await processes.runHere(command.split(" "), variables)).toMatchObject({
      code: 1,
      stderr: `signet: ${problem}\n`,
    });
  });
});
