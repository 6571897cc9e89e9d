import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2, constants, type Http2ServerResponse } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import type { Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";
import { encodeFields, type Field, HELLO, headers } from "../support/clients/http2-frames.ts";
import { until } from "../support/until.ts";

const opened: Port[] = [];
const sockets: (Socket | ClientHttp2Session)[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((port) => port.drain(0)));
});

const answer: Handler = (exchange) => exchange.send(200, [], Buffer.from(exchange.address));

async function open(options: Partial<PortOptions> = {}): Promise<number> {
  const port = createPort({ handler: answer, ...options });
  opened.push(port);
  return (await port.listen(0, "127.0.0.1")).port;
}

interface TestResponse {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

function ask(port: number, options: RequestOptions = {}): Promise<TestResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<TestResponse>();
  httpRequest({ host: "127.0.0.1", port, agent: new Agent(), ...options }, (response) => {
    let text = "";
    response.on("data", (chunk) => {
      text += chunk;
    });
    response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
  })
    .on("error", reject)
    .end();
  return promise;
}

function openSession(port: number, settings = {}): ClientHttp2Session {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings });
  session.on("error", () => {});
  sockets.push(session);
  return session;
}

function askHttp2(session: ClientHttp2Session, headers = {}): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const stream = session.request({ ":path": "/", ...headers });
  let [status, text] = [0, ""];
  stream.on("response", (answered) => {
    status = Number(answered[":status"]);
  });
  stream.on("data", (chunk) => {
    text += chunk;
  });
  stream.on("end", () => resolve({ status, text })).on("error", reject);
  return promise;
}

/** Sends bytes, and resolves to everything received before the connection ends, or shortly after `until` arrives. */
function send(port: number, bytes: string, until?: string): Promise<string> {
  const socket = connectTcp({ port, host: "127.0.0.1" }, () => socket.write(bytes, "latin1"));
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    // The body of a response ends with its last brace.
    if (until !== undefined && text.includes(until) && text.endsWith("}")) socket.destroy();
  });
  socket.on("error", () => {});
  return new Promise((resolve) => socket.on("close", () => resolve(text)));
}

const closed = (session: ClientHttp2Session) => new Promise((resolve) => session.on("close", resolve));

describe("requests over the budget of their address", () => {
  const budgets = { requests: { burst: 2, perSecond: 0.001 }, penaltyMs: 60_000 };

  test("are rejected with the error object over HTTP/1.1, and the address waits", async () => {
    const port = await open({ budgets });
    await ask(port);
    await ask(port);
    const { status, headers, text } = await ask(port);
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe("60");
    expect(JSON.parse(text)).toMatchObject({
      code: 8,
      details: [{ reason: "TOO_MANY_REQUESTS" }, { retryDelay: "60s" }],
    });
    await expect(ask(port)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await ask(port, { localAddress: "127.0.0.2" })).toMatchObject({ status: 200, text: "127.0.0.2" });
  });

  test("end an HTTP/2 connection with ENHANCE_YOUR_CALM", async () => {
    const port = await open({ budgets });
    const session = openSession(port);
    const goaway = new Promise((resolve) => session.on("goaway", resolve));
    await askHttp2(session);
    await askHttp2(session);
    askHttp2(session).catch(() => {});
    expect(await goaway).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    await closed(session);
  });

  test("count for the client behind a trusted proxy, whose connection continues", async () => {
    const port = await open({ budgets, trustedProxies: ["127.0.0.1"] });
    const session = openSession(port);
    const from = (address: string) => askHttp2(session, { "x-forwarded-for": address });
    expect(await from("192.0.2.1")).toEqual({ status: 200, text: "192.0.2.1" });
    await from("192.0.2.1");
    expect(await from("192.0.2.1")).toMatchObject({ status: 429 });
    expect(await from("192.0.2.2")).toEqual({ status: 200, text: "192.0.2.2" });
  });

  test("are not counted if the caller is authorized", async () => {
    const handler: Handler = (exchange) => {
      exchange.trust();
      answer(exchange);
    };
    const port = await open({ budgets, handler });
    for (let count = 0; count < 10; count++) expect((await ask(port)).status).toBe(200);
  });

  test("X-Forwarded-For of an untrusted client has no effect", async () => {
    const port = await open({ budgets });
    const forwarded = (address: string) => ask(port, { headers: { "x-forwarded-for": address } });
    expect(await forwarded("192.0.2.1")).toMatchObject({ status: 200, text: "127.0.0.1" });
    await forwarded("192.0.2.2");
    expect((await forwarded("192.0.2.3")).status).toBe(429);
  });
});

test("connections over the budget of their address are closed, and others are served", async () => {
  const port = await open({ budgets: { connectionsPerAddress: 1 } });
  await askHttp2(openSession(port));
  await expect(ask(port)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await ask(port, { localAddress: "127.0.0.2" })).status).toBe(200);
});

describe("time", () => {
  test("a connection with a request and no traffic is closed", async () => {
    const port = await open({ handler: () => {}, requestTimeoutMs: 0, budgets: { stallMs: 50, headMs: 20 } });
    const session = openSession(port);
    askHttp2(session).catch(() => {});
    await closed(session);
  });

  test.each<[string, Handler]>([
    ["", (exchange) => exchange.send(200, [], Buffer.alloc(1_000))],
    [" of a Node callback", (exchange) => void exchange.toNode().response.end(Buffer.alloc(1_000))],
  ])("a response%s that the client does not receive is aborted", async (_whose, handler) => {
    const port = await open({
      handler,
      budgets: { receiveMs: 50 },
    });
    const session = openSession(port, { initialWindowSize: 0 });
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => {});
    await new Promise((resolve) => stream.on("close", resolve));
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  });

  test("so is one whose stream the client has reset, even if its request was not read", async () => {
    let stream: Http2ServerResponse["stream"] | undefined;
    const handler: Handler = (exchange) => {
      const { request, response } = exchange.toNode();
      stream = (response as unknown as Http2ServerResponse).stream;
      request.once("data", () => request.pause());
      response.end(Buffer.alloc(1_000));
    };
    // The time begins with the response, and must not pass before no more is read.
    const port = await open({ handler, budgets: { receiveMs: 2_000 } });
    const asked = openSession(port, { initialWindowSize: 0 }).request({ ":method": "POST", ":path": "/" });
    // More than Node reads in advance.
    asked.write(Buffer.alloc(500_000));
    await until("no more is read", () => stream?.isPaused() && stream.readableLength > 0);
    asked.close();
    await until("the stream is dropped", () => stream?.destroyed);
  });
});

test("closed HTTP/2 connections leave no timer behind", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const port = await open();
  await askHttp2(openSession(port));
  const before = timers();
  for (let count = 0; count < 50; count++) {
    const session = openSession(port);
    await askHttp2(session);
    session.close();
    await closed(session);
  }
  expect(timers()).toBeLessThan(before + 10);
});

test("while the event loop is late, unauthenticated clients are rejected and authorized callers are served", async () => {
  const handler: Handler = (exchange) => {
    if (exchange.headers.authorization) exchange.trust();
    const refusal = exchange.headers.authorization ? undefined : exchange.refuseStranger();
    exchange.send(refusal === undefined ? 200 : 503, [], Buffer.from(refusal?.reason ?? "served"));
  };
  const port = await open({ handler, budgets: { loopDelayMs: 500, openRequestsWhenLate: 0 } });
  // On a busy machine, the event loop can be late on its own, and the request after the delay can be late too.
  const first = await until("a stranger is served", async () => {
    const response = await ask(port);
    return response.status === 200 && response;
  });
  expect(first.text).toBe("served");
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  const refused = await until("a stranger is rejected", async () => {
    Atomics.wait(blocked, 0, 0, 700);
    const response = await ask(port);
    return response.status !== 200 && response;
  });
  expect(refused).toMatchObject({ status: 503, text: "UNAVAILABLE" });
  Atomics.wait(blocked, 0, 0, 700);
  expect((await ask(port, { headers: { authorization: "Bearer known" } })).text).toBe("served");
});

const GET: readonly Field[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "localhost"],
];

describe("the head of a request", () => {
  const SMALL = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n";

  test.each([
    ["a second host", `${SMALL}host: b\r\n\r\n`, 400],
    ["a second authorization", `${SMALL}authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`, 400],
    ["HTTP/2 in its request line", "GET / HTTP/2.0\r\nhost: a\r\nconnection: close\r\n\r\n", 400],
    ["more than 100 fields", `${SMALL}${"x: y\r\n".repeat(100)}\r\n`, 431],
    ["a header of 17 KiB", `${SMALL}x: ${"y".repeat(17 << 10)}\r\n\r\n`, 431],
    ["no HTTP", "hello\r\n\r\n", 400],
  ])("%s is rejected with the error object over HTTP/1.1", async (_what, bytes, status) => {
    const text = await send(await open(), bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    expect(JSON.parse(body).details[0]).toMatchObject({ domain: "signet" });
  });

  test.each(["authorization", "content-type"])("a second %s is rejected over HTTP/2", async (name) => {
    const block = encodeFields([...GET, [name, "a"], [name, "b"]]);
    const bytes = Buffer.concat([HELLO, headers(1, block, { endStream: true })]);
    const received = await send(await open(), bytes.toString("latin1"), "\x8c");
    expect(received).toContain("must appear only once");
  });

  test("a request line without a version is rejected", async () => {
    expect(await send(await open(), "GET /\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each([
    ["a header list of 20 KB", Array.from({ length: 20 }, (_, at): Field => [`x-${at}`, "y".repeat(1_000)])],
    ["120 fields", Array.from({ length: 120 }, (_, at): Field => [`x-${at}`, "y"])],
  ])("%s is rejected with the error object over HTTP/2, and the connection continues", async (_what, fields) => {
    const session = openSession(await open());
    const { status, text } = await askHttp2(session, Object.fromEntries(fields));
    expect([status, JSON.parse(text).details[0].reason]).toEqual([431, "HEADERS_TOO_LARGE"]);
    expect(await askHttp2(session)).toMatchObject({ status: 200 });
  });
});
