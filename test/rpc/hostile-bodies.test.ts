import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { SignetError } from "../../src/errors.ts";
import { checkBody } from "../../src/rpc/connect/request-body.ts";
import { COMPRESSED, readOnlyFrame, toFrame } from "../../src/rpc/grpc/frames.ts";
import { parseJson } from "../../src/rpc/json/json-syntax.ts";
import { readMessage } from "../../src/rpc/json/read-message.ts";
import { readBinary } from "../../src/rpc/read-binary.ts";
import { createHostileBinary } from "../support/hostile-binary.ts";
import { MIB } from "../support/hostile-body.ts";
import { createHostileJson } from "../support/hostile-json.ts";

const method = ManagementService.method.importHumanUser;

/** How a body is answered: the message of the error, or undefined. */
async function problemOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof SignetError && error.reason === "INVALID_ARGUMENT") return error.message;
    throw error;
  }
}

/** All that reads bodies has the same answer: the readers, and Connect for compressed bodies, framed or not. */
async function expectProblem(problem: string | undefined, body: Buffer, json: boolean) {
  const check = (bytes: Buffer, framed: boolean, compression: string) => () =>
    checkBody(bytes, method, { framed, json, compression }, MIB);
  const answers = await Promise.all(
    [
      () => (json ? readMessage(method.input, parseJson(body)) : readBinary(method.input, body)),
      check(body, false, "identity"),
      check(gzipSync(body, { level: 1 }), false, "gzip"),
      check(toFrame(COMPRESSED, brotliCompressSync(body, { params: { 1: 0 } })), true, "br"),
    ].map(problemOf),
  );
  const [answer] = answers;
  expect(answers).toEqual(answers.map(() => answer));
  expect(answer?.slice(0, problem?.length)).toBe(problem);
}

describe("JSON of 1 MiB with", () => {
  test.each(createHostileJson().map((each) => [each.name, each] as const))("%s", async (_name, { body, problem }) => {
    expect(body.length).toBeLessThanOrEqual(MIB);
    await expectProblem(problem, body, true);
  });
});

describe("protobuf of 1 MiB with", () => {
  test.each(createHostileBinary().map((each) => [each.name, each] as const))("%s", async (_name, { body, problem }) => {
    expect(body.length).toBeLessThanOrEqual(MIB);
    await expectProblem(problem, body, false);
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
