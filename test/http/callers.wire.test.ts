import { once } from "node:events";
import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import type { Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";

/** The budgets of these tests: two requests of strangers, and then a long wait. */
const BUDGETS = { requests: { burst: 2, perSecond: 0.001 }, penaltyMs: 60_000, refusalMs: 0 };

const VALID = { authorization: "Bearer valid" };
const REVOKED = { authorization: "Bearer revoked" };

/** Both credentials were valid recently. */
const isRecognized = (authorization: string) => ["Bearer valid", "Bearer revoked"].includes(authorization);

/** Checks the credential of each request that has one. */
const handler: Handler = (exchange) => {
  const { authorization } = exchange.headers;
  if (authorization === VALID.authorization) exchange.trust();
  else if (authorization !== undefined) exchange.countFailure(authorization === REVOKED.authorization);
  exchange.send(exchange.refuseStranger() === undefined ? 200 : 401, []);
};

const opened: Port[] = [];
const closing: { destroy(): void }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) each.destroy();
  await Promise.all(opened.splice(0).map((port) => port.drain(0)));
});

async function open(options: Partial<PortOptions> = {}): Promise<number> {
  const port = createPort({ handler, isRecognized, ...options, budgets: { ...BUDGETS, ...options.budgets } });
  opened.push(port);
  return (await port.listen(0, "127.0.0.1")).port;
}

/** The status of a response, or `closed` if the connection was closed instead. */
type Outcome = number | "closed";

type Ask = (headers?: Record<string, string>) => Promise<Outcome>;

/** Opens one connection to the port. */
const CONNECTIONS: Record<"HTTP/1.1" | "HTTP/2", (port: number) => Ask> = {
  "HTTP/1.1": (port) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closing.push(agent);
    return (headers = {}) => askHttp1({ port, agent, headers });
  },
  "HTTP/2": (port) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
    closing.push(session);
    return (headers = {}) => askHttp2(session, headers);
  },
};

function askHttp1(options: RequestOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    httpRequest({ host: "127.0.0.1", ...options }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", () => resolve("closed"))
      .end();
  });
}

function askHttp2(session: ClientHttp2Session, headers: Record<string, string>): Promise<Outcome> {
  if (session.closed || session.destroyed) return Promise.resolve("closed");
  return new Promise((resolve) => {
    const stream = session.request({ ":path": "/", ...headers });
    let outcome: Outcome = "closed";
    stream.on("response", ({ ":status": status }) => {
      outcome = status ?? 0;
    });
    stream.on("error", () => {});
    stream.on("close", () => resolve(outcome));
    stream.resume();
  });
}

/** Makes requests without a credential until the address is over its budget and may not connect. */
async function flood(port: number): Promise<void> {
  const ask = CONNECTIONS["HTTP/1.1"](port);
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
}

const series = async (ask: Ask, ...requests: Record<string, string>[]) => {
  const outcomes: Outcome[] = [];
  for (const headers of requests) outcomes.push(await ask(headers));
  return outcomes;
};

describe.each(["HTTP/1.1", "HTTP/2"] as const)("over %s", (version) => {
  const connect = CONNECTIONS[version];

  test("a connection on which a caller was authorized has a budget of its own, and is not closed beyond it", async () => {
    const port = await open();
    const ask = connect(port);
    expect(await ask(VALID)).toBe(200);
    await flood(port);
    expect(await series(ask, VALID, {}, {}, {}, VALID)).toEqual([200, 200, 200, 429, 200]);
  });

  test("a connection without an authorized caller is closed", async () => {
    const port = await open();
    const ask = connect(port);
    await ask();
    await CONNECTIONS["HTTP/1.1"](port)();
    expect(await series(ask, {}, VALID)).toContain("closed");
  });

  test("one that brings a recent credential first when the address has used up its budget is served", async () => {
    const port = await open();
    const ask = connect(port);
    await series(CONNECTIONS["HTTP/1.1"](port), {}, {});
    expect(await series(ask, VALID, {}, VALID)).toEqual([200, 200, 200]);
  });

  test("a new connection of an address that waits is served if its first request brings a recent credential", async () => {
    const port = await open();
    await flood(port);
    expect(await series(connect(port), VALID, {}, VALID)).toEqual([200, 200, 200]);
    const ask = connect(port);
    expect(await Promise.all([ask(VALID), ask(VALID), ask(VALID)])).toEqual([200, 200, 200]);
    expect(await connect(port)({})).toBe("closed");
    expect(await connect(port)({ authorization: "Bearer unknown" })).toBe("closed");
  });

  test("so is one of an address with too many connections, or too many new ones", async () => {
    for (const budgets of [{ connectionsPerAddress: 0 }, { newConnections: { burst: 0, perSecond: 0 } }]) {
      const port = await open({ budgets });
      expect(await connect(port)(VALID)).toBe(200);
      expect(await connect(port)()).toBe("closed");
    }
  });

  test("no more of these connections are opened than their budget allows", async () => {
    const port = await open({ budgets: { connectionsPerAddress: 0, recognized: { burst: 0, perSecond: 0 } } });
    expect(await connect(port)(VALID)).toBe("closed");
  });

  test("a connection that was refused is closed as soon as it sends more", async () => {
    const port = await open({ budgets: { connectionsPerAddress: 0, refusalMs: 600_000 } });
    const { send, closed } = sendOver[version](port);
    await send();
    await send();
    await closed;
  });

  test("a credential that is no longer valid takes the account from its connection", async () => {
    const port = await open();
    const ask = connect(port);
    await ask(VALID);
    await flood(port);
    expect(await series(ask, {}, { authorization: "Bearer unknown" }, REVOKED)).toEqual([200, 200, 200]);
    expect(await ask()).not.toBe(200);
  });

  test("failures of strangers do not affect a connection with an authorized caller, and the other way round", async () => {
    const wrong = { authorization: "Bearer unknown" };
    const many = { requests: { burst: 100, perSecond: 0 }, failures: { burst: 1, perSecond: 0 } };
    const port = await open({ budgets: many });
    const [stranger, caller] = [connect(port), connect(port)];
    await caller(VALID);
    expect(await series(stranger, wrong, {})).toEqual([401, 401]);
    expect(await series(caller, {}, wrong, {})).toEqual([200, 401, 401]);
  });
});

test("a client behind a trusted proxy is served over its budget if it brings a recent credential", async () => {
  const port = await open({ trustedProxies: ["127.0.0.1"] });
  const ask = CONNECTIONS["HTTP/2"](port);
  const client = { "x-forwarded-for": "192.0.2.1" };
  const outcomes = await series(ask, client, client, client, { ...client, ...VALID }, client);
  expect(outcomes).toEqual([200, 200, 429, 200, 429]);
});

test("a silent connection over the budget makes room for the next one", async () => {
  const port = await open({ budgets: { connectionsPerAddress: 0, heldConnections: 1 } });
  const silent = await connectSilently(port);
  const closed = once(silent, "close");
  await connectSilently(port);
  await closed;
});

test("a silent HTTP/2 connection over the budget is closed like one without a protocol", async () => {
  const port = await open({ budgets: { connectionsPerAddress: 0, headMs: 50 } });
  const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
  closing.push(session);
  await once(session, "close");
});

test("a client over its budget over HTTP/2 gets ENHANCE_YOUR_CALM", async () => {
  const port = await open();
  await flood(port);
  const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
  closing.push(session);
  const goaway = once(session, "goaway");
  session.request({ ":path": "/" }).on("error", () => {});
  expect((await goaway)[0]).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

/** Sends requests on one connection, each after the server has read the previous one. */
const sendOver: Record<
  "HTTP/1.1" | "HTTP/2",
  (port: number) => { send: () => Promise<void>; closed: Promise<unknown> }
> = {
  "HTTP/1.1": (port) => {
    const socket = connectTcp({ port, host: "127.0.0.1" }).on("error", () => {});
    closing.push(socket);
    return {
      send: async () => void socket.resume().write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"),
      closed: new Promise((resolve) => socket.on("close", resolve)),
    };
  },
  "HTTP/2": (port) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
    closing.push(session);
    return {
      async send() {
        if (session.connecting) await once(session, "connect");
        // The server dispatches a request in the turn in which it reads it, so before it reads the second ping after it.
        for (let pings = 0; pings < 2; pings++) await new Promise((resolve) => session.ping(resolve));
        session.request({ ":path": "/" }).on("error", () => {});
      },
      closed: new Promise((resolve) => session.on("close", resolve)),
    };
  },
};

async function connectSilently(port: number): Promise<Socket> {
  const socket = connectTcp({ port, host: "127.0.0.1" });
  closing.push(socket);
  await once(socket, "connect");
  return socket;
}
