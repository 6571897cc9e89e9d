import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  type Connections,
  countRows,
  frame,
  human,
  importBody,
  openConnections,
  RAW_PROTOCOLS,
  type RawProtocol,
  type RawRequest,
  type RawResponse,
  rawRequest,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const MAX_BODY_BYTES = 4_096;
const SECRET = "s3cretW0rd";

let service: TestService;
let connections: Connections;
let names = 0;
const newName = () => `user-${++names}`;

beforeAll(async () => {
  service = await startService("postgres", { MAX_BODY_BYTES: String(MAX_BODY_BYTES) });
  connections = openConnections(service.port);
});
afterAll(async () => {
  connections.close();
  await service.close();
});

/** Whatever a test has sent, the next request on the same connections is served. */
afterEach(async () => {
  const over1 = await ask("rest", importBody("rest", human(newName())));
  const over2 = await ask("grpc", importBody("grpc", human(newName())));
  expect([over1.code, over1.reused, over2.code]).toEqual([0, true, 0]);
});

function ask(protocol: RawProtocol, body: RawRequest["body"] = Buffer.alloc(0), headers: Record<string, string> = {}) {
  const all = { authorization: `Bearer ${service.adminToken}`, ...headers };
  return connections.ask(protocol, { ...rawRequest(protocol, Buffer.alloc(0), all), body });
}

/** Sends a request, and verifies that nothing was written, and that the response does not quote the request. */
async function refused(...request: Parameters<typeof ask>): Promise<RawResponse> {
  const before = await countRows(service.db);
  const response = await ask(...request);
  expect(await countRows(service.db)).toBe(before);
  expect(response.message).not.toContain(SECRET);
  expect(response.body.toString()).not.toContain(SECRET);
  return response;
}

/** HTTP status of an outcome in a protocol; gRPC and gRPC-Web always have 200. */
const httpOf = (protocol: RawProtocol, http: number) => (protocol === "grpc" || protocol === "grpc-web" ? 200 : http);

describe.each(["rest", "connect-json"] as const)("JSON over %s", (protocol) => {
  const user = JSON.stringify(human("x", { password: SECRET }));
  const withName = (text: string) => user.replace('"x"', text);

  test.each<[what: string, body: string | Buffer, fields: readonly string[], message: RegExp]>([
    ["that ends too early", user.slice(0, -1), [""], /comma or the closing bracket at line 1, column \d+$/],
    ["with a comma too many", user.replace(/}$/, ",\n}"), [""], /a key in double quotes at line 2, column 1$/],
    ["in single quotes", `{'userName': '${SECRET}'}`, [""], /at line 1, column 2$/],
    ["with text after it", `${user} ${SECRET}`, [""], /nothing more at line 1/],
    ["that is null", "null", [""], /object/],
    ["that is an array", `["${SECRET}"]`, [""], /object/],
    ["with a number for a string", withName("5"), ["userName"], /a string, is a number/],
    ["with a string for an object", `{"profile":"${SECRET}"}`, ["profile"], /an object, is a string/],
    [
      "with a string for a boolean",
      `{"passwordChangeRequired":"${SECRET}"}`,
      ["passwordChangeRequired"],
      /true or false/,
    ],
    ["with an unknown field", user.replace("{", `{"surname":"${SECRET}",`), ["surname"], /is not a known field/],
    [
      "with an unknown enum name",
      user.replace('"firstName"', '"gender":"F","firstName"'),
      ["profile.gender"],
      /GENDER_FEMALE/,
    ],
    ["with a key twice", user.replace("{", `{"userName":"${SECRET}",`), [""], /"userName" is given twice at line 1/],
    ["with a field by both names", user.replace("{", `{"user_name":"${SECRET}",`), ["userName"], /given twice/],
    ["with an escaped lone surrogate", withName('"\\ud800"'), ["userName"], /lone surrogates/],
    ["with a surrogate in UTF-8", Buffer.from(withName('"\xed\xa0\x80"'), "latin1"), [""], /not valid UTF-8/],
    ["with an escaped NUL", withName('"a\\u0000b"'), ["userName"], /userName/],
    ["with a bare NUL", withName('"a\0b"'), [""], /an invalid escape/],
    ["in Latin-1", Buffer.from(withName('"\xe9"'), "latin1"), [""], /not valid UTF-8/],
    ["in UTF-16", Buffer.from(`\ufeff${user}`, "utf16le"), [""], /not valid UTF-8/],
    ["nested a thousand deep", "[".repeat(1_000) + "]".repeat(1_000), [""], /more than 100 levels deep/],
    [
      "with nesting in a field",
      `{"profile":${'{"firstName":'.repeat(90)}1${"}".repeat(90)}}`,
      ["profile.firstName"],
      /a string, is an object/,
    ],
  ])("%s is rejected with the position of its first problem", async (_what, body, fields, message) => {
    expect(await refused(protocol, Buffer.from(body as string))).toMatchObject({
      http: 400,
      code: 3,
      reason: "INVALID_ARGUMENT",
      fields,
      message: expect.stringMatching(message),
    });
  });

  test("after a byte order mark is read (RFC 8259, section 8.1)", async () => {
    expect(await ask(protocol, Buffer.from(`\ufeff${JSON.stringify(human(newName()))}`))).toMatchObject({ code: 0 });
  });

  test("with the charset UTF-8 is read", async () => {
    const body = importBody(protocol, human(newName()));
    expect(await ask(protocol, body, { "content-type": "application/json; charset=utf-8" })).toMatchObject({ code: 0 });
  });
});

const BINARY_FORMS = ["grpc", "grpc-web", "connect-proto"] as const;
const wrap = (protocol: (typeof BINARY_FORMS)[number], message: Buffer) =>
  protocol === "connect-proto" ? message : frame(message);
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe.each(BINARY_FORMS)("protobuf over %s", (protocol) => {
  const good = () => importBody("connect-proto", human(newName()));

  test.each([
    ["a varint that does not end", "0a ff"],
    ["a varint of more than ten bytes", "38 ff ff ff ff ff ff ff ff ff ff 01"],
    ["a field that is longer than the message", "0a 05 61"],
    // protobuf.dev/programming-guides/encoding: wire types are 0 to 5, field numbers begin with 1.
    ["a tag of wire type 7", "0f"],
    ["a tag of field 0", "02 00"],
    ["an end of a group that has not begun", "0c"],
    // Parsers of other languages skip it as unknown, and then miss the field.
    ["a field of another wire type than its own", "08 01"],
    // protobuf.dev/programming-guides/proto3: "A string must always contain UTF-8 encoded or 7-bit ASCII text".
    ["a string that is not UTF-8", "0a 01 ff"],
    ["a string with a surrogate", "0a 03 ed a0 80"],
    ["a message within it that is malformed", "12 02 0a 05"],
  ])("%s is rejected", async (_what, bytes) => {
    const response = await refused(protocol, wrap(protocol, hex(bytes)));
    expect(response).toMatchObject({ http: httpOf(protocol, 400), code: 3, reason: "INVALID_ARGUMENT", fields: [""] });
  });

  test("an unknown field is skipped", async () => {
    expect(await ask(protocol, wrap(protocol, Buffer.concat([good(), hex("c2 3e 03 01 02 03")])))).toMatchObject({
      code: 0,
    });
  });

  test("with a repeated field uses the last occurrence (protobuf.dev, encoding)", async () => {
    const name = newName();
    const last = Buffer.concat([Buffer.of(0x0a, name.length), Buffer.from(name)]);
    expect(await ask(protocol, wrap(protocol, Buffer.concat([good(), last])))).toMatchObject({ code: 0 });
    expect(await service.db.selectFrom("users").select("id").where("user_name", "=", name).execute()).toHaveLength(1);
  });
});

describe.each(["grpc", "grpc-web"] as const)("frames over %s", (protocol) => {
  const message = (name = newName()) => importBody("connect-proto", human(name));
  const malformed = { http: 200, code: 3, reason: "INVALID_ARGUMENT", fields: [""] };

  test("a frame that is truncated at any byte is rejected", async () => {
    const whole = frame(message());
    for (let length = 1; length < whole.length; length += 1) {
      expect([length, await refused(protocol, whole.subarray(0, length))]).toMatchObject([length, malformed]);
    }
  });

  // grpc/doc/statuscodes.md: "Request cardinality violation (method requires exactly one request but client sent some
  // other number of requests) | UNIMPLEMENTED".
  test.each([
    ["no message", () => Buffer.alloc(0)],
    ["two messages", () => Buffer.concat([frame(message()), frame(message())])],
    ["a message and an empty one", () => Buffer.concat([frame(message()), frame(Buffer.alloc(0))])],
  ])("%s results in UNIMPLEMENTED", async (_what, body) => {
    expect(await refused(protocol, body())).toMatchObject({ http: 200, code: 12 });
  });

  test("an empty message is read, and lacks required fields", async () => {
    const response = await refused(protocol, frame(Buffer.alloc(0)));
    expect(response).toMatchObject({ code: 3, fields: expect.arrayContaining(["userName"]) });
  });

  test.each([
    ["with a length beyond its body", () => frame(message(), 0, 4_000)],
    ["with a length beyond any limit", () => frame(message(), 0, 0xffff_ffff)],
    ["with a length that is too small", () => frame(message(), 0, 10)],
    ["with bytes after it", () => Buffer.concat([frame(message()), Buffer.of(0)])],
    // PROTOCOL-HTTP2.md: "Compressed-Flag → 0 / 1"; with 0x80, a gRPC-Web frame contains trailers, which requests do
    // not have.
    ["with the flag 0x02", () => frame(message(), 2)],
    ["with the flag 0x80", () => frame(message(), 0x80)],
    ["with the flags 0x81", () => frame(message(), 0x81)],
  ])("a frame %s is rejected", async (_what, body) => {
    expect(await refused(protocol, body())).toMatchObject(malformed);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("a message in %s is read", async (encoding, compress) => {
    const response = await ask(protocol, frame(compress(message()), 1), { "grpc-encoding": encoding });
    expect(response).toMatchObject({ http: 200, code: 0 });
  });

  test("an uncompressed message is read in spite of grpc-encoding: gzip", async () => {
    expect(await ask(protocol, frame(message()), { "grpc-encoding": "gzip" })).toMatchObject({ code: 0 });
  });

  test("a malformed compressed message is rejected like an uncompressed one", async () => {
    const response = await refused(protocol, frame(gzipSync(hex("0a 01 ff")), 1), { "grpc-encoding": "gzip" });
    expect(response).toMatchObject(malformed);
  });

  // compression.md: "An ill-constructed message with its Compressed-Flag bit set but lacking a grpc-encoding entry
  // different from identity in its metadata MUST fail with INTERNAL status".
  test.each([{}, { "grpc-encoding": "identity" }])(
    "the compressed flag with %j results in INTERNAL",
    async (headers) => {
      expect(await refused(protocol, frame(gzipSync(message()), 1), headers)).toMatchObject({ http: 200, code: 13 });
    },
  );

  // statuscodes.md: "Could not decompress, but compression algorithm supported (Client -> Server) | INTERNAL".
  test("a body that is falsely declared as gzip fails with INTERNAL", async () => {
    const response = await refused(protocol, frame(message(), 1), { "grpc-encoding": "gzip" });
    expect(response).toMatchObject({ http: 200, code: 13 });
  });

  // compression.md: "compressed with an unsupported algorithm [...] WILL result in an UNIMPLEMENTED error status on the
  // server. The server will then include in its response a grpc-accept-encoding header".
  test.each(["deflate", "toString"])("grpc-encoding: %s results in UNIMPLEMENTED", async (encoding) => {
    const response = await refused(protocol, frame(message(), 1), { "grpc-encoding": encoding });
    expect(response).toMatchObject({ http: 200, code: 12, reason: "COMPRESSION_UNKNOWN" });
    expect(response.headers["grpc-accept-encoding"]).toBe("gzip,br");
  });

  test("JSON in frames must follow the rules of JSON", async () => {
    const headers = { "content-type": `application/${protocol}+json` };
    const twice = Buffer.from(`{"userName":"${SECRET}","userName":"b"}`);
    expect(await refused(protocol, frame(twice), headers)).toMatchObject({ ...malformed, message: /given twice/ });
    expect(await ask(protocol, frame(importBody("rest", human(newName()))), headers)).toMatchObject({
      http: 200,
      code: 0,
    });
  });
});

describe.each(["connect-json", "connect-proto"] as const)("compression over %s", (protocol) => {
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("a body in %s is read", async (encoding, compress) => {
    const body = compress(importBody(protocol, human(newName())));
    expect(await ask(protocol, body, { "content-encoding": encoding })).toMatchObject({ http: 200, code: 0 });
  });

  test("a body that is not gzip as declared is rejected", async () => {
    const response = await refused(protocol, Buffer.from(SECRET), { "content-encoding": "gzip" });
    expect(response).toMatchObject({ http: 400, code: 3, reason: "INVALID_ARGUMENT" });
  });

  test("an unknown compression fails with unimplemented", async () => {
    const response = await refused(protocol, Buffer.from(SECRET), { "content-encoding": "deflate" });
    const message = expect.stringContaining("gzip,br");
    expect(response).toMatchObject({ code: 12, reason: "COMPRESSION_UNKNOWN", message });
    expect(response.headers["accept-encoding"]).toBe("gzip,br");
  });
});

test.each(["grpc", "grpc-web", "connect-json", "connect-proto"] as const)(
  "a malformed timeout over %s is rejected with its name",
  async (protocol) => {
    const name = protocol.startsWith("grpc") ? "grpc-timeout" : "connect-timeout-ms";
    for (const timeout of ["soon", "-1", "12345678901S", ""]) {
      const response = await refused(protocol, importBody(protocol, human(newName())), { [name]: timeout });
      expect(response).toMatchObject({ code: 3, reason: "INVALID_ARGUMENT", fields: [name] });
    }
  },
);

test("compressed JSON must follow the rules of JSON", async () => {
  const twice = gzipSync(Buffer.from(`{"userName":"${SECRET}","userName":"b"}`));
  const response = await refused("connect-json", twice, { "content-encoding": "gzip" });
  expect(response).toMatchObject({ http: 400, code: 3, reason: "INVALID_ARGUMENT", message: /given twice/ });
});

/** An import whose message has the given number of bytes, padded with spaces or an unknown field. */
function importOfSize(protocol: RawProtocol, size: number): Buffer {
  if (protocol === "rest" || protocol === "connect-json") {
    return Buffer.from(JSON.stringify(human(newName())).padEnd(size, " "));
  }
  const message = importBody("connect-proto", human(newName()));
  const rest = size - message.length - 4;
  const filler = Buffer.concat([hex("c23e"), Buffer.of((rest & 0x7f) | 0x80, rest >> 7), Buffer.alloc(rest)]);
  return wrap(protocol, Buffer.concat([message, filler]));
}

describe.each(RAW_PROTOCOLS)("the size of a body over %s", (protocol) => {
  const tooLarge = { http: httpOf(protocol, protocol === "rest" ? 413 : 429), code: 8, reason: "BODY_TOO_LARGE" };
  const split = (body: Buffer) => [body.subarray(0, 1), body.subarray(1, 2_000), body.subarray(2_000)];
  const sized = (body: Buffer) => ({ "content-length": String(body.length) });

  test("of exactly the limit is read, with content-length and without", async () => {
    const body = importOfSize(protocol, MAX_BODY_BYTES);
    expect(await ask(protocol, body, sized(body))).toMatchObject({ code: 0 });
    expect(await ask(protocol, split(importOfSize(protocol, MAX_BODY_BYTES)))).toMatchObject({ code: 0 });
  });

  test("of one more byte is rejected, with and without content-length", async () => {
    const body = importOfSize(protocol, MAX_BODY_BYTES + 1);
    const message = `the body has more than ${MAX_BODY_BYTES} bytes`;
    expect(await refused(protocol, body, sized(body))).toMatchObject({ ...tooLarge, message });
    expect(await refused(protocol, split(body))).toMatchObject({ ...tooLarge, message });
  });

  test("of three MiB is rejected, and the connection serves the next request", async () => {
    expect(await refused(protocol, Buffer.alloc(3 << 20, " "))).toMatchObject(tooLarge);
  });

  if (protocol === "rest") return;
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("is the size of the message if it is in %s", async (encoding, compress) => {
    const isFramed = protocol.startsWith("grpc");
    const message = (size: number) => importOfSize(protocol, size).subarray(isFramed ? 5 : 0);
    const headers = { [isFramed ? "grpc-encoding" : "content-encoding"]: encoding };
    const compressed = (bytes: Buffer) => (isFramed ? frame(compress(bytes), 1) : compress(bytes));
    expect(await ask(protocol, compressed(message(MAX_BODY_BYTES)), headers)).toMatchObject({ code: 0 });
    expect(await refused(protocol, compressed(message(MAX_BODY_BYTES + 1)), headers)).toMatchObject(tooLarge);
    expect(await refused(protocol, compressed(Buffer.alloc(2 << 20)), headers)).toMatchObject(tooLarge);
  });
});

test("a REST body of exactly the limit is accepted together with fields in the path", async () => {
  const path = `/management/v1/users/${"x".repeat(200)}/phone`;
  const body = Buffer.from(`{"phone":"${"1".repeat(MAX_BODY_BYTES - 12)}"}`);
  const headers = { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" };
  expect(body).toHaveLength(MAX_BODY_BYTES);
  expect(await connections.ask("rest", { method: "PUT", path, headers, body })).toMatchObject({
    http: 400,
    reason: "INVALID_ARGUMENT",
    fields: ["phone"],
  });
});

test("a hundred concurrent calls over one HTTP/2 connection all get a response", async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      number % 2 === 0 ? ask("grpc", importBody("grpc", human(newName()))) : ask("grpc", hex("00 00 00")),
    ),
  );
  expect(responses.map(({ code }) => code)).toEqual(responses.map((_, number) => (number % 2 === 0 ? 0 : 3)));
});
