import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import pg from "pg";
import { connect } from "../../src/database/connection.ts";
import { createProcesses, onPostgres } from "../support/process.ts";

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
      stdout:
        "0001-first-tables\n0002-delivery\n0003-states\n0004-user-search\n0005-user-changes\n0006-credentials\n0007-sign-in\n0008-idps-and-members\n0009-external-sign-in\n0010-second-factors\n",
    });
  const { rows } = await client.query("select value, count(*)::int as tables from limits group by value");
  await client.end();
  expect(rows).toEqual([{ value: "0", tables: expect.any(Number) }]);
  expect(rows[0].tables).toBeGreaterThan(8);
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
