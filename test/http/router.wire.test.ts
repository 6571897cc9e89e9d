import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:http2";
import type { Exchange } from "../../src/http/exchange.ts";
import { createPort, type Port } from "../../src/http/port.ts";
import { createRouter } from "../../src/http/router.ts";

const BYTES = Buffer.of(0, 0xff, 0x80);
const COOKIES = ["a=1; Path=/", "b=2; Path=/"];

let port: Port;
let number = 0;
beforeAll(async () => {
  port = createPort({
    handler: createRouter(
      [
        {
          prefix: "/node/",
          nodeHandler(request, response) {
            let length = 0;
            request.on("data", (chunk: Buffer) => {
              length += chunk.length;
            });
            request.on("end", () => {
              response.setHeader("set-cookie", COOKIES);
              response.setHeader("x-received", `${request.method} ${request.url} ${length}`);
              response.end(BYTES);
            });
          },
        },
        { prefix: "/exact", handler: (exchange) => exchange.send(200, ["x-mount", "exact"], BYTES) },
        {
          prefix: "/below/",
          handler: (exchange) =>
            exchange.send(
              200,
              COOKIES.flatMap((cookie) => ["set-cookie", cookie]),
              BYTES,
            ),
        },
      ],
      (exchange: Exchange) => exchange.send(404, [], Buffer.from(exchange.path)),
    ),
  });
  number = (await port.listen(0, "127.0.0.1")).port;
});
afterAll(() => port.drain(0));

interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

type Ask = (method: string, path: string, body?: string) => Promise<TestResponse>;

const askHttp1: Ask = (method, path, body = "") =>
  new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port: number, method, path, agent: new Agent() }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on("error", reject)
      .end(body);
  });

const askHttp2: Ask = async (method, path, body = "") => {
  const session = connect(`http://127.0.0.1:${number}`);
  const stream = session.request({ ":method": method, ":path": path });
  const { promise, resolve, reject } = Promise.withResolvers<TestResponse>();
  let headers: Record<string, unknown> = {};
  const chunks: Buffer[] = [];
  stream.on("response", (received) => {
    headers = received;
  });
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("end", () => resolve({ status: Number(headers[":status"]), headers, body: Buffer.concat(chunks) }));
  stream.on("error", reject);
  if (method !== "GET") stream.end(body);
  return promise.finally(() => session.close());
};

describe.each<[string, Ask]>([
  ["HTTP/1.1", askHttp1],
  ["HTTP/2", askHttp2],
])("over %s", (_version, ask) => {
  test("a plain Node callback reads the request, and responds with bytes and repeated cookies", async () => {
    const { status, headers, body } = await ask("POST", "/node/a?b=c", "hello");
    expect({ status, received: headers["x-received"] }).toEqual({ status: 200, received: "POST /node/a?b=c 5" });
    expect(headers["set-cookie"]).toEqual(COOKIES);
    expect(body).toEqual(BYTES);
  });

  test("a handler responds with bytes and repeated cookies", async () => {
    const { status, headers, body } = await ask("GET", "/below/x");
    expect(status).toBe(200);
    expect(headers["set-cookie"]).toEqual(COOKIES);
    expect(body).toEqual(BYTES);
  });

  test("a prefix without a final slash is one path, and any other goes to the fallback", async () => {
    expect((await ask("GET", "/exact")).headers["x-mount"]).toBe("exact");
    expect(await ask("GET", "/exact/more")).toMatchObject({ status: 404, body: Buffer.from("/exact/more") });
    expect(await ask("GET", "/below")).toMatchObject({ status: 404 });
  });
});
