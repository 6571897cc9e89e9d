import { create, createFileRegistry, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "@jest/globals";
import { AddOIDCIDPRequestSchema } from "../../../gen/signet/v1/admin_pb.js";
import { ImportHumanUserRequestSchema, UpdateHumanPhoneRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { SignetError } from "../../../src/errors.ts";
import { readBinary, readMessage } from "../../../src/rpc/rest/json-problem.ts";
import { parseJson } from "../../../src/rpc/rest/json-syntax.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function violation(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof SignetError) return error.violations[0];
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("parseJson", () => {
  test.each<[string, JsonValue]>([
    ['{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\"\\n"],"b":{}}', { a: [1, -500, true, false, null, 'é"\n'], b: {} }],
    [" \t\r\n[ ] ", []],
    ["\ufeff{}", {}],
    ['{"a":{"k":1},"b":{"k":1},"k":["k","k"]}', { a: { k: 1 }, b: { k: 1 }, k: ["k", "k"] }],
  ])("%s is read", (text, expected) => {
    expect(parseJson(utf8(text))).toEqual(expected);
  });

  test("__proto__ is a key like any other", () => {
    expect(Object.keys(parseJson(utf8('{"__proto__":{"a":1}}')) as object)).toEqual(["__proto__"]);
  });

  test.each([
    ["", "expected a value at line 1, column 1"],
    ["{\n", "expected a key in double quotes or } at line 2, column 1"],
    ['{"a":"é",}', "expected a key in double quotes at line 1, column 10"],
    ["{'a':1}", "expected a key in double quotes or } at line 1, column 2"],
    ['{"a" 1}', "expected a colon at line 1, column 6"],
    ['{"a":}', "expected a value at line 1, column 6"],
    ['{"a":secret}', "expected a value at line 1, column 6"],
    ["[1,]", "expected a value at line 1, column 4"],
    ["[,]", "expected a value or ] at line 1, column 2"],
    ["[1 2]", "expected a comma or the closing bracket at line 1, column 4"],
    ["[1}", "expected a comma or the closing bracket at line 1, column 3"],
    ["{} {}", "expected nothing more at line 1, column 4"],
    ["]", "expected a value at line 1, column 1"],
    ["[01]", "expected a comma or the closing bracket at line 1, column 3"],
    ["[+1]", "expected a value or ] at line 1, column 2"],
    ["[NaN]", "expected a value or ] at line 1, column 2"],
    ['["secret', "a string is not closed or not well escaped at line 1, column 9"],
    ['["a\nb"]', "a string is not closed or not well escaped at line 1, column 4"],
    ['["\\x"]', "a string is not closed or not well escaped at line 1, column 3"],
    ['["\\u12g4"]', "a string is not closed or not well escaped at line 1, column 3"],
    ['{"a":1,\n "\\u0061":2}', 'the key "a" is given twice at line 2, column 2'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" is given twice at line 1, column 16'],
    ["\u00a0{}", "expected a value at line 1, column 1"],
  ])("%j is refused", (text, problem) => {
    expect(violation(() => parseJson(utf8(text)))).toEqual({
      field: "",
      description: `the body is not valid JSON: ${problem}`,
    });
  });

  test("what is not UTF-8 is refused", () => {
    const { description } = violation(() => parseJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))) ?? {};
    expect(description).toBe("the body is not valid UTF-8");
  });

  test("it refuses exactly what JSON.parse refuses", () => {
    const parts = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      ".5",
      "e1",
      "null",
      "tru",
      " ",
      '"',
      "\\u0041",
      "\\",
    ];
    let seed = 1;
    const next = (bound: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % bound;
    };
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join("");
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      let problem: string | undefined;
      try {
        parseJson(utf8(text));
      } catch (error) {
        problem = String(error);
      }
      expect([text, problem?.includes("unknown syntax") ?? false]).toEqual([text, false]);
      if (!problem?.includes("given twice")) expect([text, problem === undefined]).toEqual([text, isJson]);
    }
  });

  test("a million open brackets do no harm", () => {
    const deep = 1_000_000;
    expect(violation(() => parseJson(utf8("[".repeat(deep))))?.description).toContain(`column ${deep + 1}`);
    const json = parseJson(utf8("[".repeat(deep) + "]".repeat(deep)));
    expect(violation(() => readMessage(UpdateHumanPhoneRequestSchema, json))?.description).toBe(
      "must be an object, is an array",
    );
  });
});

describe("readMessage of an import", () => {
  const user = {
    userName: "a",
    profile: { firstName: "A", last_name: "B" },
    idps: [{ configId: "1" }, { configId: "2" }],
  };
  const fields = (text: string) => `is not known; known are ${text}`;

  test("names in camelCase and as in the proto are read, null as the default", () => {
    const message = readMessage(ImportHumanUserRequestSchema, { ...user, phone: null, password: null, otpCode: null });
    expect(message).toMatchObject({ userName: "a", profile: { firstName: "A", lastName: "B" }, otpCode: "" });
    expect(message.password).toBeUndefined();
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
    [{ hashedPassword: { toString: 1 } }, "hashedPassword.toString", fields("value")],
    [
      { [`${"n".repeat(49)}😀😀`]: 1, userName: 5 },
      `${"n".repeat(49)}😀`,
      expect.stringContaining("is not known") as never,
    ],
    [JSON.parse('{"phone":{"__proto__":{"phone":"1"}}}'), "phone.__proto__", fields("phone, isPhoneVerified")],
    [
      { email: {}, constructor: 1 },
      "constructor",
      expect.stringContaining("is not known; known are userName, profile, ") as never,
    ],
    [{ "[signet.v1.permission]": 1 }, "[signet.v1.permission]", expect.stringContaining("is not known") as never],
  ])("%j", (json, field, description) => {
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, json))).toEqual({ field, description });
  });

  test("only the first problem is named, in the order of the text", () => {
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, { otpCode: 1, userName: 2 }))?.field).toBe(
      "otpCode",
    );
    expect(violation(() => readMessage(ImportHumanUserRequestSchema, { userName: 2, otpCode: 1 }))?.field).toBe(
      "userName",
    );
  });

  test("an item of a long array is found", () => {
    const scopes: JsonValue[] = Array.from({ length: 100_000 }, () => "openid");
    for (const index of [0, 1, 49_999, 99_999]) {
      const json = { scopes: scopes.with(index, 5) };
      expect(violation(() => readMessage(AddOIDCIDPRequestSchema, json))?.field).toBe(`scopes[${index}]`);
    }
    expect(violation(() => readMessage(AddOIDCIDPRequestSchema, { scopes: [null] }))?.description).toBe(
      "must be a string, is null",
    );
  });
});

describe("readMessage of other types", () => {
  const wellKnown = [
    file_google_protobuf_any,
    file_google_protobuf_duration,
    file_google_protobuf_struct,
    file_google_protobuf_timestamp,
    file_google_protobuf_wrappers,
  ].map(({ proto }) => proto);
  const field = (number: number, name: string, type: string, more: object = {}) => ({
    name,
    jsonName: name,
    number,
    label: "LABEL_OPTIONAL",
    ...(type.startsWith(".") ? { type: "TYPE_MESSAGE", typeName: type } : { type: `TYPE_${type}` }),
    ...more,
  });
  const entry = (name: string, key: string, value: object) => ({
    name,
    options: { mapEntry: true },
    field: [field(1, "key", key), { ...field(2, "value", "STRING"), ...value }],
  });
  const repeated = { label: "LABEL_REPEATED" };
  const file = fromJson(FileDescriptorProtoSchema, {
    name: "t.proto",
    package: "t",
    syntax: "proto3",
    dependency: wellKnown.map(({ name }) => name),
    messageType: [
      {
        name: "Input",
        oneofDecl: [{ name: "choice" }],
        nestedType: [
          entry("NumbersEntry", "INT32", { type: "TYPE_INT64" }),
          entry("InputsEntry", "STRING", { type: "TYPE_MESSAGE", typeName: ".t.Input" }),
        ],
        field: [
          field(1, "int", "INT32"),
          field(2, "long", "UINT64"),
          field(3, "float", "FLOAT"),
          field(4, "bytes", "BYTES"),
          field(5, "time", ".google.protobuf.Timestamp"),
          field(6, "duration", ".google.protobuf.Duration"),
          field(7, "wrapped", ".google.protobuf.Int32Value"),
          field(8, "struct", ".google.protobuf.Struct"),
          field(9, "any", ".google.protobuf.Any"),
          field(10, "value", ".google.protobuf.Value"),
          field(11, "input", ".t.Input"),
          field(12, "numbers", ".t.Input.NumbersEntry", repeated),
          field(13, "inputs", ".t.Input.InputsEntry", repeated),
          field(14, "one", "STRING", { oneofIndex: 0 }),
          field(15, "other", "STRING", { oneofIndex: 0 }),
          field(16, "values", ".google.protobuf.Value", repeated),
        ],
      },
      { name: "Empty" },
    ],
  } as JsonValue);
  const registry = createFileRegistry(file, (name) => wellKnown.find((each) => each.name === name));
  const read = (json: JsonValue, name = "t.Input") => {
    const desc = registry.getMessage(name);
    if (!desc) throw new Error(name);
    return readMessage(desc, json, registry);
  };
  const nest = (depth: number, wrap: (json: JsonValue) => JsonValue): JsonValue => {
    let json: JsonValue = {};
    for (let level = 0; level < depth; level += 1) json = wrap(json);
    return json;
  };

  test.each<[JsonValue]>([
    [{ int: "5", long: "18446744073709551615", float: "NaN", bytes: "_-8", time: "2026-01-31T12:00:00Z" }],
    [{ value: null, values: [null], one: null, other: "x", numbers: { 1: "5" }, inputs: { a: {} } }],
    [{ any: { "@type": "type.googleapis.com/t.Input", int: 1 }, wrapped: null, numbers: null }],
  ])("%j is read", (json) => {
    expect(() => read(json)).not.toThrow();
  });

  test.each<[JsonValue, string, string]>([
    [{ int: "x" }, "int", "must be a whole number from -2147483648 to 2147483647"],
    [{ int: 0.5 }, "int", "must be a whole number from -2147483648 to 2147483647"],
    [{ int: true }, "int", "must be a whole number from -2147483648 to 2147483647, is a boolean"],
    [{ long: -1 }, "long", "must be a whole number from 0 to 18446744073709551615"],
    [{ float: 1e300 }, "float", "must be a number of 32 bits"],
    [{ bytes: "§" }, "bytes", "must be a string in base64"],
    [{ bytes: 1 }, "bytes", "must be a string in base64, is a number"],
    [{ time: "now" }, "time", "must be a time of RFC 3339, such as 2026-01-31T12:00:00Z"],
    [{ time: {} }, "time", "must be a time of RFC 3339, such as 2026-01-31T12:00:00Z, is an object"],
    [{ duration: 3 }, "duration", "must be a duration in seconds, such as 3.5s, is a number"],
    [{ wrapped: "x" }, "wrapped", "must be a whole number from -2147483648 to 2147483647"],
    [{ struct: [] }, "struct", "must be an object at most 100 levels deep, is an array"],
    [{ any: { "@type": "x/t.No" } }, "any", "must be an object with a known @type and the fields of that type"],
    [{ one: "a", other: "b" }, "other", "must not be given together with one"],
    [{ numbers: [] }, "numbers", "must be an object, is an array"],
    [
      { numbers: { 1: "x" } },
      'numbers["1"]',
      "must be a whole number from -9223372036854775808 to 9223372036854775807",
    ],
    [{ numbers: { a: "1" } }, 'numbers["a"]', "must have a key that is a whole number from -2147483648 to 2147483647"],
    [{ numbers: { 1: "1", "01": "1" } }, "numbers", "must not have a key twice"],
    [
      { inputs: { a: { int: true } } },
      'inputs["a"].int',
      "must be a whole number from -2147483648 to 2147483647, is a boolean",
    ],
    [{ inputs: { __proto__x: null } }, 'inputs["__proto__x"]', "must be an object, is null"],
  ])("%j", (json, path, description) => {
    expect(violation(() => read(json))).toEqual({ field: path, description });
  });

  test("a message without fields knows none", () => {
    expect(violation(() => read({ a: 1 }, "t.Empty"))).toEqual({
      field: "a",
      description: "is not known; known are no fields at all",
    });
  });

  test("deep nesting is refused without harm", () => {
    const path = Array.from({ length: 100 }, () => "input").join(".");
    expect(() => read(nest(99, (input) => ({ input })))).not.toThrow();
    for (const depth of [100, 100_000]) {
      const json = nest(depth, (input) => ({ input }));
      expect(violation(() => read(json))).toEqual({ field: path, description: "is nested more than 100 levels deep" });
    }
    expect(violation(() => read({ value: nest(100_000, (item) => [item]) }))?.field).toBe("value");
    expect(violation(() => read({ struct: nest(100_000, (a) => ({ a })) }))?.field).toBe("struct");
  });
});

describe("readBinary", () => {
  test("what toBinary wrote is read", () => {
    const message = create(UpdateHumanPhoneRequestSchema, { userId: "7", phone: "+41" });
    expect(readBinary(UpdateHumanPhoneRequestSchema, toBinary(UpdateHumanPhoneRequestSchema, message))).toEqual(
      message,
    );
  });

  test.each([
    ["a field cut short", [0x0a, 0x05, 0x61]],
    ["a string that is not UTF-8", [0x0a, 0x01, 0xff]],
    ["an illegal tag", [0x07]],
    ["an end of a group that has not begun", [0x0c]],
  ])("%s is refused", (_what, bytes) => {
    const { field, description } =
      violation(() => readBinary(UpdateHumanPhoneRequestSchema, Uint8Array.from(bytes))) ?? {};
    expect(field).toBe("");
    expect(description).toMatch(/^is not a valid signet\.v1\.UpdateHumanPhoneRequest message: ./);
  });
});
