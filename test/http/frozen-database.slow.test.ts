import pg from "pg";
import { processTree } from "../attack/process-tree.ts";
import { send } from "../support/clients/send.ts";
import { startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { createProcesses, onPostgres } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

/** The check waits for 2 s. Without that limit, it would end with the time limit of statements: 12 s. */
const LONGEST_MS = 10_000;

const processes = createProcesses();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres([]);
});
afterAll(async () => {
  await processes.close();
  await postgres.stop();
});

/** The process id of the server that is the parent of all its sessions. */
async function findServer(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  );
  await client.end();
  return Number(rows[0]?.pid);
}

/** Signals a process first, so that it starts no others, and then its descendants. */
function signalTree(root: number, name: NodeJS.Signals) {
  process.kill(root, name);
  for (const pid of processTree(root)) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // A PostgreSQL process, such as an autovacuum worker, may have ended since it was listed.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

test("while PostgreSQL is frozen, each /readyz returns 503 long before a statement's time limit, and 200 once it runs again", async () => {
  const url = postgres.urlOf("postgres");
  const { origin } = await processes.serve(onPostgres(url));
  const server = await findServer(url);
  expect(processTree(server).length).toBeGreaterThan(2);
  const ask = async () => (await send(origin, "GET", "/readyz")).status;
  const slow: number[] = [];
  const askWhileFrozen = async () => {
    const askedAt = performance.now();
    const status = await ask();
    const ms = performance.now() - askedAt;
    if (ms > LONGEST_MS) slow.push(ms);
    return status;
  };
  await until("the service is ready", async () => (await ask()) === 200);
  try {
    signalTree(server, "SIGSTOP");
    await until("the previous result has expired", async () => (await askWhileFrozen()) === 503);
    expect([await askWhileFrozen(), await askWhileFrozen(), await askWhileFrozen()]).toEqual([503, 503, 503]);
  } finally {
    signalTree(server, "SIGCONT");
  }
  await until("the service is ready again", async () => (await ask()) === 200);
  expect(slow).toEqual([]);
});
