import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { MAX_VALUES } from "../../src/rpc/body-limits.ts";

/** The default of MAX_BODY_BYTES. */
const MIB = 1_048_576;

/** How many items a body may have that has little else. */
const MOST = MAX_VALUES - 10;

/** Bodies of an ImportHumanUserRequest, each as large as one may be and made to take as much time as possible. */
export interface NastyBody {
  readonly name: string;
  readonly body: Buffer;
}

export function createNastyJson(): NastyBody[] {
  const fill = (head: string, item: (index: number) => string, tail: string, count = MIB): string => {
    const parts = [head];
    let length = head.length + tail.length;
    for (let index = 0; index < count; index += 1) {
      const part = item(index);
      length += Buffer.byteLength(part);
      if (length > MIB) break;
      parts.push(part);
    }
    return parts.join("") + tail;
  };
  const member = (key: string) => `${JSON.stringify(key)}:1,`;
  const texts: Record<string, string> = {
    "empty items": fill('{"idps":[', () => "{},", "1]}"),
    "empty items, all valid": fill('{"idps":[', () => "{},", "{}]}"),
    "items with a field": fill('{"idps":[', () => '{"configId":"a"},', "{}]}"),
    "numbers in a list of messages": fill('{"idps":[', () => "1,", "1]}"),
    "unknown keys": fill("{", (index) => member(`k${index}`), '"z":1}'),
    "keys that are array indexes": fill("{", (index) => member(String(index)), '"z":1}'),
    "keys that are distant array indexes": fill("{", (index) => member(String(index * 4096)), '"z":1}'),
    "keys that are large integers": fill("{", (index) => member(String(2 ** 32 + index * 2 ** 20)), '"z":1}'),
    "keys of one length that differ at the end": fill("{", (index) => member(`${"a".repeat(40)}${index}`), '"z":1}'),
    "keys with escapes": fill("{", (index) => `"\\u0061${index}":1,`, '"z":1}'),
    "one key again and again": fill("{", () => '"a":1,', '"a":1}'),
    "one key again and again, in items": fill('{"idps":[', () => '{"a":1},', "1]}"),
    "a field by both names, in items": fill('{"idps":[', () => '{"configId":"a","config_id":"a"},', "1]}"),
    "empty arrays": fill('{"idps":[', () => "[],", "1]}"),
    "open arrays": "[".repeat(MIB),
    "open objects": fill("", () => '{"a":', ""),
    "nested arrays": "[".repeat(MIB / 2) + "]".repeat(MIB / 2),
    "a string of letters": `{"userName":"${"a".repeat(MIB - 20)}"}`,
    "a string of letters, of a wrong field": `{"idps":"${"a".repeat(MIB - 20)}"}`,
    "a string of two-byte characters": fill('{"userName":"', () => "é", '"}'),
    "a string of three-byte characters": fill('{"userName":"', () => "漢", '"}'),
    "a string of four-byte characters": fill('{"userName":"', () => "😀", '"}'),
    "a string of short escapes": fill('{"userName":"', () => "\\n", '"}'),
    "a string of quotes": fill('{"userName":"', () => '\\"', '"}'),
    "a string of long escapes": fill('{"userName":"', () => "\\u0041", '"}'),
    "a string of lone surrogates": fill('{"userName":"', () => "\\ud800", '"}'),
    "a string of lone surrogates at its end": fill('{"userName":"', () => "漢", '\\ud800"}'),
    "a string of escapes that is not closed": fill('{"userName":"', () => "\\n", ""),
    "an unknown enum value": `{"profile":{"gender":"${"a".repeat(MIB - 40)}"}}`,
    "an unknown enum value of quotes": fill('{"profile":{"gender":"', () => '\\"', '"}}'),
    "a boolean of quotes": fill('{"passwordChangeRequired":"', () => '\\"', '"}'),
    "a key of letters": `{"${"a".repeat(MIB - 20)}":1}`,
    "a key of escapes": fill('{"', () => "\\u0041", '":1}'),
    "a key of four-byte characters": fill('{"', () => "😀", '":1}'),
    "a number of many digits": `{"userName":${"1".repeat(MIB - 20)}}`,
    "a number of many decimals": `{"userName":0.${"1".repeat(MIB - 20)}}`,
    "a number with a long exponent": `{"userName":1e${"1".repeat(MIB - 20)}}`,
    "a number for an enum": `{"profile":{"gender":${"1".repeat(MIB - 40)}}}`,
    "numbers of one digit": fill("[", () => "1,", "1]"),
    "white space": `{${" ".repeat(MIB - 2)}}`,
    "lines, then a problem": `{${"\n".repeat(MIB - 2)}x`,
    "one line, then a problem": `{${" ".repeat(MIB - 2)}x`,
    "four-byte characters, then a problem": fill('{"userName":"', () => "😀", '"x'),
    "white space between values": fill("[", () => "1 , ", "1]"),
    commas: ",".repeat(MIB),
    nulls: fill('{"idps":[', () => "null,", "null]}"),
    "strings in a list": fill('{"idps":[', () => '"",', '""]}'),
    "as many empty items as are allowed": fill('{"idps":[', () => "{},", "{}]}", MOST),
    "as many empty items as are allowed, then a number": fill('{"idps":[', () => "{},", "1]}", MOST),
    "as many items with a field as are allowed": fill('{"idps":[', () => '{"configId":"a"},', "{}]}", MOST / 2),
    "as many unknown keys as are allowed": fill("{", (index) => member(`k${index}`), '"z":1}', MOST),
    "as many unknown keys in an item as are allowed": fill(
      '{"idps":[{',
      (index) => member(`k${index}`),
      '"z":1}]}',
      MOST,
    ),
    "as many long unknown keys as are allowed": fill(
      "{",
      (index) => member(`${"a".repeat(190)}${index}`),
      '"z":1}',
      MOST,
    ),
    "as many long escaped strings as are allowed": fill('{"idps":[', () => `"${"\\n".repeat(100)}",`, "1]}", MOST),
  };
  const bodies = Object.entries(texts).map(([name, text]) => ({ name, body: Buffer.from(text) }));
  return [
    ...bodies,
    { name: "bytes that are not UTF-8", body: Buffer.alloc(MIB, 0xff) },
    { name: "bytes that are not UTF-8 at the end", body: Buffer.alloc(MIB, 0x20).fill(0xff, MIB - 1) },
  ];
}

export function createNastyBinary(): NastyBody[] {
  const repeat = (bytes: Uint8Array, tail: Uint8Array = Buffer.alloc(0)) =>
    Buffer.concat([...Array<Uint8Array>(Math.floor((MIB - tail.length) / bytes.length)).fill(bytes), tail]);
  const write = (act: (writer: BinaryWriter) => BinaryWriter) => act(new BinaryWriter()).finish();
  const field = (no: number, value: Uint8Array) => write((to) => to.tag(no, WireType.LengthDelimited).bytes(value));
  const tag = (no: number, type: WireType) => write((to) => to.tag(no, type));
  const nest = (no: number) => {
    let bytes = Buffer.alloc(0);
    for (let depth = 0; depth < 5_000; depth += 1) bytes = Buffer.from(field(no, bytes));
    return bytes;
  };
  const utf8 = (text: string) => Buffer.from(text);
  const most = (bytes: Uint8Array) => Buffer.concat(Array<Uint8Array>(MOST).fill(bytes));
  const groups = Math.floor(MIB / 2);
  const all: Record<string, Uint8Array> = {
    "empty items": repeat(field(10, utf8(""))),
    "items with a field": repeat(field(10, field(1, utf8("a")))),
    "items in one item": field(10, repeat(field(1, utf8(""))).subarray(0, MIB - 10)),
    "empty profiles": repeat(field(2, utf8(""))),
    "empty strings": repeat(field(1, utf8(""))),
    "short strings": repeat(field(1, utf8("a"))),
    booleans: repeat(write((to) => to.tag(7, WireType.Varint).bool(true))),
    "unknown varints": repeat(write((to) => to.tag(15, WireType.Varint).uint32(1))),
    "unknown numbers of fields": repeat(write((to) => to.tag(100_000, WireType.Varint).uint32(1))),
    "unknown strings": repeat(field(15, utf8(""))),
    "unknown fields of 32 bits": repeat(write((to) => to.tag(15, WireType.Bit32).fixed32(1))),
    "empty groups": repeat(Buffer.concat([tag(15, WireType.StartGroup), tag(15, WireType.EndGroup)])),
    "fields in one group": Buffer.concat([
      tag(15, WireType.StartGroup),
      repeat(write((to) => to.tag(1, WireType.Varint).uint32(1))).subarray(0, MIB - 2),
      tag(15, WireType.EndGroup),
    ]),
    "a group in an item that does not end there": Buffer.concat([
      field(10, tag(15, WireType.StartGroup)),
      repeat(write((to) => to.tag(1, WireType.Varint).uint32(1))).subarray(0, MIB - 10),
    ]),
    "open groups": Buffer.alloc(MIB, tag(15, WireType.StartGroup)),
    "nested groups": Buffer.concat([
      Buffer.alloc(groups, tag(15, WireType.StartGroup)),
      Buffer.alloc(groups, tag(15, WireType.EndGroup)),
    ]),
    "nested unknown messages": nest(15),
    "nested messages": nest(2),
    "items of a wrong wire type": repeat(write((to) => to.tag(10, WireType.Varint).uint32(0))),
    "a string of letters": field(1, Buffer.alloc(MIB - 10, "a")),
    "a string of three-byte characters": field(
      1,
      Buffer.alloc(MIB - 10, "漢").subarray(0, MIB - 10 - ((MIB - 10) % 3)),
    ),
    "a string that is not UTF-8": field(1, Buffer.alloc(MIB - 10, 0xff)),
    "a string that is not UTF-8 at its end": field(1, Buffer.alloc(MIB - 10, "a").fill(0xff, MIB - 11)),
    "a varint without an end": Buffer.concat([tag(7, WireType.Varint), Buffer.alloc(MIB - 1, 0x80)]),
    "an unknown varint without an end": Buffer.concat([tag(15, WireType.Varint), Buffer.alloc(MIB - 1, 0x80)]),
    zeros: Buffer.alloc(MIB),
    "an end of a group": repeat(tag(15, WireType.EndGroup)),
    "a length beyond the end": Buffer.concat([tag(1, WireType.LengthDelimited), Buffer.from([0xff, 0xff, 0xff, 0x7f])]),
    "as many empty items as are allowed": most(field(10, utf8(""))),
    "as many empty profiles as are allowed": most(field(2, utf8(""))),
    "as many long strings as are allowed": most(field(1, Buffer.alloc(200, "a"))),
    "as many unknown strings as are allowed": most(field(15, Buffer.alloc(200, "a"))),
    "as many empty groups as are allowed": most(
      Buffer.concat([tag(15, WireType.StartGroup), tag(15, WireType.EndGroup)]),
    ),
  };
  return Object.entries(all).map(([name, bytes]) => ({ name, body: Buffer.from(bytes) }));
}
