import { createFileRegistry, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { AddOIDCIDPRequestSchema } from "../../../gen/signet/v1/admin_pb.js";
import { PatchOIDCAppConfigRequestSchema } from "../../../gen/signet/v1/app_pb.js";
import { UpdateLoginPolicyRequestSchema } from "../../../gen/signet/v1/login_policy_pb.js";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { AddProviderDraftRequestSchema } from "../../../gen/signet/v1/provider_calls_pb.js";
import { readMessage } from "../../../src/rpc/json/read-message.ts";
import { LimitedSchema } from "../limited-message.ts";
import { violation } from "../violation.ts";

describe("readMessage of an import", () => {
  const user = {
    userName: "a",
    profile: { firstName: "A", last_name: "B" },
    idps: [{ configId: "1" }, { configId: "2" }],
  };
  const fields = (text: string) => `is not a known field; the fields are ${text}`;

  test("accepts camelCase names, proto names, and null for the default value", () => {
    const message = readMessage(ImportHumanUserRequestSchema, { ...user, phone: null, password: null, otpCode: null });
    expect(message).toMatchObject({ userName: "a", profile: { firstName: "A", lastName: "B" }, otpCode: "" });
    expect(message.password).toBeUndefined();
  });

  test("names only the values of an enum that its field may have", () => {
    expect(violation(() => readMessage(AddProviderDraftRequestSchema, { type: "OIDC" }))).toEqual({
      field: "type",
      description: expect.stringMatching(/^must be one of PROVIDER_TYPE_OIDC, .*, is "OIDC"$/),
    });
  });

  test.each<[JsonValue, string, string]>([
    [null, "", "must be an object, is null"],
    [[], "", "must be an object, is an array"],
    ["secret", "", "must be an object, is a string"],
    [{ userName: 5 }, "userName", "must be a string, is a number"],
    [{ user_name: [] }, "userName", "must be a string, is an array"],
    [{ userName: "\ud800" }, "userName", "must be a string without lone surrogates"],
    [{ profile: "secret" }, "profile", "must be an object, is a string"],
    [{ profile: { firstName: { a: 1 } } }, "profile.firstName", "must be a string, is an object"],
    [
      { profile: { gender: "SECRET" } },
      "profile.gender",
      'must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE, is "SECRET"',
    ],
    [
      { profile: { gender: true } },
      "profile.gender",
      "must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE, is a boolean",
    ],
    [
      { profile: { gender: 2 ** 31 } },
      "profile.gender",
      "must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE, or a whole number of 32 bits",
    ],
    [
      { profile: { gender: 0.5 } },
      "profile.gender",
      "must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE, or a whole number of 32 bits",
    ],
    [{ email: { isEmailVerified: "true" } }, "email.isEmailVerified", "must be true or false, is a string"],
    [{ email: { isEmailVerified: 1 } }, "email.isEmailVerified", "must be true or false, is a number"],
    [{ email: { mail: "a" } }, "email.mail", fields("email, isEmailVerified")],
    [{ idps: {} }, "idps", "must be an array, is an object"],
    [{ idps: [{ configId: "1" }, null] }, "idps[1]", "must be an object, is null"],
    [{ idps: [{ configId: "1" }, { configId: 2 }] }, "idps[1].configId", "must be a string, is a number"],
    [{ idps: [{ config_id: "1", configId: "1" }] }, "idps[0].configId", "is given twice, as config_id and configId"],
    [{ userName: "a", user_name: null }, "userName", "is given twice, as userName and user_name"],
    [{ hashedPassword: { toString: 1 } }, "hashedPassword.toString", fields("value, algorithm")],
    [
      { [`${"n".repeat(49)}😀😀`]: 1, userName: 5 },
      `${"n".repeat(49)}😀`,
      expect.stringContaining("is not a known field") as never,
    ],
    [JSON.parse('{"phone":{"__proto__":{"phone":"1"}}}'), "phone.__proto__", fields("phone, isPhoneVerified")],
    [
      { email: {}, constructor: 1 },
      "constructor",
      expect.stringContaining("is not a known field; the fields are userName, profile, ") as never,
    ],
    [
      { "[signet.v1.permission]": 1 },
      "[signet.v1.permission]",
      expect.stringContaining("is not a known field") as never,
    ],
  ])("rejects %j and names %j", (json, field, description) => {
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, json))).toEqual({ field, description });
  });

  test("names only the first problem, in the order of the text", () => {
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, { otpCode: 1, userName: 2 }))?.field).toBe(
      "otpCode",
    );
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, { userName: 2, otpCode: 1 }))?.field).toBe(
      "userName",
    );
  });

  test("names an invalid item of a long array", () => {
    const numbers: JsonValue[] = Array.from({ length: 4_000 }, () => 1);
    for (const index of [0, 1, 1_999, 3_999]) {
      const json = { numbers: numbers.with(index, "one") };
      expect(violation(() => readMessage(LimitedSchema, json))?.field).toBe(`numbers[${index}]`);
    }
  });

  test("names an array that has more items than its limit, rather than an invalid item of it", () => {
    const scopes: JsonValue[] = Array.from({ length: 51 }, () => "openid");
    expect(violation(() => readMessage(AddOIDCIDPRequestSchema, { scopes: scopes.with(7, 5) }))).toEqual({
      field: "scopes",
      description: "must have at most 50 items, has 51",
    });
    expect(violation(() => readMessage(AddOIDCIDPRequestSchema, { scopes: scopes.with(7, 5).slice(1) }))?.field).toBe(
      "scopes[6]",
    );
    expect(violation(() => readMessage(AddOIDCIDPRequestSchema, { scopes: [null] }))?.description).toBe(
      "must be a string, is null",
    );
  });
});

describe("readMessage of other types", () => {
  const field = (number: number, name: string, type: string, more: object = {}) => ({
    name,
    jsonName: name,
    number,
    label: "LABEL_OPTIONAL",
    ...(type.startsWith(".") ? { type: "TYPE_MESSAGE", typeName: type } : { type: `TYPE_${type}` }),
    ...more,
  });
  const file = fromJson(FileDescriptorProtoSchema, {
    name: "t.proto",
    package: "t",
    syntax: "proto3",
    messageType: [
      {
        name: "Input",
        oneofDecl: [{ name: "choice" }],
        field: [
          field(1, "int", "INT32"),
          field(2, "unsigned", "UINT32"),
          field(3, "long", "INT64"),
          field(4, "offset", "UINT64"),
          field(5, "input", ".t.Input"),
          field(6, "one", "STRING", { oneofIndex: 0 }),
          field(7, "other", ".t.Input", { oneofIndex: 0 }),
          field(8, "bytes", "BYTES"),
        ],
      },
      { name: "Empty" },
    ],
  } as JsonValue);
  const registry = createFileRegistry(file, () => undefined);
  const read = (json: JsonValue, name = "t.Input") => {
    const desc = registry.getMessage(name);
    if (!desc) throw new Error(name);
    return readMessage(desc, json);
  };
  const nest = (depth: number): JsonValue => {
    let json: JsonValue = {};
    for (let level = 0; level < depth; level += 1) json = { input: json };
    return json;
  };
  const range = (min: string, max: string) => `must be a whole number from ${min} to ${max}`;
  const int = range("-2147483648", "2147483647");
  const unsigned = range("0", "4294967295");
  const long = range("-9223372036854775808", "9223372036854775807");
  const offset = range("0", "18446744073709551615");

  test.each<[JsonValue, object]>([
    [
      { int: "5", unsigned: 4_294_967_295, long: "-9223372036854775808" },
      { int: 5, unsigned: 4_294_967_295 },
    ],
    [{ int: -2_147_483_648, offset: "18446744073709551615" }, { offset: 18_446_744_073_709_551_615n }],
    [
      { offset: 5, long: 1e15, int: "007" },
      { offset: 5n, long: 1_000_000_000_000_000n, int: 7 },
    ],
    [
      { int: null, offset: null, input: null, one: null, other: {} },
      { int: 0, offset: 0n, choice: { case: "other" } },
    ],
    [{ one: "a", other: null }, { choice: { case: "one", value: "a" } }],
    [{ other: null }, { choice: { case: undefined } }],
    [{ input: { other: null, one: "a" } }, { input: { choice: { case: "one", value: "a" } } }],
  ])("reads %j", (json, expected) => {
    expect(read(json)).toMatchObject(expected);
  });

  test.each<[JsonValue, string, string]>([
    [{ int: "x" }, "int", int],
    [{ int: 0.5 }, "int", int],
    [{ int: 2 ** 31 }, "int", int],
    [{ int: "0x10" }, "int", int],
    [{ int: true }, "int", `${int}, is a boolean`],
    [{ unsigned: -1 }, "unsigned", unsigned],
    [{ unsigned: "4294967296" }, "unsigned", unsigned],
    [{ long: "9223372036854775808" }, "long", long],
    [{ long: "" }, "long", long],
    [{ long: [] }, "long", `${long}, is an array`],
    [{ offset: -1 }, "offset", offset],
    [{ offset: 2 ** 64 }, "offset", offset],
    [{ offset: "1".repeat(1_000_000) }, "offset", offset],
    [{ one: "a", other: {} }, "other", "must not be given together with one"],
    [{ bytes: "§" }, "bytes", "must be in Base64"],
    [{ bytes: "A" }, "bytes", "must be in Base64"],
  ])("rejects %j and names %j", (json, path, description) => {
    expect(violation(() => read(json))).toEqual({ field: path, description });
  });

  test("rejects every key of a message without fields", () => {
    expect(violation(() => read({ a: 1 }, "t.Empty"))).toEqual({
      field: "a",
      description: "is not a known field; the fields are none",
    });
  });

  test("accepts messages that are nested 100 levels deep", () => {
    const path = Array.from({ length: 100 }, () => "input").join(".");
    expect(() => read(nest(99))).not.toThrow();
    for (const depth of [100, 100_000]) {
      const description = "is nested more than 100 levels deep";
      expect(violation(() => read(nest(depth)))).toEqual({ field: path, description });
    }
  });
});

test("the error for an item of a list that is too long names the list", () => {
  const refuse = (json: JsonValue) => violation(() => readMessage(LimitedSchema, json));
  expect(refuse({ wideItems: [{}, {}, {}, 1] })).toEqual({
    field: "wideItems",
    description: "must have at most 3 items, has 4",
  });
  expect(refuse({ wideItems: [{}, {}, 1] })?.field).toBe("wideItems[2]");
  expect(refuse({ free: [{}, {}, {}, 1] })?.field).toBe("free[3]");
});

describe("a field mask", () => {
  const read = (updateMask: JsonValue) => readMessage(PatchOIDCAppConfigRequestSchema, { updateMask }).updateMask;

  test("is a text of names in camelCase", () => {
    expect(read("redirectUris,jwks")?.paths).toEqual(["redirect_uris", "jwks"]);
    expect(read("*")?.paths).toEqual(["*"]);
    expect(read("")?.paths).toEqual([]);
    expect(read(null)).toBeUndefined();
  });

  test.each<JsonValue>(["redirect_uris", "a,", ",a", "a b", "a".repeat(2_551), 5, ["jwks"], { paths: ["jwks"] }])(
    "of %j is rejected",
    (json) => {
      expect(violation(() => read(json))?.field).toBe("updateMask");
    },
  );
});

describe("a duration", () => {
  const read = (passwordCheckLifetime: JsonValue) =>
    readMessage(UpdateLoginPolicyRequestSchema, { passwordCheckLifetime });

  test("is a text of seconds", () => {
    expect(read("3600.5s").passwordCheckLifetime).toMatchObject({ seconds: 3_600n, nanos: 500_000_000 });
    expect(read(null).passwordCheckLifetime).toBeUndefined();
  });

  test.each<JsonValue>(["3600", "1h", "", "1.0000000001s", `${"1".repeat(12)}s`, 5, { seconds: 5 }])(
    "is not %j",
    (value) => {
      expect(() => read(value)).toThrow(/^passwordCheckLifetime: must be a duration in seconds, such as "3600s"/);
    },
  );
});
