import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRegistry, type DescFile, type DescMessage, fromBinary, getOption, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { loadSync } from "@grpc/proto-loader";
import { FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.js";
import { file_signet_v1_admin } from "../../gen/signet/v1/admin_pb.js";
import { file_signet_v1_management } from "../../gen/signet/v1/management_pb.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signet-proto-"));
  cpSync("proto", join(folder, "proto"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("proto/ compiles on its own, and its validate.proto is the one of the installed protovalidate", () => {
  const image = join(folder, "image.binpb");
  execFileSync(process.execPath, [resolve("node_modules/@bufbuild/buf/bin/buf"), "build", "proto", "-o", image], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH },
  });
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
  const built = file.find(({ name }) => name === "buf/validate/validate.proto");
  expect(built && contentOf(built)).toEqual(contentOf(file_buf_validate_validate.proto));
});

test("a gRPC client that loads .proto files needs only proto/", () => {
  const definition = loadSync(["signet/v1/admin.proto", "signet/v1/management.proto"], {
    includeDirs: [join(folder, "proto")],
  });
  expect(Object.keys(definition["signet.v1.ManagementService"] ?? {})).toContain("ImportHumanUser");
});

test("the contract is ASCII, because compilers read the comments of generated code in the encoding of the machine", () => {
  const names = readdirSync("proto/signet/v1").filter((name) =>
    /[^\n\x20-\x7e]/.test(readFileSync(`proto/signet/v1/${name}`, "utf8")),
  );
  expect(names).toEqual([]);
});

test("every field of the contract says whether it is required, optional or output only", () => {
  const missing: string[] = [];
  for (const file of [file_signet_v1_admin, file_signet_v1_management]) collect(file);
  expect(missing).toEqual([]);

  function collect(file: DescFile): void {
    if (!file.proto.name.startsWith("signet/")) return;
    for (const message of file.messages) collectMessage(message);
    for (const imported of file.dependencies) collect(imported);
  }

  function collectMessage(message: DescMessage): void {
    for (const each of message.fields) {
      const [behavior = FieldBehavior.FIELD_BEHAVIOR_UNSPECIFIED] = getOption(each, field_behavior);
      if (!BEHAVIORS.includes(behavior)) missing.push(`${each}`);
    }
    for (const nested of message.nestedMessages) collectMessage(nested);
  }
});

const BEHAVIORS = [FieldBehavior.REQUIRED, FieldBehavior.OPTIONAL, FieldBehavior.OUTPUT_ONLY];

/** Without what compilers add. */
function contentOf(file: FileDescriptorProto): unknown {
  const json = toJson(FileDescriptorProtoSchema, file, { registry: createRegistry(file_buf_validate_validate) });
  return JSON.parse(JSON.stringify(json, (key, value) => (ADDED.includes(key) ? undefined : value)));
}

const ADDED = ["jsonName", "sourceCodeInfo"];
