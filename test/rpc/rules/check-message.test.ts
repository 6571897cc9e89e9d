import { create, createFileRegistry, type DescMessage, setExtension } from "@bufbuild/protobuf";
import {
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { FieldRulesSchema, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { BadRequestSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { AddOIDCIDPRequestSchema } from "../../../gen/signet/v1/admin_pb.js";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { AddProviderDraftRequestSchema } from "../../../gen/signet/v1/provider_calls_pb.js";
import { SignetError, type Violation } from "../../../src/errors.ts";
import { checkMessage } from "../../../src/rpc/rules/check-message.ts";
import { requireListLimits } from "../../../src/rpc/rules/list-limits.ts";

const IDP = { name: "Example", clientId: "signet", clientSecret: "secret", issuer: "https://idp.example.com" };

function idpViolations(changes: object, own: Violation[] = []): Promise<readonly Violation[]> {
  const message = create(AddOIDCIDPRequestSchema, { ...IDP, ...changes });
  return violationsOf(() =>
    checkMessage(AddOIDCIDPRequestSchema, message, (problems) => {
      for (const { field, description } of own) problems.add(field, description);
    }),
  );
}

async function violationsOf(check: () => Promise<void>): Promise<readonly Violation[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof SignetError) return error.violations;
    throw error;
  }
}

test("a valid message has no violations", async () => {
  expect(await idpViolations({ scopes: ["x".repeat(200)] })).toEqual([]);
});

describe("a violation describes what is allowed", () => {
  test.each([
    [{ name: "" }, "name", "must not be empty"],
    [{ name: "x".repeat(201) }, "name", "must be at most 200 characters, is 201"],
    [{ name: "😀".repeat(201) }, "name", "must be at most 200 characters, is 201"],
    [{ stylingType: 9 }, "stylingType", "must be one of STYLING_TYPE_UNSPECIFIED, STYLING_TYPE_GOOGLE, is 9"],
    [
      { usernameMapping: -1 },
      "usernameMapping",
      "must be one of OIDC_MAPPING_FIELD_UNSPECIFIED, OIDC_MAPPING_FIELD_PREFERRED_USERNAME, OIDC_MAPPING_FIELD_EMAIL, is -1",
    ],
    [{ scopes: ["openid", "x".repeat(2_001)] }, "scopes[1]", "must be at most 2000 characters, is 2001"],
    [{ scopes: Array(51).fill("openid") }, "scopes", "must have at most 50 items, has 51"],
    [{ name: "a\0b" }, "name", "must not contain the character NUL"],
    [{ clientId: "\ud800" }, "clientId", "must be valid Unicode, without lone surrogates"],
  ])("%j", async (changes, field, description) => {
    expect(await idpViolations(changes)).toEqual([{ field, description }]);
  });

  test.each([0, 99])("of a value that is not allowed, %i", async (type) => {
    const message = create(AddProviderDraftRequestSchema, { name: "Example", type });
    expect(await violationsOf(() => checkMessage(AddProviderDraftRequestSchema, message, () => {}))).toEqual([
      { field: "type", description: expect.stringMatching(`^must be one of PROVIDER_TYPE_OIDC, .*, is ${type}$`) },
    ]);
  });

  test("of a missing message, and of text within another message", async () => {
    const message = create(ImportHumanUserRequestSchema, { profile: { lastName: "Lovelace" } });
    expect(await violationsOf(() => checkMessage(ImportHumanUserRequestSchema, message, () => {}))).toEqual([
      { field: "profile.firstName", description: "must not be empty" },
      { field: "email", description: "is required" },
    ]);
  });
});

test("all violations are reported together, each field once", async () => {
  const own = [
    { field: "name", description: "is never reported, because the schema has a violation" },
    { field: "issuer", description: "is wrong" },
  ];
  expect((await idpViolations({ name: "", clientId: "\0" }, own)).map(({ field }) => field)).toEqual([
    "name",
    "clientId",
    "issuer",
  ]);
});

test("a list that is too long is reported before its items are visited", async () => {
  // Holes: any code that reads an item finds undefined, and fails.
  const message = create(AddOIDCIDPRequestSchema, IDP);
  message.scopes = Array(500_000);
  const findOwn = () => {
    throw new Error("called");
  };
  expect(await violationsOf(() => checkMessage(AddOIDCIDPRequestSchema, message, findOwn))).toEqual([
    { field: "scopes", description: "must have at most 50 items, has 500000" },
  ]);
});

test("a list without a limit in the schema is an error at start", () => {
  expect(() => requireListLimits(BadRequestSchema)).toThrow(
    "field google.rpc.BadRequest.field_violations has no rule (buf.validate.field).repeated.max_items",
  );
  expect(() => requireListLimits(nestedSchema({ limit: undefined }))).toThrow("field test.Inner.texts has no rule");
});

test("limits apply to lists in other messages, in items and in a oneof", async () => {
  const schema = nestedSchema({ limit: 3 });
  requireListLimits(schema);
  const inner = (length: number) => ({ $typeName: "test.Inner" as const, texts: Array(length).fill("x") });
  const message = create(schema, {
    single: inner(4),
    items: [inner(3), inner(5)],
    choice: { case: "chosen", value: inner(6) },
  });
  expect(await violationsOf(() => checkMessage(schema, message, () => {}))).toEqual([
    { field: "single.texts", description: "must have at most 3 items, has 4" },
    { field: "items[1].texts", description: "must have at most 3 items, has 5" },
    { field: "chosen.texts", description: "must have at most 3 items, has 6" },
  ]);
});

test("text is checked in a oneof too", async () => {
  const schema = nestedSchema({ limit: 3 });
  const value = { $typeName: "test.Inner" as const, texts: ["x", "\0"] };
  const message = create(schema, { choice: { case: "chosen", value } });
  expect(await violationsOf(() => checkMessage(schema, message, () => {}))).toEqual([
    { field: "chosen.texts[1]", description: "must not contain the character NUL" },
  ]);
});

/** A recursive message with lists at every place where a list can be. */
function nestedSchema({ limit }: { limit: number | undefined }): DescMessage {
  const field = (name: string, number: number, typeName?: string) => ({
    name,
    jsonName: name,
    number,
    label: Label.OPTIONAL,
    type: typeName ? Type.MESSAGE : Type.STRING,
    ...(typeName && { typeName }),
  });
  const list = (name: string, number: number, max: number | undefined, typeName?: string) => {
    const options = create(FieldOptionsSchema);
    const rules = create(FieldRulesSchema, {
      type: { case: "repeated", value: max === undefined ? {} : { maxItems: BigInt(max) } },
    });
    setExtension(options, fieldRules, rules);
    return { ...field(name, number, typeName), label: Label.REPEATED, options };
  };
  const file = create(FileDescriptorProtoSchema, {
    name: "test.proto",
    package: "test",
    syntax: "proto3",
    messageType: [
      {
        name: "Outer",
        field: [
          field("single", 1, ".test.Inner"),
          list("items", 2, 2, ".test.Inner"),
          { ...field("chosen", 3, ".test.Inner"), oneofIndex: 0 },
        ],
        oneofDecl: [{ name: "choice" }],
      },
      { name: "Inner", field: [list("texts", 1, limit), field("outer", 2, ".test.Outer")] },
    ],
  });
  const schema = createFileRegistry(file, () => undefined).getMessage("test.Outer");
  if (schema === undefined) throw new Error("no schema");
  return schema;
}
