import { connect, type Socket } from "node:net";
import type { Exchange, Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";
import {
  data,
  ERROR_CODE,
  encodeFields,
  FRAME,
  frame,
  HELLO,
  headers,
  resetStream,
  SETTING,
  settings,
} from "../support/clients/http2-frames.ts";

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
