import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { createFrameReader } from "../../attack/raw-session.ts";
import {
  data,
  ERROR_CODE,
  encodeFields,
  encodeIndexedField,
  encodeReferences,
  type Field,
  FLAG,
  FRAME,
  headers,
  PREFACE,
  resetStream,
  settings,
} from "./http2-frames.ts";

const HEAD: Field[] = [
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/x"],
  [":authority", "localhost"],
];

/** How Node's HTTP/2 server parses frames: the stream, the header fields and the body. */
async function receive(frames: Buffer[]): Promise<{ fields: IncomingHttpHeaders; body: string; code: number }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(Buffer.concat([PREFACE, settings(), ...frames]));
  const [stream, fields] = (await once(server, "stream")) as [ServerHttp2Stream, IncomingHttpHeaders];
  let body = "";
  stream.on("error", () => {});
  stream.on("data", (chunk) => {
    body += chunk;
  });
  await once(stream, stream.readableEnded ? "close" : "end");
  const code = stream.rstCode;
  stream.destroy();
  socket.destroy();
  server.close();
  return { fields, body, code };
}

test("a request in handwritten frames arrives with its fields and its body", async () => {
  const long = "a".repeat(5_000);
  const block = encodeFields([...HEAD, ["x-long", long]]);
  const { fields, body } = await receive([
    headers(1, block, { endStream: false }),
    data(1, Buffer.from("hello "), { endStream: false }),
    data(1, Buffer.from("world"), { endStream: true }),
  ]);
  expect(fields).toMatchObject({ ":path": "/x", "x-long": long });
  expect(body).toBe("hello world");
});

test("references repeat the newest entry of the header table", async () => {
  const block = Buffer.concat([encodeFields(HEAD), encodeIndexedField(["x-bomb", "b"]), encodeReferences(3)]);
  const { fields } = await receive([headers(1, block, { endStream: true })]);
  expect(fields["x-bomb"]).toBe("b, b, b, b");
});

test("a reset contains its code", async () => {
  const { code } = await receive([
    headers(1, encodeFields(HEAD), { endStream: false }),
    resetStream(1, ERROR_CODE.cancel),
  ]);
  expect(code).toBe(ERROR_CODE.cancel);
});

test("the reader finds the frames regardless of how the bytes are split", () => {
  const frames = [settings([[4, 0]]), data(3, Buffer.alloc(100), { endStream: true }), resetStream(5, 8)];
  const bytes = Buffer.concat(frames);
  for (const size of [1, 7, 9, 50, bytes.length]) {
    const seen: number[][] = [];
    const read = createFrameReader((...head) => seen.push(head));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(seen).toEqual([
      [FRAME.settings, 0, 0],
      [FRAME.data, FLAG.endStream, 3],
      [FRAME.resetStream, 0, 5],
    ]);
  }
});
