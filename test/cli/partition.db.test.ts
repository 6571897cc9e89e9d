import { join } from "node:path";
import pg from "pg";
import { createProcesses, onPostgres } from "../support/servers/process.ts";
import { createSignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
afterAll(() => processes.close());

test("`signet database partition` partitions a database that is migrated and not in use", async () => {
  const { url } = await processes.createDatabase();
  const { json, expectFailure } = createSignetCommands(processes.runHere, {
    ...onPostgres(url),
    DATA_DIR: join(processes.root, "data"),
  });
  const partition = ["database", "partition", "--partitions", "3"];
  await expectFailure(partition, "the database has pending migrations; run `signet migrate` first");
  await json("migrate");

  const client = new pg.Client({ connectionString: url, application_name: "signet" });
  await client.connect();
  await expectFailure(partition, "Signet is connected to the database (1 sessions); stop it first");
  await client.end();

  expect(await json(...partition)).toEqual({ partitions: 3 });
  await expectFailure(partition, "the tables are partitioned already: each has 3 partitions");
  expect(await json("migrate")).toEqual({ ran: [] });
});

test("`signet database partition` rejects the embedded database and invalid numbers of partitions", async () => {
  const { signet, expectFailure } = createSignetCommands(processes.runHere, {});
  const partition = ["database", "partition", "--partitions"];
  await expectFailure([...partition, "4"], "DATABASE_URL is not set: the embedded database cannot be partitioned");
  for (const number of ["1", "129", "4.5", ""]) {
    expect(await signet(...partition, number)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected an integer from 2 to 128."),
    });
  }
});
