import { once } from "node:events";
import { connect } from "node:net";
import { type MetricsServer, startMetricsServer } from "../../src/telemetry/metrics-server.ts";
import { createThrottled } from "../../src/telemetry/metrics-throttled.ts";

let server: MetricsServer | undefined;
const errors: unknown[] = [];
afterEach(async () => {
  await server?.close();
  errors.splice(0);
});

async function start(print: () => Promise<string> = async () => "up 1\n"): Promise<string> {
  server = await startMetricsServer({ host: "127.0.0.1", port: 0, print, onError: (error) => errors.push(error) });
  return `http://127.0.0.1:${server.port}`;
}

test("GET and HEAD of /metrics return the text format of Prometheus", async () => {
  const origin = await start();
  const response = await fetch(`${origin}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await response.text()).toBe("up 1\n");
  const head = await fetch(`${origin}/metrics?x=1`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("nothing else is", async () => {
  const origin = await start();
  const status = async (path: string, method: string) => (await fetch(origin + path, { method })).status;
  expect(await status("/", "GET")).toBe(404);
  expect(await status("/metrics/", "GET")).toBe(404);
  expect(await status("/healthz", "GET")).toBe(404);
  expect(await status("/metrics", "POST")).toBe(405);
  expect(await status("/metrics", "DELETE")).toBe(405);
  const large = await fetch(`${origin}/metrics`, { headers: { filler: "x".repeat(10_000) } });
  expect(large.status).toBe(431);
});

test("concurrent scrapes share one response", async () => {
  let count = 0;
  const printing = Promise.withResolvers<string>();
  const origin = await start(() => {
    count += 1;
    return printing.promise;
  });
  const scrapes = Array.from({ length: 10 }, () => fetch(`${origin}/metrics`));
  await fetch(`${origin}/`);
  printing.resolve("up 1\n");
  expect((await Promise.all(scrapes)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(count).toBe(1);
});

test("a failure is reported without its cause, and the next scrape tries again", async () => {
  let fails = true;
  const origin = await start(async () => {
    if (fails) throw new Error("a secret cause");
    return "up 1\n";
  });
  const failed = await fetch(`${origin}/metrics`);
  expect([failed.status, await failed.text()]).toEqual([500, "internal error\n"]);
  expect(errors).toEqual([expect.objectContaining({ message: "a secret cause" })]);
  fails = false;
  expect((await fetch(`${origin}/metrics`)).status).toBe(200);
});

test("closing ends idle and unfinished connections", async () => {
  const { port } = new URL(await start());
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  await once(socket, "connect");
  socket.on("error", () => {}).write("GET /metr");
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await server?.close();
  await closed;
});

test("a query runs at most once in a period, however often it is requested", async () => {
  let runs = 0;
  const ask = createThrottled(async () => ++runs, { periodMs: 60_000, waitMs: 1_000 });
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect([await ask(), await ask(), runs]).toEqual([1, 1, 1]);
});

test("a scrape does not wait for a query that hangs, which runs once", async () => {
  let runs = 0;
  const hanging = Promise.withResolvers<string>();
  const ask = createThrottled(
    () => {
      runs += 1;
      return hanging.promise;
    },
    { periodMs: 60_000, waitMs: 1 },
  );
  expect([await ask(), await ask(), runs]).toEqual([undefined, undefined, 1]);
  hanging.resolve("done");
  expect([await ask(), runs]).toEqual(["done", 1]);
});
