import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createFileRegistry, fromBinary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "../../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { human } from "../../support/clients/raw-calls.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

type Question = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"]>;
type TestResponse = MessageShape<typeof ServerReflectionResponseSchema>["messageResponse"];

let service: TestService;
beforeAll(async () => {
  service = await startService("embedded");
});
afterAll(() => service.close());

const transport = () => createGrpcTransport({ baseUrl: service.origin });

/** Sends requests on one stream. */
async function ask(...questions: Question[]): Promise<TestResponse[]> {
  async function* requests() {
    for (const messageRequest of questions) yield { messageRequest };
  }
  const responses: TestResponse[] = [];
  const client = createClient(ServerReflection, transport());
  for await (const { messageResponse } of client.serverReflectionInfo(requests())) responses.push(messageResponse);
  return responses;
}

/** Names of the files in a response; the code of an error. */
function filesOf({ case: kind, value }: TestResponse): string[] | number | undefined {
  if (kind === "errorResponse") return value.errorCode;
  if (kind !== "fileDescriptorResponse") return undefined;
  return value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
}

test("lists every service", async () => {
  const [response] = await ask({ case: "listServices", value: "*" });
  expect(response).toMatchObject({ case: "listServicesResponse" });
  expect(response?.case === "listServicesResponse" && response.value.service.map(({ name }) => name)).toEqual([
    "signet.v1.AdminService",
    "signet.v1.ManagementService",
    "signet.v1.AuthService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
  ]);
});

describe("a symbol is found in its file:", () => {
  test.each([
    ["a service", "signet.v1.ManagementService", "signet/v1/management.proto"],
    ["a method", "signet.v1.ManagementService.ImportHumanUser", "signet/v1/management.proto"],
    ["a nested message", "signet.v1.ImportHumanUserRequest.Profile", "signet/v1/management.proto"],
    ["a field", "signet.v1.ImportHumanUserRequest.Profile.first_name", "signet/v1/management.proto"],
    ["an enum", "signet.v1.Gender", "signet/v1/user.proto"],
    ["an enum value", "signet.v1.GENDER_DIVERSE", "signet/v1/user.proto"],
    ["an extension", "signet.v1.permission", "signet/v1/options.proto"],
    ["an imported message", "buf.validate.FieldRules", "buf/validate/validate.proto"],
    ["health", "grpc.health.v1.Health", "grpc/health/v1/health.proto"],
    ["an error detail", "google.rpc.ErrorInfo", "google/rpc/error_details.proto"],
    ["the status of an error", "google.rpc.Status", "google/rpc/status.proto"],
  ])("%s", async (_title, value, file) => {
    const [bySymbol, byName] = await ask(
      { case: "fileContainingSymbol", value },
      { case: "fileByFilename", value: file },
    );
    expect(bySymbol && filesOf(bySymbol)).toContainEqual(file);
    expect(byName && filesOf(byName)).toEqual([file]);
  });
});

test("a file is sent with its imports, which are sent once per stream, the requested file each time", async () => {
  const question = { case: "fileContainingSymbol", value: "signet.v1.AdminService" } as const;
  const [first, second] = await ask(question, question);
  expect(first && filesOf(first)).toEqual(
    expect.arrayContaining(["signet/v1/admin.proto", "google/api/http.proto", "google/protobuf/descriptor.proto"]),
  );
  expect(second && filesOf(second)).toEqual(["signet/v1/admin.proto"]);
});

test("extensions are found by their number", async () => {
  const responses = await ask(
    { case: "allExtensionNumbersOfType", value: "google.protobuf.MethodOptions" },
    {
      case: "fileContainingExtension",
      value: { containingType: "google.protobuf.MethodOptions", extensionNumber: 50001 },
    },
  );
  expect(responses[0]?.value).toMatchObject({ extensionNumber: expect.arrayContaining([50001, 50002, 72295728]) });
  expect(responses[1] && filesOf(responses[1])).toContain("signet/v1/options.proto");
});

test("an unknown symbol is NOT_FOUND, and the stream continues", async () => {
  const responses = await ask(
    { case: "fileByFilename", value: "../package.json" },
    { case: "fileContainingSymbol", value: "__proto__" },
    { case: "fileContainingSymbol", value: "x".repeat(3_000) },
    {
      case: "fileContainingExtension",
      value: { containingType: "google.protobuf.MethodOptions", extensionNumber: -1 },
    },
    { case: "allExtensionNumbersOfType", value: "signet.v1.Nothing" },
    { case: undefined },
    { case: "fileByFilename", value: "google/api/http.proto" },
  );
  expect(responses.map(filesOf)).toEqual([5, 5, 5, 5, 5, 3, ["google/api/http.proto"]]);
});

test("a client that knows only the address imports a user", async () => {
  const [response] = await ask({ case: "fileContainingSymbol", value: "signet.v1.ManagementService" });
  if (response?.case !== "fileDescriptorResponse") throw new Error("no files");
  const files = response.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  const file = new Set<FileDescriptorProto>();
  for (const each of files) addBehindImports(each);
  const registry = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file: [...file] });
  const found = registry.getService("signet.v1.ManagementService");
  if (found === undefined) throw new Error("no service");
  const client = createClient(found, transport()) as unknown as {
    importHumanUser(request: object, options: object): Promise<{ userId: string }>;
  };
  const headers = { authorization: `Bearer ${service.adminToken}` };
  const { userId } = await client.importHumanUser(human("by-reflection"), { headers });
  expect(userId).toMatch(/^[0-9a-f-]{36}$/);

  function addBehindImports(each: FileDescriptorProto): void {
    for (const imported of files) if (each.dependency.includes(imported.name)) addBehindImports(imported);
    file.add(each);
  }
});

test("v1alpha responds like v1, also over gRPC-Web and Connect with HTTP/2", async () => {
  const baseUrl = service.origin;
  for (const each of [
    transport(),
    createGrpcWebTransport({ baseUrl, httpVersion: "2" }),
    createConnectTransport({ baseUrl, httpVersion: "2" }),
  ]) {
    async function* requests() {
      yield { host: "signet", messageRequest: { case: "fileByFilename", value: "signet/v1/user.proto" } as const };
    }
    const responses = [];
    for await (const response of createClient(ServerReflectionAlpha, each).serverReflectionInfo(requests())) {
      responses.push(response);
    }
    expect(responses).toMatchObject([
      { validHost: "signet", messageResponse: { case: "fileDescriptorResponse" }, originalRequest: { host: "signet" } },
    ]);
  }
});

test.each(["grpc-v1", "grpc-v1alpha"])("buf curl imports a user with only reflection, %s", async (reflect) => {
  const home = mkdtempSync(join(tmpdir(), "signet-buf-"));
  const data = JSON.stringify({
    userName: `buf-${reflect}`,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com", isEmailVerified: true },
  });
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...[resolve("node_modules/@bufbuild/buf/bin/buf"), "curl", "--protocol", "grpc", "--http2-prior-knowledge"],
        ...["--reflect-protocol", reflect, "--header", `authorization: Bearer ${service.adminToken}`, "--data", data],
        `${service.origin}/signet.v1.ManagementService/ImportHumanUser`,
      ],
      { cwd: home, env: { HOME: home, PATH: process.env.PATH } },
    );
    expect(JSON.parse(stdout)).toMatchObject({ userId: expect.any(String) });
  } finally {
    rmSync(home, { recursive: true });
  }
});
