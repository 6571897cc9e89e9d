import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { OIDCMappingField, StylingType } from "../../gen/signet/v1/idp_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { read_only } from "../../gen/signet/v1/options_pb.js";
import { MAPPING_FIELD, STYLING_TYPE } from "../../src/idps/stored-numbers.ts";
import { MAX_VALUES } from "../../src/rpc/body-limits.ts";
import { maxItemsOf } from "../../src/rpc/rules/list-limits.ts";

/** Scalars whose JSON form `readMessage` checks. */
const SCALARS = [
  ScalarType.STRING,
  ScalarType.BYTES,
  ScalarType.BOOL,
  ScalarType.INT32,
  ScalarType.UINT32,
  ScalarType.INT64,
  ScalarType.UINT64,
];

const TIMES = ["google.protobuf.Duration", "google.protobuf.Timestamp"];

function isSupportedMessage(message: DescMessage | undefined): boolean {
  const name = message?.typeName ?? "";
  return [...TIMES, "google.protobuf.FieldMask"].includes(name) || !name.startsWith("google.protobuf.");
}

/** The default limit on the items of a list. */
const MAX_ITEMS = 50;

/** The number of values in the largest message, by its lists and oneofs. A recursive message counts as one value. */
function largest(message: DescMessage, within: readonly DescMessage[] = []): number {
  if (within.includes(message)) return 1;
  const sizeOf = (field: DescField): number => {
    const one = field.message ? largest(field.message, [...within, message]) : 1;
    return field.fieldKind === "list" ? 1 + one * (maxItemsOf(field) ?? MAX_ITEMS) : one;
  };
  const sizes = message.members.map((member) =>
    member.kind === "oneof" ? Math.max(...member.fields.map(sizeOf)) : sizeOf(member),
  );
  return sizes.reduce((sum, size) => sum + size, 1);
}

function fieldsOf(message: DescMessage, found = new Set<DescField>()): Set<DescField> {
  for (const field of message.fields) {
    if (found.has(field)) continue;
    found.add(field);
    if (field.message) fieldsOf(field.message, found);
  }
  return found;
}

const METHODS = [...AdminService.methods, ...ManagementService.methods, ...AuthService.methods];

test("the methods that change no data are those whose names say so", () => {
  const readOnly = METHODS.filter((method) => getOption(method, read_only)).map(({ name }) => name);
  const named = METHODS.filter(({ name }) => /^(Get|List|Count|Is|Check|BulkCheck|Watch)[A-Z]/.test(name));
  expect(readOnly).toEqual(named.map(({ name }) => name));
});

test("requests use only types that readMessage and readBinary support", () => {
  const fields = new Set(METHODS.flatMap(({ input }) => [...fieldsOf(input)]));
  const unsupported = [...fields].filter(
    ({ fieldKind, scalar, message }) =>
      fieldKind === "map" || !isSupportedMessage(message) || (scalar !== undefined && !SCALARS.includes(scalar)),
  );
  expect(unsupported.map(String)).toEqual([]);
  expect(fields.size).toBeGreaterThan(500);
});

test("requests have fewer values than a body may have", () => {
  // The users of one call share the limit (docs/api.md); the largest one fits.
  const sizes = METHODS.map(({ name, input }) => ({
    name,
    size: /^Bulk\w+HumanUsers$/.test(name) ? largest(input) / 50 : largest(input),
  }));
  expect(sizes.filter(({ size }) => size >= MAX_VALUES)).toEqual([]);
  expect(sizes.length).toBeGreaterThan(200);
});

test.each([
  ["styling types", STYLING_TYPE, StylingType],
  ["mapping fields", MAPPING_FIELD, OIDCMappingField],
])("the stored numbers of %s are those of the contract", (_what, stored, contract) => {
  const numbers = Object.values(contract).filter((value) => typeof value === "number");
  expect(Object.values(stored)).toEqual(numbers);
  for (const [name, number] of Object.entries(stored)) {
    expect(contract[number]?.replaceAll("_", "").toLowerCase()).toMatch(new RegExp(`${name}$`, "i"));
  }
});
