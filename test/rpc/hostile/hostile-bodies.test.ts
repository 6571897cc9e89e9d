import { brotliCompressSync, gzipSync } from "node:zlib";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { SignetError } from "../../../src/errors.ts";
import { checkBody } from "../../../src/rpc/connect/request-body.ts";
import { COMPRESSED, readOnlyFrame, toFrame } from "../../../src/rpc/grpc/frames.ts";
import { parseJson } from "../../../src/rpc/json/json-syntax.ts";
import { readMessage } from "../../../src/rpc/json/read-message.ts";
import { readBinary } from "../../../src/rpc/read-binary.ts";
import { createHostileBinary } from "./hostile-binary.ts";
import { MIB } from "./hostile-body.ts";
import { createHostileJson } from "./hostile-json.ts";

const method = ManagementService.method.importHumanUser;

/** The message of the error that a function throws, or undefined. */
async function problemOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof SignetError && error.reason === "INVALID_ARGUMENT") return error.message;
    throw error;
  }
}

describe.each([
  {
    format: "JSON",
    bodies: createHostileJson(),
    read: (body: Buffer) => readMessage(method.input, parseJson(body, method.input)),
  },
  { format: "protobuf", bodies: createHostileBinary(), read: (body: Buffer) => readBinary(method.input, body) },
])("$format of 1 MiB with", ({ format, bodies, read }) => {
  test.each(bodies.map((each) => [each.name, each] as const))("%s", async (_name, { body, problem }) => {
    expect(body.length).toBeLessThanOrEqual(MIB);
    const response = await problemOf(() => read(body));
    expect(response?.slice(0, problem?.length)).toBe(problem);
  });

  test("empty items has the same result over Connect, plain, compressed, and in a frame", async () => {
    const { body, problem } = bodies.find(({ name }) => name === "empty items") ?? {};
    if (body === undefined) throw new Error("there is no such body");
    const check = (bytes: Buffer, framed: boolean, compression: string) =>
      problemOf(() => checkBody(bytes, method, { framed, json: format === "JSON", compression }, MIB));
    const small = gzipSync(body);
    expect(small.length).toBeLessThan(MIB / 500);
    const response = await check(body, false, "identity");
    expect(response?.slice(0, problem?.length)).toBe(problem);
    expect(await check(small, false, "gzip")).toBe(response);
    expect(await check(brotliCompressSync(body), false, "br")).toBe(response);
    expect(await check(toFrame(COMPRESSED, small), true, "gzip")).toBe(response);
    expect(await check(toFrame(0, body), true, "identity")).toBe(response);
  });
});

describe("a body of 1 MiB with", () => {
  const empty = toFrame(0, Buffer.alloc(0));
  const all = Buffer.concat(Array<Buffer>(Math.floor(MIB / empty.length)).fill(empty));

  test("empty frames has too many messages", () => {
    expect(() => readOnlyFrame(all)).toThrow("the body of a unary call has more than one message");
  });

  test("empty frames and half a frame is malformed", () => {
    expect(() => readOnlyFrame(Buffer.concat([all, Buffer.of(0)]))).toThrow("the body ends in the middle of a frame");
  });
});
