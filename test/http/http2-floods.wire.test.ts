import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, TLSSocket } from "node:tls";
import type { Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";
import {
  data,
  ERROR_CODE,
  encodeFields,
  encodeIndexedField,
  encodeReferences,
  type Field,
  FRAME,
  frame,
  HELLO,
  headers,
  ping,
  resetStream,
  SETTING,
  settings,
} from "../support/clients/http2-frames.ts";
import { createRandom } from "../support/random.ts";
import { createCertificate, testWithOpenssl } from "../support/servers/certificates.ts";
import { until } from "../support/until.ts";

const opened: Port[] = [];
const closing: (Socket | ClientHttp2Session)[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) each.destroy();
  await Promise.all(opened.splice(0).map((port) => port.drain(0)));
});

/** Authorizes each request with a credential, and responds with the number of bytes that its path names. */
const handler: Handler = (exchange) => {
  if (exchange.headers.authorization !== undefined) exchange.trust();
  exchange.send(200, [], Buffer.alloc(Number(exchange.path.slice(1))));
};

async function open(options: Partial<PortOptions> = {}): Promise<number> {
  const port = createPort({ handler, ...options });
  opened.push(port);
  return (await port.listen(0, "127.0.0.1")).port;
}

function openSession(port: number): ClientHttp2Session {
  const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
  closing.push(session);
  return session;
}

/** The status of a response; 0 if there is none. */
function ask(session: ClientHttp2Session, fields: Record<string, string> = {}): Promise<number> {
  const stream = session.request({ ":path": "/1", ...fields }).on("error", () => {});
  let status = 0;
  stream.on("response", (response) => {
    status = response[":status"] ?? 0;
  });
  stream.resume();
  return new Promise((resolve) => stream.on("close", () => resolve(status)));
}

/** Sends bytes on a connection of its own. Resolves to the error code of GOAWAY once the connection is closed. */
async function send(port: number, bytes: Buffer): Promise<number | undefined> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  closing.push(socket);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, "close");
  const received = Buffer.concat(chunks);
  for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
    if (received[at + 3] === FRAME.goAway) return received.readUInt32BE(at + 13);
  }
  return undefined;
}

const toBlock = (path: string) =>
  encodeFields([
    [":method", "GET"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "localhost"],
  ]);
const BLOCK = toBlock("/1");
const LARGE_BLOCK = toBlock("/100000");

function repeat(count: number, toBytes: (at: number) => Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, at) => toBytes(at)));
}

const canceled = (at: number) =>
  Buffer.concat([headers(2 * at + 1, BLOCK, { endStream: true }), resetStream(2 * at + 1, ERROR_CODE.cancel)]);

describe("a connection is closed, and others are served, after", () => {
  test.each([
    ["streams that are reset immediately", repeat(2_000, canceled)],
    ["streams over the limit", repeat(1_000, (at) => headers(2 * at + 1, BLOCK, { endStream: false }))],
    ["many PING frames at a time", repeat(5_000, ping)],
    ["many SETTINGS frames at a time", repeat(5_000, () => settings([[SETTING.headerTableSize, 4_096]]))],
    [
      "CONTINUATION frames without an end",
      Buffer.concat([frame(FRAME.headers, 0, 1, BLOCK), repeat(50, () => frame(FRAME.continuation, 0, 1))]),
    ],
    [
      "empty DATA frames",
      Buffer.concat([
        headers(1, BLOCK, { endStream: false }),
        repeat(5_000, () => data(1, Buffer.alloc(0), { endStream: false })),
      ]),
    ],
    ["frames of unknown types", repeat(100_000, () => frame(0x42, 0, 0))],
    ["a header block that is not HPACK", headers(1, Buffer.of(0x80), { endStream: true })],
    ["a push", frame(0x5, 0, 1, Buffer.alloc(4))],
  ])("%s", async (_what, bytes) => {
    const port = await open({ budgets: { requests: { burst: 10_000, perSecond: 0 } } });
    const other = openSession(port);
    expect(await ask(other)).toBe(200);
    expect(await send(port, Buffer.concat([HELLO, bytes]))).toBeGreaterThan(0);
    expect([await ask(other), await ask(openSession(port))]).toEqual([200, 200]);
  });
});

test("a header block that decodes to 60 MB resets its stream, and takes at most 20 ms", async () => {
  const port = await open();
  const first = Buffer.concat([BLOCK, encodeIndexedField(["x-bomb", "a".repeat(4_000)])]);
  const bomb = Buffer.concat([BLOCK, encodeReferences(15_000)]);
  const socket = connect(port, "127.0.0.1");
  closing.push(socket);
  let received = Buffer.alloc(0);
  const reset = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.includes(resetStream(41, constants.NGHTTP2_ENHANCE_YOUR_CALM))) resolve();
    });
  });
  const before = process.threadCpuUsage();
  socket.write(Buffer.concat([HELLO, headers(1, first, { endStream: true })]));
  for (let id = 3; id <= 41; id += 2) socket.write(headers(id, bomb, { endStream: true }));
  await reset;
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000 / 20).toBeLessThan(20);
});

describe("requests that are canceled before they are served", () => {
  const budgets = { requests: { burst: 10, perSecond: 0.001 }, penaltyMs: 60_000 };

  test("count against their address, which then waits", async () => {
    const port = await open({ budgets });
    const bytes = Buffer.concat([HELLO, repeat(20, canceled)]);
    expect(await send(port, bytes)).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(await ask(openSession(port))).toBe(0);
  });

  test("do not close a connection on which a caller was authorized", async () => {
    const credential = { authorization: "Bearer valid" };
    const port = await open({ budgets, isRecognized: (authorization) => authorization === credential.authorization });
    const session = openSession(port);
    expect(await ask(session, credential)).toBe(200);
    const streams = Array.from({ length: 250 }, () => session.request({ ":path": "/1" }).on("error", () => {}));
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.on("close", resolve))));
    expect(await ask(session, credential)).toBe(200);
  });
});

test("streams that Node rejects because of their headers count against their address, which then waits", async () => {
  const port = await open({ budgets: { requests: { burst: 10, perSecond: 0.001 }, penaltyMs: 60_000 } });
  const fields = Array.from({ length: 300 }, (_, at): Field => ["cookie", `c${at}=1`]);
  const block = Buffer.concat([BLOCK, encodeFields(fields)]);
  const bytes = repeat(20, (at) => headers(2 * at + 1, block, { endStream: true }));
  expect(await send(port, Buffer.concat([HELLO, bytes]))).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  expect(await ask(openSession(port))).toBe(0);
});

test("streams that Node rejects end a connection that was refused", async () => {
  const requests = { burst: 10, perSecond: 0.001 };
  const refusals: Error[] = [];
  const port = await open({
    budgets: { requests, penaltyMs: 600_000, refusalMs: 600_000, headMs: 600_000 },
    onFault: (fault) => refusals.push(fault),
  });
  const fields = Array.from({ length: 300 }, (_, at): Field => ["cookie", `c${at}=1`]);
  const rejected = (id: number) => headers(id, Buffer.concat([BLOCK, encodeFields(fields)]), { endStream: true });
  await send(port, Buffer.concat([HELLO, repeat(20, (at) => rejected(2 * at + 1))]));
  const earlier = refusals.length;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  closing.push(socket);
  socket.write(Buffer.concat([HELLO, headers(1, BLOCK, { endStream: true })]));
  await until("the request is refused", () => refusals.length > earlier);
  let isClosed = false;
  socket.resume().once("close", () => {
    isClosed = true;
  });
  let id = 1;
  await until("the connection is closed", () => {
    id += 2;
    socket.write(rejected(id));
    return isClosed;
  });
});

describe("beyond the first connections of an address", () => {
  const budgets = { streams: 20, streamsWhenCrowded: 2, crowdedConnections: 1 };
  const limitOf = (session: ClientHttp2Session) => session.remoteSettings.maxConcurrentStreams;

  test("one may open few streams at a time, until a caller is authorized on it", async () => {
    const port = await open({ budgets });
    const first = openSession(port);
    expect(await ask(first)).toBe(200);
    const second = openSession(port);
    expect(await ask(second)).toBe(200);
    expect([limitOf(first), limitOf(second)]).toEqual([20, 2]);
    expect(await ask(second, { authorization: "Bearer valid" })).toBe(200);
    await until("the limit is raised", () => limitOf(second) === 20);
  });

  test("further streams are refused", async () => {
    const port = await open({ budgets, handler: () => {} });
    await once(openSession(port), "remoteSettings");
    const socket = connect(port, "127.0.0.1");
    closing.push(socket);
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    socket.write(Buffer.concat([HELLO, repeat(10, (at) => headers(2 * at + 1, BLOCK, { endStream: true }))]));
    const refusal = (id: number) => received.includes(resetStream(id, constants.NGHTTP2_REFUSED_STREAM));
    await until("the last stream is refused", () => refusal(19));
    expect(Array.from({ length: 10 }, (_, at) => refusal(2 * at + 1))).toEqual([false, false, ...Array(8).fill(true)]);
  });
});

describe("connections that break at any moment leave the server running", () => {
  const budgets = { requests: { burst: 100_000, perSecond: 0 }, newConnections: { burst: 10_000, perSecond: 0 } };

  test("without TLS", async () => {
    const port = await open({ budgets });
    await breakMany(30, () => connect(port, "127.0.0.1"));
    expect(await ask(openSession(port))).toBe(200);
  });

  testWithOpenssl("over TLS", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signet-floods-"));
    const { cert, key } = createCertificate(folder);
    const port = await open({ budgets, tls: { cert: readFileSync(cert), key: readFileSync(key) } });
    rmSync(folder, { recursive: true });
    await breakMany(15, () =>
      connectTls({ port, host: "127.0.0.1", ALPNProtocols: ["h2"], rejectUnauthorized: false }),
    );
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }).on("error", () => {});
    closing.push(session);
    expect(await ask(session)).toBe(200);
  });
});

/** Opens ten connections at a time, sends random frames on each, and breaks it in a random way. */
async function breakMany(rounds: number, open: () => Socket): Promise<void> {
  const random = createRandom(7);
  const breakOne = async () => {
    const socket = open().on("error", () => {});
    closing.push(socket);
    const parts: Buffer[] = [HELLO];
    const last = random.between(2, 80);
    for (let id = 1; id < last; id += 2) {
      const endStream = random.chance(0.7);
      parts.push(headers(id, random.chance(0.3) ? LARGE_BLOCK : BLOCK, { endStream }));
      if (!endStream) parts.push(data(id, Buffer.alloc(random.below(3_000)), { endStream: false }));
      if (random.chance(0.2)) parts.push(resetStream(id, ERROR_CODE.noError));
    }
    const [invalid, goAway] = [
      headers(201, Buffer.of(0x80), { endStream: true }),
      frame(FRAME.goAway, 0, 0, Buffer.alloc(8)),
    ];
    if (random.chance(0.3)) parts.push(random.pick([invalid, goAway]));
    if (random.chance(0.7)) socket.resume();
    for (const part of random.cut(Buffer.concat(parts), 5)) socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, random.below(10)));
    if (random.chance(0.3)) socket.end();
    else if (random.chance(0.5) && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
    else socket.destroy();
  };
  for (let round = 0; round < rounds; round++) await Promise.all(Array.from({ length: 10 }, breakOne));
}
