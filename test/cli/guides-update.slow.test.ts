import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { createProcesses, onPostgres } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { createPageCommands } from "./page-commands.ts";

const processes = createProcesses();
afterAll(() => processes.close());

test("the commands of docs/guides/update.md migrate a database, start a new process beside an old one, and check it", async () => {
  const { url } = await processes.createDatabase();
  const port = await freePort();
  const dataDir = join(processes.root, "data");
  const variables = { ...onPostgres(url), MIGRATE_ON_START: "false", ADMIN_TOKEN_FILE: join(dataDir, "admin.token") };
  const options = { origin: `http://localhost:${port}`, dataDir, ports: { 8082: port }, variables };
  const commands = createPageCommands("docs/guides/update.md", options);
  try {
    expect(await commands.run("npx signet migrate --check", 1)).toMatch(/^pending: 0082-tables\n/);
    expect(await commands.run("npx signet migrate\n")).toMatch(/^0082-tables\n/);
    const old = await processes.serve({ ...variables, DATA_DIR: dataDir });
    await commands.outputOf("npx signet serve", new RegExp(`localhost:${port}`));
    await until(
      "the new process listens",
      async () => (await fetch(`${options.origin}/readyz`).catch(() => undefined))?.ok,
    );
    expect(await commands.run("readyz")).toContain("no pending migrations\n");
    await old.stop();
  } finally {
    commands.close();
  }
});
