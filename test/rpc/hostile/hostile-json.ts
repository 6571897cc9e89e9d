import { MAX_DEPTH, MAX_VALUES } from "../../../src/rpc/body-limits.ts";
import { type HostileBody, MIB, MOST } from "./hostile-body.ts";

const TOO_MANY = `the body has more than ${MAX_VALUES} values`;
const TOO_LONG = "idps: must have at most 50 items";
const TOO_DEEP = `the body is nested more than ${MAX_DEPTH} levels deep`;
const NOT_JSON = "the body is not valid JSON: ";
const GENDERS = "must be one of GENDER_UNSPECIFIED, GENDER_FEMALE, GENDER_MALE, GENDER_DIVERSE";

/** JSON bodies of 1 MiB for an ImportHumanUserRequest. */
export function createHostileJson(): HostileBody[] {
  const member = (key: string) => `${JSON.stringify(key)}:1,`;
  const bodies: [problem: string | undefined, texts: Record<string, string>][] = [
    [
      TOO_LONG,
      {
        "empty items": fill('{"idps":[', () => "{},", "{}]}"),
        "empty items, then a number": fill('{"idps":[', () => "{},", "1]}"),
        "items with a field": fill('{"idps":[', () => '{"configId":"a"},', "{}]}"),
        "a field by both names in items": fill('{"idps":[', () => '{"configId":"a","config_id":"a"},', "1]}"),
        "numbers instead of items": fill('{"idps":[', () => "1,", "1]}"),
        "strings instead of items": fill('{"idps":[', () => '"",', '""]}'),
        "nulls instead of items": fill('{"idps":[', () => "null,", "null]}"),
        "arrays instead of items": fill('{"idps":[', () => "[],", "1]}"),
        "unknown keys in items": fill('{"idps":[', () => '{"a":1},', "1]}"),
      },
    ],
    [
      TOO_MANY,
      {
        "unknown keys": fill("{", (index) => member(`k${index}`), '"z":1}'),
        "unknown keys with escapes": fill("{", (index) => `"\\u0061${index}":1,`, '"z":1}'),
        "unknown keys with a long common prefix": fill("{", (index) => member(`${"a".repeat(40)}${index}`), '"z":1}'),
        "array indexes as keys": fill("{", (index) => member(String(index)), '"z":1}'),
        // V8 derives the hash of such a key from its number. Powers of two would share a bucket without a secret seed.
        "array indexes as keys that hash alike": fill("{", (index) => member(String(index * 2_048)), '"z":1}'),
        "large integers as keys": fill("{", (index) => member(String(2 ** 32 + index * 2 ** 20)), '"z":1}'),
        "digits in an array": fill("[", () => "1,", "1]"),
        "white space between values": fill("[", () => "1 , ", "1]"),
      },
    ],
    [
      TOO_DEEP,
      {
        "open arrays": "[".repeat(MIB),
        "open objects": fill("", () => '{"a":', ""),
        "nested arrays": "[".repeat(MIB / 2) + "]".repeat(MIB / 2),
      },
    ],
    [
      undefined,
      {
        "a string of letters": `{"userName":"${"a".repeat(MIB - 20)}"}`,
        "a string of two-byte characters": fill('{"userName":"', () => "é", '"}'),
        "a string of three-byte characters": fill('{"userName":"', () => "漢", '"}'),
        "a string of four-byte characters": fill('{"userName":"', () => "😀", '"}'),
        "a string of short escapes": fill('{"userName":"', () => "\\n", '"}'),
        "a string of long escapes": fill('{"userName":"', () => "\\u0041", '"}'),
        "a string of letters and escapes in turn": fill('{"userName":"', () => "a\\n", '"}'),
        "white space": `{${" ".repeat(MIB - 2)}}`,
        "as many empty items as possible": fill('{"idps":[', () => "{},", "{}]}", MOST),
        "as many items with a field as possible": fill('{"idps":[', () => '{"configId":"a"},', "{}]}", MOST / 2),
      },
    ],
    [
      "userName: must be a string, is a number",
      {
        "a number of many digits": `{"userName":${"1".repeat(MIB - 20)}}`,
        "a number of many decimals": `{"userName":0.${"1".repeat(MIB - 20)}}`,
        "a number with a long exponent": `{"userName":1e${"1".repeat(MIB - 20)}}`,
      },
    ],
    [
      "userName: must be a string without lone surrogates",
      {
        "a string of lone surrogates": fill('{"userName":"', () => "\\ud800", '"}'),
        "a string with a lone surrogate at its end": fill('{"userName":"', () => "漢", '\\ud800"}'),
      },
    ],
    [
      `profile.gender: ${GENDERS}`,
      {
        "a number for an enum": `{"profile":{"gender":${"1".repeat(MIB - 40)}}}`,
        "an unknown enum value": `{"profile":{"gender":"${"a".repeat(MIB - 40)}"}}`,
        "an unknown enum value of quotes": fill('{"profile":{"gender":"', () => '\\"', '"}}'),
      },
    ],
    ["a: is not a known field", { "an unknown key and white space": `{"a":1${" ".repeat(MIB - 7)}}` }],
    [
      "k0: is not a known field",
      { "as many unknown keys as possible": fill("{", (i) => member(`k${i}`), '"z":1}', MOST) },
    ],
    [
      "idps[0].k0: is not a known field",
      { "as many unknown keys in an item as possible": fill('{"idps":[{', (i) => member(`k${i}`), '"z":1}]}', MOST) },
    ],
    [
      `${"a".repeat(50)}: is not a known field`,
      {
        "a key of letters": `{"${"a".repeat(MIB - 20)}":1}`,
        "a key of escapes": fill('{"', () => "\\u0061", '":1}'),
        "as many long unknown keys as possible": fill("{", (i) => member(`${"a".repeat(190)}${i}`), '"z":1}', MOST),
      },
    ],
    [`${"😀".repeat(50)}: is not a known field`, { "a key of four-byte characters": fill('{"', () => "😀", '":1}') }],
    ["idps: must be an array", { "a string instead of a list": `{"idps":"${"a".repeat(MIB - 20)}"}` }],
    ["passwordChangeRequired: must be true", { quotes: fill('{"passwordChangeRequired":"', () => '\\"', '"}') }],
    [
      TOO_LONG,
      { "as many escaped strings as possible": fill('{"idps":[', () => `"${"\\n".repeat(100)}",`, "1]}", MOST) },
    ],
    [TOO_LONG, { "as many empty items as possible, then a number": fill('{"idps":[', () => "{},", "1]}", MOST) }],
    [`${NOT_JSON}the key "a" is given twice`, { "one key many times": fill("{", () => '"a":1,', '"a":1}') }],
    [`${NOT_JSON}a string is unterminated`, { "escapes in an open string": fill('{"userName":"', () => "\\n", "") }],
    [
      `${NOT_JSON}expected a key in double quotes or }`,
      {
        "many lines, then a problem": `{${"\n".repeat(MIB - 2)}x`,
        "one long line, then a problem": `{${" ".repeat(MIB - 2)}x`,
      },
    ],
    [`${NOT_JSON}expected a comma`, { "many characters, then a problem": fill('{"userName":"', () => "😀", '"x') }],
    [`${NOT_JSON}expected a value`, { commas: ",".repeat(MIB) }],
  ];
  const notUtf8 = "the body is not valid UTF-8";
  return [
    ...bodies.flatMap(([problem, texts]) =>
      Object.entries(texts).map(([name, text]) => ({ name, problem, body: Buffer.from(text) })),
    ),
    { name: "bytes that are not UTF-8", problem: notUtf8, body: Buffer.alloc(MIB, 0xff) },
    {
      name: "white space that ends in such a byte",
      problem: notUtf8,
      body: Buffer.alloc(MIB, " ").fill(0xff, MIB - 1),
    },
  ];
}

/** Repeats an item until the text has 1 MiB or `count` items. */
function fill(head: string, item: (index: number) => string, tail: string, count = MIB): string {
  if (item.length === 0) return fillWithOne(head, item(0), tail, count);
  const parts = [head];
  let length = head.length + tail.length;
  for (let index = 0; index < count; index += 1) {
    const part = item(index);
    length += Buffer.byteLength(part);
    if (length > MIB) break;
    parts.push(part);
  }
  return parts.join("") + tail;
}

function fillWithOne(head: string, item: string, tail: string, count: number): string {
  const most = Math.floor((MIB - head.length - tail.length) / Buffer.byteLength(item));
  return head + item.repeat(Math.min(count, most)) + tail;
}
