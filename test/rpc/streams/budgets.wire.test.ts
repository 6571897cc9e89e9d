import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTcp } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { ServerReflectionRequestSchema } from "../../../gen/grpc/reflection/v1/reflection_pb.js";
import type { StreamBudgets } from "../../../src/rpc/streams/stream-budgets.ts";
import {
  data as dataFrame,
  ERROR_CODE,
  encodeFields,
  HELLO,
  headers as headersFrame,
  resetStream,
} from "../../support/clients/http2-frames.ts";
import { askHttp1, frame } from "../../support/clients/raw-calls.ts";
import { until } from "../../support/until.ts";
import { startHealthAndReflection, type TestHealthAndReflection } from "../health-and-reflection.ts";

const WATCH = "/grpc.health.v1.Health/Watch";
const CHECK = "/grpc.health.v1.Health/Check";
const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const EMPTY = frame(Buffer.alloc(0));

let service: TestHealthAndReflection;
let session: ClientHttp2Session;
afterEach(async () => {
  session?.destroy();
  await service.close();
  expect(service.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

async function start(budgets: Partial<StreamBudgets> = {}, settings = {}): Promise<void> {
  service = await startHealthAndReflection(budgets);
  session = connect(service.origin, { settings }).on("error", () => {});
}

/** A call whose request may still be open, its received messages, and its final status. */
function open(path: string, on = session) {
  const stream = on.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const received: Buffer[] = [];
  let status: string | undefined;
  const note = (headers: Record<string, unknown>) => {
    if (headers["grpc-status"] !== undefined) status = String(headers["grpc-status"]);
  };
  stream.on("response", note).on("trailers", note);
  stream.on("data", (chunk) => received.push(chunk));
  stream.on("error", () => {});
  const closed = new Promise((resolve) => stream.on("close", resolve));
  return {
    stream,
    bytes: () => Buffer.concat(received).length,
    /** The status, or the error code of HTTP/2. */
    async end(): Promise<string> {
      await closed;
      return status ?? `reset ${stream.rstCode}`;
    },
  };
}

function watch(on = session): ReturnType<typeof open> {
  const call = open(WATCH, on);
  call.stream.end(EMPTY);
  return call;
}

function question(value: string): Buffer {
  const request = create(ServerReflectionRequestSchema, { messageRequest: { case: "fileContainingSymbol", value } });
  return frame(toBinary(ServerReflectionRequestSchema, request));
}

test("an address has a limited number of open streams, over all its connections, and gets back those that end", async () => {
  await start({ streamsPerAddress: 3 });
  const second = connect(service.origin).on("error", () => {});
  const watches = [watch(), watch(), watch(second)];
  await until("all are answered", () => watches.every(({ bytes }) => bytes() > 0));
  expect(await watch().end()).toBe("8");
  expect(await watch(second).end()).toBe("8");
  const check = open(CHECK);
  check.stream.end(EMPTY);
  expect(await check.end()).toBe("0");

  watches[0]?.stream.close();
  const next = await until("a stream is free", async () => {
    const tried = watch();
    await until("an answer", () => tried.bytes() > 0 || tried.stream.closed);
    return tried.bytes() > 0 && tried;
  });
  expect(next.stream.closed).toBe(false);
  second.destroy();
});

test("the streams of all addresses together are limited", async () => {
  await start({ streams: 1 });
  const first = watch();
  await until("it is answered", () => first.bytes() > 0);
  expect(await watch().end()).toBe("8");
});

test("a request message that is too large ends its call before it is read", async () => {
  await start();
  const large = open(REFLECT);
  large.stream.write(question("x".repeat(5_000)));
  expect(await large.end()).toBe("8");
  const announced = open(REFLECT);
  announced.stream.write(frame(Buffer.alloc(10), 0, 0xffff_ffff));
  expect(await announced.end()).toBe("8");
  const { http, body } = await askHttp1(service.port, {
    path: CHECK,
    headers: { "content-type": "application/json" },
    body: Buffer.from(`{"service":"${"x".repeat(5_000)}"}`),
  });
  expect({ http, error: JSON.parse(body.toString()).code }).toEqual({ http: 429, error: "resource_exhausted" });
});

test.each([
  ["of one stream", { messages: 3 }, [1]],
  ["of all streams of an address", { messageRate: { burst: 3, perSecond: 0.001 } }, [2, 0]],
])("messages %s are limited", async (_title, budgets, before) => {
  await start(budgets);
  const user = question("signet.v1.Gender");
  for (const count of before.slice(0, -1)) {
    const other = open(REFLECT);
    other.stream.end(Buffer.concat(Array(count).fill(user)));
    expect(await other.end()).toBe("0");
  }
  const call = open(REFLECT);
  call.stream.write(user);
  await until("it is answered", () => call.bytes() > 0);
  call.stream.write(Buffer.concat([user, user, user]));
  expect(await call.end()).toBe("8");
});

test("a call without a message for a while ends without an error, and one that listens continues", async () => {
  await start({ idleMs: 100 });
  const listening = watch();
  const idle = open(REFLECT);
  const slow = open(REFLECT);
  slow.stream.write(question("signet.v1.Gender").subarray(0, 7));
  const started = open(CHECK);
  started.stream.write(EMPTY.subarray(0, 2));
  expect(await idle.end()).toBe("0");
  expect(await slow.end()).not.toBe("0");
  expect(await started.end()).not.toBe("0");
  expect(listening.stream.closed).toBe(false);
});

test("over HTTP/1.1, Watch ends without an error after a while, because a client cannot show that it listens", async () => {
  await start({ idleMs: 100 });
  const { http, body } = await askHttp1(service.port, {
    path: WATCH,
    headers: { "content-type": "application/grpc-web+proto" },
    body: EMPTY,
  });
  expect(http).toBe(200);
  expect(body.toString("latin1")).toContain("grpc-status: 0");
});

test("a client that does not receive its response is disconnected", async () => {
  await start({ receiveMs: 100 }, { initialWindowSize: 0 });
  const call = open(REFLECT);
  call.stream.write(question("signet.v1.ManagementService"));
  expect(await call.end()).toBe("reset 8");
  expect(call.bytes()).toBe(0);
});

test("a client that watches without acknowledging PING is disconnected", async () => {
  // A client has this time to acknowledge a PING, also on a busy machine.
  await start({ pingMs: 1_000 });
  const live = watch();
  const socket = connectTcp(service.port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  const block = encodeFields([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", WATCH],
    [":authority", "localhost"],
    ["content-type", "application/grpc"],
  ]);
  socket.write(
    Buffer.concat([HELLO, headersFrame(1, block, { endStream: false }), dataFrame(1, EMPTY, { endStream: true })]),
  );
  const reset = resetStream(1, ERROR_CODE.cancel);
  await until("the stream is reset", () => Buffer.concat(received).includes(reset));
  expect(live.stream.closed).toBe(false);
  socket.destroy();
});

test("draining ends all streams immediately, and rejects new ones", async () => {
  await start();
  const calls = [watch(), watch(), open(REFLECT)];
  calls[2]?.stream.write(question("signet.v1.Gender"));
  await until("all are answered", () => calls.every(({ bytes }) => bytes() > 0));
  service.drain();
  expect(await Promise.all(calls.map(({ end }) => end()))).toEqual(["14", "14", "14"]);
  expect(await open(REFLECT).end()).toBe("14");
  session.close();
  // A drain that waited for a stream would last as long as it may.
  expect(await service.close(120_000)).toBeLessThan(60_000);
});

test("a client that disconnects during a call leaves nothing behind", async () => {
  // Attempts do not use up the budget of messages.
  await start({ streamsPerAddress: 20, messageRate: { burst: 100_000, perSecond: 1_000 } });
  for (let round = 0; round < 5; round++) {
    const client = connect(service.origin).on("error", () => {});
    const calls = Array.from({ length: 10 }, () => [watch(client), open(REFLECT, client)]).flat();
    for (const { stream } of calls) if (stream.writable) stream.write(question("signet.v1.ManagementService"));
    if (round % 2 === 0) await until("some are answered", () => calls.some(({ bytes }) => bytes() > 0));
    client.destroy();
  }
  const areFree = async () => {
    const calls = Array.from({ length: 20 }, () => watch());
    const haveResponses = () => calls.every(({ stream, bytes }) => stream.closed || bytes() > 0);
    await until("all are answered", haveResponses);
    const isFree = calls.every(({ bytes }) => bytes() > 0);
    for (const { stream } of calls) stream.close();
    return isFree;
  };
  await until("all streams are free", areFree);
});
