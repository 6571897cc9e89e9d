import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createCommandList } from "../../src/database/command-list.ts";
import { createQueryLimiter } from "../../src/database/query-limiter.ts";
import { type CommandKind, createRunTogether } from "../../src/database/run-together.ts";
import type { Budgets } from "../../src/http/budgets.ts";
import type { Handler } from "../../src/http/exchange.ts";
import { createPort } from "../../src/http/port.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { createOpenStreams } from "../../src/rpc/streams/open-streams.ts";
import { DEFAULT_STREAM_BUDGETS } from "../../src/rpc/streams/stream-budgets.ts";
import { createRecordedMetrics } from "../support/telemetry/recorded-metrics.ts";

const metrics = createRecordedMetrics();
const { exceeded } = metrics;
beforeEach(() => {
  exceeded.splice(0);
});

describe("of the port", () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  async function listen(budgets: Partial<Budgets>, handler: Handler = (exchange) => exchange.send(200, [])) {
    const port = createPort({ handler, budgets, metrics });
    close = () => port.drain(0);
    return (await port.listen(0, "127.0.0.1")).port;
  }

  const ask = (port: number) => fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  const connectAndClose = async (port: number) => {
    const socket = connectTcp({ port, host: "127.0.0.1" });
    await once(
      socket.on("error", () => {}),
      "close",
    );
  };

  test("connections of an address", async () => {
    const port = await listen({ connectionsPerAddress: 1, recognized: { burst: 0, perSecond: 0 } });
    const kept = connectTcp({ port, host: "127.0.0.1" });
    await once(kept, "connect");
    await connectAndClose(port);
    expect(exceeded).toEqual(["connections"]);
    kept.destroy();
  });

  const refuse = (port: number) => expect(ask(port)).rejects.toThrow("fetch failed");

  test("new connections of an address", async () => {
    const port = await listen({ newConnections: { burst: 1, perSecond: 0.001 } });
    await ask(port);
    await refuse(port);
    expect(exceeded).toEqual(["new_connections"]);
  });

  test("requests of an address, which then waits", async () => {
    const port = await listen({ requests: { burst: 1, perSecond: 0.001 }, penaltyMs: 60_000 });
    await ask(port);
    expect((await ask(port)).status).toBe(429);
    await refuse(port);
    expect(exceeded).toEqual(["requests", "penalty"]);
  });

  test("requests over HTTP/2, for which the connection is closed", async () => {
    const none = { burst: 0, perSecond: 0 };
    const port = await listen({ requests: { burst: 1, perSecond: 0.001 }, recognized: none });
    const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
    const closed = new Promise((resolve) => session.on("close", resolve));
    for (let count = 0; count < 2; count += 1) session.request({ ":path": "/" }).on("error", () => {});
    await closed;
    expect(exceeded).toEqual(["requests"]);
  });

  test("failed attempts to authenticate", async () => {
    const port = await listen({ failures: { burst: 1, perSecond: 0.001 } }, (exchange) => {
      exchange.send(exchange.refuseStranger() === undefined ? 200 : 429, []);
      exchange.countFailure();
    });
    await ask(port);
    expect((await ask(port)).status).toBe(429);
    expect(exceeded).toEqual(["failed_tokens"]);
  });

  test("delay of the event loop", async () => {
    const budgets = { loopDelayMs: 1, openRequestsWhenLate: 0 };
    const port = await listen(budgets, (exchange) => {
      const until = performance.now() + 120;
      while (performance.now() < until);
      setTimeout(() => exchange.send(exchange.refuseStranger() === undefined ? 200 : 503, []), 60);
    });
    expect((await ask(port)).status).toBe(503);
    expect(exceeded).toEqual(["event_loop"]);
  });
});

test("streams without a token of an address", () => {
  const streams = createOpenStreams({ ...DEFAULT_STREAM_BUDGETS, streamsPerAddress: 1 }, metrics);
  const ends = { session: undefined, endRequest() {}, destroy() {} };
  const stream = streams.open({ key: "127.0.0.1" }, true, ends);
  expect(() => streams.open({ key: "127.0.0.1" }, true, ends)).toThrow("too many streams");
  stream.close();
  expect(exceeded).toEqual(["streams"]);
});

test.each(["calls", "lists", "pages"] as const)("queries of %s that wait for a connection", async (lane) => {
  const limiter = createQueryLimiter(1, metrics);
  const leave = await limiter.enter("calls");
  const waiting = Array.from({ length: 64 }, () => limiter.enter(lane));
  expect(limiter.state()).toEqual({
    calls: { running: 1, waiting: lane === "calls" ? 64 : 0 },
    lists: { running: 0, waiting: lane === "lists" ? 64 : 0 },
    pages: { running: 0, waiting: lane === "pages" ? 64 : 0 },
  });
  await expect(limiter.enter(lane)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  expect(exceeded).toEqual([`database_${lane}`]);
  leave();
  for (const entered of waiting) (await entered)();
});

test("commands that wait for a statement", async () => {
  const written: [string, number][] = [];
  const blocked = Promise.withResolvers<void>();
  const query = async () => {
    await blocked.promise;
    return { rows: [] };
  };
  const run = createRunTogether(
    { enter: async () => ({ query, leave() {} }) },
    {
      ...metrics,
      commandsWritten: (operation, count) => written.push([operation, count]),
    },
  );
  const kind: CommandKind<{ object: string }, object> = {
    name: "write",
    list: createCommandList<{ object: string }>({ object: "text" }),
    statement: { bind: () => ({ sql: "", parameters: [] }) },
    toGroup: () => "",
    toKeys: ({ object }) => [object],
  };
  const send = (number: number) => run(kind, { object: String(number) });
  // Two statements take one command each, because they are sent immediately.
  const sent = [send(0)];
  await setImmediate();
  sent.push(send(1));
  await setImmediate();
  for (let number = 2; number < 1_026; number++) sent.push(send(number));
  await expect(send(2_000)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  expect(exceeded).toEqual(["commands"]);
  blocked.resolve();
  await Promise.all(sent);
  expect(written.slice(0, 3)).toEqual([
    ["write", 1],
    ["write", 1],
    ["write", 128],
  ]);
});

test("passwords of an organization that wait for a thread", async () => {
  const hasher = createHasher({ cost: 4, threads: 1, metrics });
  const options = { turn: { kind: "call", orgId: "a" } } as const;
  const hashes = Array.from({ length: 65 }, () => hasher.hash("correct horse", options));
  expect(hasher.state()).toEqual({ running: 1, waiting: 64, threads: 1 });
  await expect(hasher.hash("correct horse", options)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  expect(exceeded).toEqual(["hashes"]);
  await Promise.all(hashes);
  await hasher.close();
});
