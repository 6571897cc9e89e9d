import { readFileSync } from "node:fs";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack, durationMs } from "@bufbuild/protobuf/wkt";
import grpc from "@grpc/grpc-js";
import { RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { type Reason, SignetError } from "../../../src/errors.ts";
import { toErrorResponse } from "../../../src/http/error-object.ts";
import { createPort, type Port } from "../../../src/http/port.ts";
import { toGrpcTrailers } from "../../../src/rpc/grpc/protocol.ts";
import { toStatus } from "../../../src/rpc/status.ts";
import { frame } from "../../support/clients/raw-calls.ts";

const SERVICE_CONFIG = readFileSync("examples/clients/service-config.json", "utf8");

let port: Port;
let client: grpc.Client;
/** The errors that the next calls get, and how many calls have arrived. */
let failures: Reason[];
let calls: number;
beforeEach(async () => {
  calls = 0;
  port = createPort({
    handler(exchange) {
      calls += 1;
      const type = ["content-type", "application/grpc"];
      const reason = failures.shift();
      if (reason === undefined) exchange.send(200, type, frame(Buffer.alloc(0)), ["grpc-status", "0"]);
      else exchange.send(200, type, undefined, toGrpcTrailers(new SignetError(reason, "try again")));
    },
  });
  const { port: number } = await port.listen(0, "127.0.0.1");
  client = new grpc.Client(`127.0.0.1:${number}`, grpc.credentials.createInsecure(), {
    "grpc.service_config": SERVICE_CONFIG,
  });
});
afterEach(async () => {
  client.close();
  await port.drain(0);
});

/** The code of a call's outcome. */
function call(method: string): Promise<number> {
  const none = () => Buffer.alloc(0);
  const path = `/signet.v1.${method}`;
  return new Promise((resolve) =>
    client.makeUnaryRequest(path, none, none, {}, { deadline: Date.now() + 120_000 }, (error) =>
      resolve(error?.code ?? 0),
    ),
  );
}

describe("a client with the documented service config retries", () => {
  test.each([
    ["an import after UNAVAILABLE", "ManagementService/ImportHumanUser", ["UNAVAILABLE", "UNAVAILABLE"], 0, 3],
    ["a phone number after ABORTED", "ManagementService/UpdateHumanPhone", ["ABORTED"], 0, 2],
    ["a provider after ABORTED", "AdminService/AddOIDCIDP", ["ABORTED"], 0, 2],
    ["a list of applications after UNAVAILABLE", "ManagementService/ListApps", ["UNAVAILABLE"], 0, 2],
    ["no provider after UNAVAILABLE", "ManagementService/AddOrgOIDCIDP", ["UNAVAILABLE"], 14, 1],
    ["no import after a rejection", "ManagementService/ImportHumanUser", ["USER_NAME_TAKEN"], 6, 1],
  ] as const)("%s", async (_title, method, reasons, code, count) => {
    failures = [...reasons];
    expect(await call(method)).toBe(code);
    expect(calls).toBe(count);
  });
});

test.each([
  ["UNAVAILABLE", 1_000, "1s", ["retry-after", "1"]],
  ["ABORTED", 100, "0.100s", []],
] as const)("%s says when to retry in each form, and the header has whole seconds", (reason, ms, json, header) => {
  const error = new SignetError(reason, "try again");
  const [, retry] = toStatus(error).details;
  const info = retry && anyUnpack(retry, RetryInfoSchema);
  expect(info?.retryDelay && durationMs(info.retryDelay)).toBe(ms);
  const { headers, body } = toErrorResponse(error);
  const [, , ...others] = headers;
  expect(JSON.parse(body.toString()).details[1].retryDelay).toBe(json);
  expect(others).toEqual(header);
});

test("the metadata of an error is the same in JSON and protobuf, and empty metadata is omitted in JSON", () => {
  const error = new SignetError("BODY_TOO_LARGE", "too large", { metadata: { limit: "5" } });
  const status = fromBinary(StatusSchema, toBinary(StatusSchema, create(StatusSchema, toStatus(error))));
  expect(Buffer.from(status.details[0]?.value ?? []).toString()).toContain("limit");
  expect(JSON.parse(toErrorResponse(error).body.toString()).details[0].metadata).toEqual({ limit: "5" });
  const plain = toErrorResponse(new SignetError("TOKEN_INVALID", "unknown"));
  expect(JSON.parse(plain.body.toString()).details[0]).not.toHaveProperty("metadata");
});
