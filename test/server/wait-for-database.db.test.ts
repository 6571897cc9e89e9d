import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { send } from "../support/clients/send.ts";
import { createProcesses, onPostgres } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

/** Waits until a starting service has logged that it waits, and returns the problem. */
async function waits(started: ReturnType<typeof processes.spawn>): Promise<string | undefined> {
  const line = await until("it waits", () => {
    if (started.child.exitCode !== null) throw new Error(`it ended: ${started.stderr()}`);
    return (
      started
        .stderr()
        .split("\n")
        // The last line may be incomplete.
        .slice(0, -1)
        .find((text) => text.includes("waiting for the database"))
    );
  });
  return JSON.parse(line).problem;
}

async function serves(started: ReturnType<typeof processes.spawn>): Promise<void> {
  const [, origin = ""] = await until("it serves", () => /^ {2}API +(\S+)$/m.exec(started.stdout()));
  await until("it is ready", async () => (await send(origin, "GET", "/readyz")).status === 200);
  expect(await started.stop()).toMatchObject({ code: 0 });
}

// A proxy that has not checked its servers yet forwards connections to a standby too.
test.each([["1"], ["2"]])("a start with --workers %s waits for a read-only database", async (workers) => {
  const { url, name, outside } = await processes.createDatabase();
  await outside(`alter database ${name} set default_transaction_read_only = on`);
  const started = processes.spawn(["serve", "--workers", workers], onPostgres(url));
  expect(await waits(started)).toBe("cannot use the database at DATABASE_URL: it is read-only (SQLSTATE 25006)");
  await outside(`alter database ${name} reset default_transaction_read_only`);
  await serves(started);
});

test("a start waits for a proxy that closes all connections", async () => {
  const { url } = await processes.createDatabase();
  const target = new URL(url);
  let hasServer = false;
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    if (!hasServer) {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) sockets.push(socket.on("error", () => {}));
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  try {
    const started = processes.spawn(["serve"], onPostgres(url.replace(target.host, `127.0.0.1:${port}`)));
    await waits(started);
    hasServer = true;
    await serves(started);
  } finally {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
});
