import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { PostgresClient } from "../../src/database/postgres-client.ts";

const TIMEOUT_MS = 300;

const url = new URL(process.env.TEST_POSTGRES_URL ?? "");
/** Forwards the bytes of the server while `isForwarding`, and drops them otherwise. */
let network: Server;
let isForwarding = true;
beforeAll(async () => {
  network = createServer((client: Socket) => {
    const server = connect(Number(url.port), url.hostname).on("error", () => client.destroy());
    client.on("error", () => server.destroy()).pipe(server);
    server.on("data", (bytes) => void (isForwarding && client.write(bytes)));
    client.on("close", () => server.destroy());
  });
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void network.close());

/** @param responseTimeoutMs By default, longer than any response takes on a busy machine. */
async function openClient(responseTimeoutMs = 60_000): Promise<PostgresClient> {
  isForwarding = true;
  const through = new URL(url);
  through.host = `127.0.0.1:${(network.address() as AddressInfo).port}`;
  const client = new PostgresClient({ connectionString: through.href, responseTimeoutMs });
  client.on("error", () => {});
  await client.connect();
  return client;
}

test("a statement without a response fails, and its connection is closed", async () => {
  const client = await openClient(TIMEOUT_MS);
  isForwarding = false;
  const startedAt = performance.now();
  const error = await client
    .run({ sql: "select $1::text as response", parameters: ["a"] })
    .catch((failure: Error) => failure);
  expect(error).toMatchObject({ message: "query read timeout" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(TIMEOUT_MS - 50);
  expect(client.isSpent).toBe(true);
  await expect(client.run({ sql: "select $1::text as response", parameters: ["b"] })).rejects.toThrow("not queryable");
});

test("an idle connection stays open", async () => {
  const client = await openClient();
  expect((await client.run({ sql: "select $1::text as response", parameters: ["a"] })).rows).toEqual([
    { response: "a" },
  ]);
  // The time passes on the connection itself: no response would be sure to arrive within a short limit.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(1);
  await once(stream, "timeout");
  stream.setTimeout(60_000);
  expect((await client.run({ sql: "select $1::text as response", parameters: ["b"] })).rows).toEqual([
    { response: "b" },
  ]);
  expect(client.isSpent).toBe(false);
  await client.end();
});

test("the stack of an error contains the caller", async () => {
  const client = await openClient();
  async function readMissing(): Promise<unknown> {
    return await client.run({ sql: "select $1::text from missing", parameters: ["a"] });
  }
  const error = await readMissing().catch((failure: Error) => failure);
  expect(error).toMatchObject({ code: "42P01" });
  expect((error as Error).stack).toContain("readMissing");
  await client.end();
});
