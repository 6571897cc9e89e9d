import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import type { Exchange, Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";
import {
  data,
  ERROR_CODE,
  encodeFields,
  FLAG,
  FRAME,
  frame,
  HELLO,
  headers,
  ping,
  resetStream,
  SETTING,
  settings,
} from "../support/clients/http2-frames.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const RESPONSE = Buffer.alloc(100_000);
/** SETTINGS_INITIAL_WINDOW_SIZE of 0: no byte of a response body can be sent. */
const CLOSED_WINDOW = settings([[SETTING.initialWindowSize, 0]]);
const RESET_WITHOUT_ERROR = resetStream(1, ERROR_CODE.noError);
const GO_AWAY = frame(FRAME.goAway, 0, 0, Buffer.alloc(8));
const PART = data(1, Buffer.alloc(1_000), { endStream: false });
const REQUEST = encodeFields([
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "localhost"],
]);
const LONGEST_MS = 60_000;

let port: Port | undefined;
let socket: Socket | undefined;
afterEach(async () => {
  socket?.destroy();
  await port?.drain(0);
});

/** A request with an endless body, over a separate connection; resolves when the handler has run. */
async function ask(handler: Handler, budgets: PortOptions["budgets"] = {}) {
  const asked = Promise.withResolvers<Exchange>();
  const over = Promise.withResolvers<string>();
  port = createPort({
    budgets,
    handler(exchange) {
      exchange.onClose(() => over.resolve("over"));
      handler(exchange);
      asked.resolve(exchange);
    },
  });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const client = connect({ port: number, host: "127.0.0.1" })
    .on("error", () => {})
    .resume();
  socket = client;
  const closed = new Promise<string>((resolve) => client.once("close", () => resolve("closed")));
  const beginning = [HELLO, CLOSED_WINDOW, headers(1, REQUEST, { endStream: false })];
  client.write(Buffer.concat([...beginning, PART]));
  await asked.promise;
  return { client, over: within(over.promise), closed: within(closed) };
}

async function within(promise: Promise<string>): Promise<string> {
  const timeout = Promise.withResolvers<string>();
  const timer = setTimeout(() => timeout.resolve("open"), LONGEST_MS);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

describe.each<[string, Handler]>([
  [
    "of which more would be written",
    (exchange) => {
      const { request, response } = exchange.toNode();
      request.resume();
      response.write(RESPONSE);
    },
  ],
  [
    "of which more would be written, while the request is not read",
    (exchange) => {
      const { request, response } = exchange.toNode();
      request.once("data", () => request.pause());
      response.write(RESPONSE);
    },
  ],
  ["that was sent", (exchange) => exchange.send(200, [], RESPONSE)],
  ["that was sent with trailers", (exchange) => exchange.send(200, [], RESPONSE, ["grpc-status", "0"])],
])("a response %s", (_what, handler) => {
  test("is dropped when the client resets its stream without an error", async () => {
    const { client, over } = await ask(handler);
    client.write(RESET_WITHOUT_ERROR);
    expect(await over).toBe("over");
  });

  test("does not keep the connection of a client that has disconnected properly", async () => {
    const { client, over, closed } = await ask(handler);
    client.end(Buffer.concat([RESET_WITHOUT_ERROR, GO_AWAY]));
    expect(await over).toBe("over");
    expect(await closed).toBe("closed");
  });
});

describe("a response that is sent before the request has ended", () => {
  const HELD = 8;
  const post = (path: string, contentType: string, others: [string, string][] = []) =>
    encodeFields([
      [":method", "POST"],
      [":scheme", "http"],
      [":path", path],
      [":authority", "localhost"],
      ["content-type", contentType],
      ...others,
    ]);

  /** A connection whose requests all get a response at once. */
  async function open() {
    port = createPort({ handler: (exchange) => exchange.send(401, [], Buffer.from("no")) });
    return openTo((await port.listen(0, "127.0.0.1")).port);
  }

  function openTo(number: number) {
    const client = connect({ port: number, host: "127.0.0.1" });
    socket = client;
    let received: Buffer = Buffer.alloc(0);
    client.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    client.write(HELLO);
    /** The ids of the streams with a frame of a type, such as the last one of a response. */
    function idsOf(type: number, flag = 0): number[] {
      const ids: number[] = [];
      for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
        const [found, flags] = [received[at + 3], received[at + 4] ?? 0];
        if (found === type && (flags & flag) === flag) ids.push(received.readUInt32BE(at + 5));
      }
      return ids;
    }
    /** Sends frames, and waits until the service has processed them and those before. */
    async function send(...frames: Buffer[]) {
      const pongs = idsOf(FRAME.ping, FLAG.ack).length;
      client.write(Buffer.concat([...frames, ping()]));
      await until("the PING is acknowledged", () => idsOf(FRAME.ping, FLAG.ack).length > pongs);
    }
    const ends = () => [...idsOf(FRAME.data, FLAG.endStream), ...idsOf(FRAME.headers, FLAG.endStream)];
    const responses = (count: number) => until("all have a response", () => ends().length === count);
    return { send, ends, responses, bodies: () => idsOf(FRAME.data), resets: () => idsOf(FRAME.resetStream) };
  }

  // curl 7.88 loses a response that a reset follows immediately.
  test("is not followed by a reset if the request ends", async () => {
    const { send, responses, resets } = await open();
    await send(headers(1, REQUEST, { endStream: false }));
    await responses(1);
    await send(data(1, Buffer.alloc(1_000), { endStream: false }));
    await send(data(1, Buffer.alloc(1_000), { endStream: true }));
    expect(resets()).toEqual([]);
  });

  test("is followed by a reset later, of eight streams at a time, and by one at once for more of them", async () => {
    const { send, responses, resets } = await open();
    const ids = Array.from({ length: HELD + 2 }, (_, at) => 2 * at + 1);
    await send(...ids.map((id) => headers(id, REQUEST, { endStream: false })));
    await responses(ids.length);
    await send();
    expect(resets()).toEqual(ids.slice(HELD));
    await until("all are reset", () => resets().length === ids.length);
  });

  test("is followed by a reset after 16 MiB", async () => {
    port = createPort({ handler: (exchange) => exchange.send(401, [], Buffer.from("no")) });
    const session = connectHttp2(`http://127.0.0.1:${(await port.listen(0, "127.0.0.1")).port}`);
    session.on("connect", (_session, connected) => {
      socket = connected as Socket;
    });
    const stream = session.request({ ":method": "POST", ":path": "/" }).resume();
    const chunk = Buffer.alloc(65_536);
    const write = () => void (stream.destroyed || stream.write(chunk, write));
    write();
    await once(stream, "close");
    expect(session.socket.bytesWritten).toBeLessThan(20 * 2 ** 20);
    session.destroy();
  });

  // PROTOCOL-HTTP2.md: "immediately following".
  test("is followed by a reset at once for gRPC", async () => {
    const { send, responses, resets } = await open();
    await send(headers(1, post("/", "application/grpc"), { endStream: false }));
    await responses(1);
    await send();
    expect(resets()).toEqual([1]);
  });

  describe("of a method that sends several messages", () => {
    const PATH = "/signet.v1.ManagementService/WatchEvents";
    let service: TestService;
    beforeAll(async () => {
      service = await startService("postgres");
    });
    afterAll(() => service?.close());

    // curl 7.88 waits forever after an early response with status 200.
    test("is held back until the request has ended", async () => {
      const { send, responses, ends, resets } = openTo(service.port);
      await send(headers(1, post(PATH, "application/connect+json"), { endStream: false }));
      await send();
      expect(ends()).toEqual([]);
      await send(data(1, Buffer.alloc(1_000), { endStream: true }));
      await responses(1);
      await send();
      expect(resets()).toEqual([]);
    });

    test("is held back if an admitted call fails", async () => {
      const { send, responses, bodies, ends, resets } = openTo(service.port);
      const head = post(PATH, "application/connect+json", [["authorization", `Bearer ${service.adminToken}`]]);
      // A message with an unknown field.
      const message = Buffer.from('{"unknown":1}');
      const envelope = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
      await send(headers(1, head, { endStream: false }), data(1, envelope, { endStream: false }));
      await until("the error arrives", () => bodies().length > 0);
      await send();
      expect(ends()).toEqual([]);
      await send(data(1, Buffer.alloc(0), { endStream: true }));
      await responses(1);
      await send();
      expect(resets()).toEqual([]);
    });

    test("is followed by a reset later if the request does not end in time", async () => {
      const { send, responses, resets } = openTo(service.port);
      await send(headers(1, post(PATH, "application/connect+json"), { endStream: false }));
      await responses(1);
      await send();
      expect(resets()).toEqual([]);
      await until("the stream is reset", () => resets().length === 1);
    });

    test("is followed by a reset at once for gRPC", async () => {
      const { send, responses, resets } = openTo(service.port);
      await send(headers(1, post(PATH, "application/grpc"), { endStream: false }));
      await responses(1);
      await send();
      expect(resets()).toEqual([1]);
    });
  });
});
