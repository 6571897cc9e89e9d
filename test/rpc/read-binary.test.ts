import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { UpdateHumanPhoneRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { readBinary } from "../../src/rpc/read-binary.ts";
import { LimitedSchema } from "./limited-message.ts";
import { violation } from "./violation.ts";

const repeat = (bytes: Uint8Array, count: number) => Buffer.concat(Array<Uint8Array>(count).fill(bytes));
const field = (number: number, value: Uint8Array) =>
  Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(value).finish());
const tag = (number: number, type: WireType) => Buffer.from(new BinaryWriter().tag(number, type).finish());
/** Makes a body long enough for its values to be counted. */
const PADDING = field(900, Buffer.alloc(5_000));

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

describe("readBinary of more than 5,000 values", () => {
  const general = { field: "", description: "the body has more than 5000 values" };
  const inGroup = (bytes: Uint8Array) =>
    Buffer.concat([tag(99, WireType.StartGroup), bytes, tag(99, WireType.EndGroup)]);
  const empty = field(2, Buffer.alloc(0));
  test.each<[string, (count: number) => Buffer, number]>([
    ["items", (count) => repeat(empty, count), 4_999],
    ["items of an item", (count) => field(2, repeat(empty, count)), 4_998],
    ["messages for one field", (count) => repeat(field(5, Buffer.alloc(0)), count), 4_999],
    ["unknown fields", (count) => repeat(field(99, Buffer.from("text")), count), 4_999],
    ["unknown varints", (count) => repeat(Buffer.concat([tag(99, WireType.Varint), Buffer.of(0x80, 1)]), count), 4_999],
    ["unknown numbers", (count) => repeat(Buffer.concat([tag(99, WireType.Bit64), Buffer.alloc(8)]), count), 4_999],
    ["fields in a group", (count) => inGroup(repeat(empty, count)), 4_998],
    ["groups", (count) => repeat(inGroup(Buffer.alloc(0)), count), 4_999],
    ["packed items of one byte", (count) => field(3, Buffer.alloc(count, 1)), 4_999],
    ["packed items of eight bytes", (count) => field(4, Buffer.alloc(8 * count)), 4_999],
    ["items that are not packed", (count) => repeat(Buffer.of(...tag(3, WireType.Varint), 7), count), 4_999],
    ["items with another wire type", (count) => repeat(Buffer.of(...tag(2, WireType.Varint), 0), count), 4_999],
  ])("%s are refused, and 5,000 values are not", (_what, write, most) => {
    expect(() => readBinary(LimitedSchema, Buffer.concat([PADDING, write(most)]))).not.toThrow();
    const { description } = violation(() => readBinary(LimitedSchema, Buffer.concat([PADDING, write(most + 1)]))) ?? {};
    expect(description).toBe(general.description);
  });

  test("a list with a separate limit is named", () => {
    const wide = field(1, Buffer.alloc(0));
    const refuse = (...parts: Buffer[]) =>
      violation(() => readBinary(LimitedSchema, Buffer.concat([PADDING, ...parts])));
    const named = { field: "wideItems", description: "must have at most 3 items" };
    expect(refuse(repeat(wide, 5_000))).toEqual(named);
    expect(refuse(repeat(wide, 4), repeat(empty, 5_000))).toEqual(named);
    expect(refuse(repeat(wide, 3), repeat(empty, 5_000))).toEqual(general);
    expect(refuse(field(5, repeat(wide, 5_000)))).toEqual(general);
  });
});

describe("readBinary of nested messages", () => {
  const nestFields = (number: number, depth: number) => {
    const heads: Uint8Array[] = [];
    let length = 0;
    for (let level = 0; level < depth; level += 1) {
      const head = new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(length).finish();
      heads.push(head);
      length += head.length;
    }
    return Buffer.concat(heads.reverse());
  };
  const nestGroups = (depth: number) =>
    Buffer.concat([repeat(tag(99, WireType.StartGroup), depth), repeat(tag(99, WireType.EndGroup), depth)]);
  test.each<[string, (depth: number) => Buffer]>([
    ["messages", (depth) => nestFields(5, depth)],
    ["items", (depth) => nestFields(2, depth)],
    ["groups", nestGroups],
  ])("%s may be nested 100 levels deep", (_what, nest) => {
    for (const padding of [Buffer.alloc(0), PADDING]) {
      const read = (depth: number) => readBinary(LimitedSchema, Buffer.concat([padding, nest(depth)]));
      expect(() => read(99)).not.toThrow();
      for (const depth of [101, 4_000]) {
        expect(violation(() => read(depth))?.description).toMatch(/nested more than 100 levels|recursion depth/);
      }
    }
  });

  test("a group that ends after its message is rejected before the rest is read", () => {
    const rest = repeat(Buffer.of(...tag(98, WireType.Varint), 1), 100_000);
    const bytes = Buffer.concat([field(5, tag(99, WireType.StartGroup)), rest]);
    expect(violation(() => readBinary(LimitedSchema, bytes))?.description).toBe("the body has more than 5000 values");
  });
});
