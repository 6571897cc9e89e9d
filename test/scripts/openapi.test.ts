import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createFileRegistry, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createDocument } from "../../scripts/openapi/create-document.ts";

/** Rules and types that the contract may use one day. */
const PROTO = `syntax = "proto3";
package example.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto";
import "signet/v1/options.proto";

// Things.
//
// Every method can also fail with UNAUTHENTICATED (TOKEN_MISSING), UNAVAILABLE.
service ThingService {
  // Finds things. They have a \`page_size\`, and \`other_things\`.
  //
  // Errors: INVALID_ARGUMENT, NOT_FOUND (ORG_NOT_FOUND, USER_NOT_FOUND).
  rpc FindThings(FindThingsRequest) returns (Thing) {
    option (signet.v1.permission) = "iam.read";
    option (signet.v1.read_only) = true;
    option (google.api.http) = {get: "/v1/things/{thing_id}"};
  }
  // Adds a thing.
  rpc AddThing(Thing) returns (Thing) {
    option (google.api.http) = {post: "/v1/things" body: "*"};
  }
  // Has no route.
  rpc Hidden(Thing) returns (Thing);
}
message FindThingsRequest {
  string thing_id = 1;
  Page page = 2;
  repeated Color colors = 3;
  string filter = 4 [(buf.validate.field).string.min_len = 1];
}
message Page { uint32 page_size = 1 [(buf.validate.field).uint32 = {gt: 0, lte: 50}]; }
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; COLOR_BLUE = 2; }
message Thing {
  string code = 1 [(buf.validate.field).string = {pattern: "^[a-z]+$", len: 4, example: "abcd"}];
  string kind = 2 [(buf.validate.field).string = {in: ["a", "b"], prefix: "a.", suffix: "z"}];
  string mail = 3 [(buf.validate.field).string.email = true];
  Color color = 4 [(buf.validate.field).enum.not_in = 0];
  map<string, int32> sizes = 5 [(buf.validate.field).map.max_pairs = 3];
  repeated string tags = 6 [(buf.validate.field).repeated = {min_items: 1, unique: true, items: {string: {max_len: 9}}}];
  bytes data = 7;
  int64 count = 8;
  google.protobuf.Timestamp time = 9;
  google.protobuf.Duration wait = 10 [deprecated = true];
  oneof owner {
    option (buf.validate.oneof).required = true;
    string user = 11;
    string org = 12;
  }
  oneof extra { string note = 13; Thing parent = 14; }
}
`;

type Document = {
  readonly paths: Record<string, Record<string, JsonObject>>;
  readonly components: { readonly schemas: Record<string, JsonObject> };
};
let document: Document;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "signet-openapi-"));
  try {
    cpSync("proto", folder, { recursive: true });
    writeFileSync(join(folder, "thing.proto"), PROTO);
    const image = join(folder, "image.binpb");
    execFileSync(process.execPath, [resolve("node_modules/@bufbuild/buf/bin/buf"), "build", folder, "-o", image], {
      env: { HOME: folder, PATH: process.env.PATH },
    });
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(image)));
    const service = registry.getService("example.v1.ThingService");
    if (service === undefined) throw new Error("no service");
    document = createDocument([service]) as never;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rules of protovalidate become keywords of JSON Schema", () => {
  expect(document.components.schemas.Thing).toEqual({
    type: "object",
    properties: {
      code: { type: "string", pattern: "^[a-z]+$", minLength: 4, maxLength: 4 },
      kind: { type: "string", enum: ["a", "b"], allOf: [{ pattern: "^a\\." }, { pattern: "z$" }] },
      mail: { type: "string", format: "email" },
      color: { $ref: "#/components/schemas/Color", not: { enum: ["COLOR_UNSPECIFIED"] } },
      sizes: { type: "object", additionalProperties: { type: "integer", format: "int32" }, maxProperties: 3 },
      tags: { type: "array", items: { type: "string", maxLength: 9 }, minItems: 1, uniqueItems: true },
      data: { type: "string", contentEncoding: "base64" },
      count: { type: "string", format: "int64", pattern: "^-?[0-9]{1,19}$" },
      time: { type: "string", format: "date-time" },
      wait: { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$", deprecated: true },
      user: { type: "string" },
      org: { type: "string" },
      note: { type: "string" },
      parent: { $ref: "#/components/schemas/Thing" },
    },
    required: ["code", "tags"],
    allOf: [
      { oneOf: [{ required: ["user"] }, { required: ["org"] }] },
      {
        oneOf: [
          { required: ["note"] },
          { required: ["parent"] },
          {
            not: {
              anyOf: [
                { properties: { note: {} }, required: ["note"] },
                { properties: { parent: {} }, required: ["parent"] },
              ],
            },
          },
        ],
      },
    ],
    additionalProperties: false,
  });
});

test("a method without a body has its fields as parameters", () => {
  const { get } = document.paths["/v1/things/{thingId}"] ?? {};
  expect(get).toMatchObject({
    operationId: "ThingService_FindThings",
    summary: "Finds things",
    description: "Finds things. They have a `pageSize`, and `other_things`.\n\nPermission: `iam.read`.",
    parameters: [
      { name: "thingId", in: "path", required: true },
      { name: "page.pageSize", in: "query", schema: { type: "integer", exclusiveMinimum: 0, maximum: 50 } },
      { name: "colors", in: "query", schema: { type: "array", items: { $ref: "#/components/schemas/Color" } } },
      { name: "filter", in: "query", required: true, example: "example" },
    ],
  });
  expect(get).not.toHaveProperty("requestBody");
});

test("a response is documented for each error that the comments name", () => {
  const { responses } = document.paths["/v1/things/{thingId}"]?.get ?? {};
  const texts = Object.entries(responses ?? {}).map(([status, response]) => [
    status,
    (response as { description?: string }).description,
  ]);
  expect(Object.fromEntries(texts)).toEqual({
    200: "OK",
    400: "`INVALID_ARGUMENT`",
    401: "`TOKEN_MISSING`",
    404: "`ORG_NOT_FOUND`, `USER_NOT_FOUND`",
    429: "`TOO_MANY_REQUESTS`",
    503: "`UNAVAILABLE`",
    default: undefined,
  });
});

test("calls that change something take an idempotency key", () => {
  const key = { $ref: "#/components/parameters/idempotency-key" };
  expect(document.paths["/v1/things"]?.post?.parameters).toContainEqual(key);
  expect(document.paths["/v1/things/{thingId}"]?.get?.parameters).not.toContainEqual(key);
});

test("an example has the required fields, and only methods with a route are operations", () => {
  expect(Object.keys(document.paths)).toEqual(["/v1/things/{thingId}", "/v1/things"]);
  expect(document.paths["/v1/things"]?.post).toMatchObject({
    requestBody: { content: { "application/json": { example: { code: "abcd", tags: ["example"], user: "example" } } } },
  });
});
