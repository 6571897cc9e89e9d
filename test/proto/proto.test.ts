import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRegistry, fromBinary, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { loadSync } from "@grpc/proto-loader";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signet-proto-"));
  cpSync("proto", join(folder, "proto"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("proto/ compiles by itself, and its validate.proto is that of the installed protovalidate", () => {
  const image = join(folder, "image.binpb");
  execFileSync(process.execPath, [resolve("node_modules/@bufbuild/buf/bin/buf"), "build", "proto", "-o", image], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH },
  });
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
  const built = file.find(({ name }) => name === "buf/validate/validate.proto");
  expect(built && contentOf(built)).toEqual(contentOf(file_buf_validate_validate.proto));
});

test("a gRPC client that loads .proto files needs nothing but proto/", () => {
  const definition = loadSync(["signet/v1/admin.proto", "signet/v1/management.proto"], {
    includeDirs: [join(folder, "proto")],
  });
  expect(Object.keys(definition["signet.v1.ManagementService"] ?? {})).toContain("ImportHumanUser");
});

/** Without what compilers add. */
function contentOf(file: FileDescriptorProto): unknown {
  const json = toJson(FileDescriptorProtoSchema, file, { registry: createRegistry(file_buf_validate_validate) });
  return JSON.parse(JSON.stringify(json, (key, value) => (ADDED.includes(key) ? undefined : value)));
}

const ADDED = ["jsonName", "sourceCodeInfo"];
