import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Exchange } from "../../src/http/exchange.ts";
import { createPageTurns, PAGE_TURN_LIMITS, type PageTurnLimits } from "../../src/http/page-turns.ts";
import { createPort, type Port } from "../../src/http/port.ts";
import { until } from "../support/until.ts";

let port: Port | undefined;
let session: ClientHttp2Session | undefined;
afterEach(async () => {
  session?.destroy();
  await port?.drain(0);
});

interface Asked {
  readonly stream: ClientHttp2Stream;
  readonly status: Promise<number>;
}

/** A server whose requests are served until the test ends them. */
async function open(changes: Partial<PageTurnLimits>) {
  const served: Exchange[] = [];
  const limits = { ...PAGE_TURN_LIMITS, running: 1, longestMs: 60_000, ...changes };
  const inTurn = createPageTurns(undefined, limits)((exchange) => served.push(exchange));
  port = createPort({
    handler: (exchange) => (exchange.path === "/other" ? exchange.send(204, []) : inTurn(exchange)),
    trustedProxies: ["127.0.0.1"],
  });
  const address = await port.listen(0, "127.0.0.1");
  const client = connect(`http://127.0.0.1:${address.port}`);
  session = client.on("error", () => {});

  function ask(from: string, path = "/"): Asked {
    const stream = client.request({ ":path": path, "x-forwarded-for": from });
    const status = new Promise<number>((resolve) => {
      stream.on("response", (head) => resolve(Number(head[":status"]))).on("error", () => resolve(0));
    });
    stream.resume();
    return { stream, status };
  }
  return {
    ask,
    /** The requests of one connection arrive in order. */
    untilArrived: async () => expect(await ask("192.0.2.99", "/other").status).toBe(204),
    /** The addresses in the order in which they were served. Ends each request once it is served. */
    async serve(count: number): Promise<string[]> {
      for (let ended = 0; ended < count; ended++) {
        await until("the next request is served", () => served.length > ended);
        served[ended]?.send(200, []);
      }
      return served.map((exchange) => exchange.address);
    },
    served: () => served.length,
  };
}

test("networks take turns, regardless of how many requests each sends", async () => {
  const { ask, serve } = await open({});
  for (const from of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.3"]) ask(from);
  const order = await serve(6);
  expect(order.map((address) => address.slice(-1)).join("")).toBe("112311");
});

test("a few requests are served at a time", async () => {
  const { ask, served, serve, untilArrived } = await open({ running: 2 });
  for (let count = 0; count < 5; count++) ask("192.0.2.1");
  await untilArrived();
  expect(served()).toBe(2);
  expect(await serve(5)).toHaveLength(5);
});

test("beyond its limit, a network is rejected, and others wait for their turns", async () => {
  const { ask, serve } = await open({ waitingPerNetwork: 2, refusalMs: 1 });
  const [first, second, third, fourth] = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"].map((from) => ask(from));
  const other = ask("192.0.2.2");
  expect(await fourth?.status).toBe(503);
  await serve(4);
  expect(await Promise.all([first?.status, second?.status, third?.status, other.status])).toEqual(Array(4).fill(200));
});

test("the networks of an IPv6 /48 share a limit and a turn", async () => {
  const { ask, serve } = await open({ waitingPerNetwork: 2, waitingPerWideNetwork: 3, refusalMs: 1 });
  const addresses = ["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1"];
  const statuses = addresses.map((from) => ask(from).status);
  const other = ask("2001:db8:1::1").status;
  expect(await statuses[4]).toBe(503);
  const order = await serve(5);
  expect(order.slice(1)).toEqual(["2001:db8:0:1::1", "2001:db8:1::1", "2001:db8:0:2::1", "2001:db8:0:1::1"]);
  expect(await other).toBe(200);
});

test("a client that disconnects frees its place and its turn", async () => {
  const { ask, serve, untilArrived } = await open({ waitingPerNetwork: 1, refusalMs: 1 });
  ask("192.0.2.1");
  const gone = ask("192.0.2.1");
  await untilArrived();
  gone.stream.close(constants.NGHTTP2_CANCEL);
  await untilArrived();
  const last = ask("192.0.2.1");
  expect(await serve(2)).toHaveLength(2);
  expect(await last.status).toBe(200);
});

test("a request that takes long lets the next one start", async () => {
  const { ask, served } = await open({ longestMs: 1 });
  ask("192.0.2.1");
  ask("192.0.2.1");
  await until("both are being served", () => served() === 2);
});
