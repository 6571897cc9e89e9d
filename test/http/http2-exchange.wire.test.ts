import { once } from "node:events";
import { connect, sensitiveHeaders } from "node:http2";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createPort } from "../../src/http/port.ts";

const BODY = Buffer.from("body");
const port = createPort({
  handler(exchange) {
    const headers = ["x-request-id", exchange.id, "x-other", "1"];
    const body = exchange.path === "/empty" ? undefined : BODY;
    exchange.send(200, headers, body, exchange.path === "/" ? undefined : ["x-trailer", "1"]);
  },
});
let number = 0;
beforeAll(async () => {
  number = (await port.listen(0, "127.0.0.1")).port;
});
afterAll(() => port.drain(0));

test.each(["/", "/empty", "/trailers"])("HPACK indexes all headers but the request id: %s", async (path) => {
  const session = connect(`http://127.0.0.1:${number}`);
  const stream = session.request({ ":path": path });
  const [headers] = (await once(stream, "response")) as [Record<string | symbol, unknown>];
  stream.resume();
  await once(stream, "close");
  session.close();
  expect(headers).toMatchObject({ ":status": 200, "x-other": "1", "x-request-id": expect.any(String) });
  expect(headers[sensitiveHeaders]).toEqual(["x-request-id"]);
});
