import { create, type DescMessage, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { SourceCodeInfoSchema, StructSchema, TimestampSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import {
  BoolRulesSchema,
  BytesRulesSchema,
  DoubleRulesSchema,
  Fixed32RulesSchema,
  Fixed64RulesSchema,
  FloatRulesSchema,
  Int32RulesSchema,
  Int64RulesSchema,
  SFixed32RulesSchema,
  SFixed64RulesSchema,
  SInt32RulesSchema,
  SInt64RulesSchema,
  StringRulesSchema,
  UInt32RulesSchema,
  UInt64RulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, test } from "@jest/globals";
import {
  ImportHumanUserRequestSchema,
  ImportHumanUserResponseSchema,
  UpdateHumanPhoneResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import { createWriteBinary } from "../../src/rpc/write-binary.ts";

const DETAILS = {
  sequence: "18446744073709551615",
  creationDate: "2026-11-22T01:02:03.456789Z",
  changeDate: "1969-12-31T23:59:59Z",
  resourceOwner: "Grüße 🎉 ".repeat(30),
};
const SIGNED = { const: -3, in: [0, 1, -1, 2_147_483_647, -2_147_483_648] };
const UNSIGNED = { const: 3, in: [0, 1, 4_294_967_295] };
const SIGNED_64 = { const: "-3", in: ["0", "9223372036854775807", "-9223372036854775808"] };
const UNSIGNED_64 = { const: "3", in: ["0", "18446744073709551615"] };
const FLOATING = { const: -0.5, in: [0, -0, 1e-9, "NaN", "-Infinity"] };

describe("createWriteBinary", () => {
  const cases: readonly (readonly [DescMessage, JsonValue])[] = [
    [UpdateHumanPhoneResponseSchema, {}],
    [UpdateHumanPhoneResponseSchema, { details: {} }],
    [UpdateHumanPhoneResponseSchema, { details: DETAILS }],
    [
      ImportHumanUserResponseSchema,
      { userId: "7", details: DETAILS, passwordlessRegistration: { link: "https://…", lifetime: "3600s" } },
    ],
    [
      ImportHumanUserRequestSchema,
      {
        profile: { gender: "GENDER_FEMALE" },
        password: "",
        passwordChangeRequired: true,
        idps: [{}, { configId: "1" }, { displayName: "2" }],
      },
    ],
    [ValueSchema, [null, false, 0, "", [1.5], []]],
    [SourceCodeInfoSchema, { location: [{ path: [], leadingDetachedComments: ["", "a"] }, { path: [0, 300] }] }],
    [StringRulesSchema, { const: "", in: ["", "é"] }],
    [BytesRulesSchema, { const: "", in: ["", "AAH/"] }],
    [BoolRulesSchema, { const: false }],
    [Int32RulesSchema, SIGNED],
    [SInt32RulesSchema, SIGNED],
    [SFixed32RulesSchema, SIGNED],
    [UInt32RulesSchema, UNSIGNED],
    [Fixed32RulesSchema, UNSIGNED],
    [Int64RulesSchema, SIGNED_64],
    [SInt64RulesSchema, SIGNED_64],
    [SFixed64RulesSchema, SIGNED_64],
    [UInt64RulesSchema, UNSIGNED_64],
    [Fixed64RulesSchema, UNSIGNED_64],
    [FloatRulesSchema, FLOATING],
    [DoubleRulesSchema, FLOATING],
  ];

  test.each(cases)("%s is written like toBinary: %j", (desc, json) => {
    const message = fromJson(desc, json);
    expect(Buffer.from(createWriteBinary(desc)(message))).toEqual(Buffer.from(toBinary(desc, message)));
  });

  test("messages written one after another do not share bytes", () => {
    const writeBinary = createWriteBinary(TimestampSchema);
    const seconds = [1n, 2n].map((each) => writeBinary(create(TimestampSchema, { seconds: each })));
    expect(seconds.map((bytes) => [...bytes])).toEqual([
      [8, 1],
      [8, 2],
    ]);
  });

  test("a message of 1 MB is written, and a small one after it", () => {
    const writeBinary = createWriteBinary(UpdateHumanPhoneResponseSchema);
    const large = create(UpdateHumanPhoneResponseSchema, { details: { resourceOwner: "x".repeat(1_000_000) } });
    const small = create(UpdateHumanPhoneResponseSchema, { details: { resourceOwner: "x" } });
    for (const message of [large, small]) {
      const expected = toBinary(UpdateHumanPhoneResponseSchema, message);
      expect(Buffer.compare(writeBinary(message), expected)).toBe(0);
    }
  });

  test("a message of another type is rejected, and the next message is written completely", () => {
    const writeBinary = createWriteBinary(UpdateHumanPhoneResponseSchema);
    const message = create(UpdateHumanPhoneResponseSchema, { details: { resourceOwner: "x" } });
    expect(() => writeBinary({ ...message, details: create(TimestampSchema) as never })).toThrow(
      "expected a signet.v1.ObjectDetails",
    );
    expect(Buffer.from(writeBinary(message))).toEqual(Buffer.from(toBinary(UpdateHumanPhoneResponseSchema, message)));
  });

  test("a map is rejected", () => {
    expect(() => createWriteBinary(StructSchema)(fromJson(StructSchema, { a: 1 }) as never)).toThrow("is a map");
  });
});
