import type { JsonValue } from "@bufbuild/protobuf";
import { SignetError } from "../../../src/errors.ts";
import { parseJson } from "../../../src/rpc/json/json-syntax.ts";
import { LimitedSchema } from "../limited-message.ts";
import { violation } from "../violation.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("parseJson", () => {
  test.each<[string, JsonValue]>([
    ['{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\"\\n"],"b":{}}', { a: [1, -500, true, false, null, 'é"\n'], b: {} }],
    [" \t\r\n[ ] ", []],
    ["\ufeff{}", {}],
    ['{"a":{"k":1},"b":{"k":1},"k":["k","k"]}', { a: { k: 1 }, b: { k: 1 }, k: ["k", "k"] }],
  ])("reads %s", (text, expected) => {
    expect(parseJson(utf8(text))).toEqual(expected);
  });

  test("treats __proto__ like any other key", () => {
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
    ['["secret', "a string is unterminated or contains an invalid escape or control character at line 1, column 9"],
    ['["a\nb"]', "a string is unterminated or contains an invalid escape or control character at line 1, column 4"],
    ['["\\x"]', "a string is unterminated or contains an invalid escape or control character at line 1, column 3"],
    ['["\\u12g4"]', "a string is unterminated or contains an invalid escape or control character at line 1, column 3"],
    ['{"a":1,\n "\\u0061":2}', 'the key "a" is given twice at line 2, column 2'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" is given twice at line 1, column 16'],
    ["\u00a0{}", "expected a value at line 1, column 1"],
  ])("rejects %j", (text, problem) => {
    expect(violation(() => parseJson(utf8(text)))).toEqual({
      field: "",
      description: `the body is not valid JSON: ${problem}`,
    });
  });

  test("rejects bytes that are not UTF-8", () => {
    const { description } = violation(() => parseJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))) ?? {};
    expect(description).toBe("the body is not valid UTF-8");
  });

  test("rejects what JSON.parse rejects, and duplicate keys", () => {
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
    const errorOf = (act: () => unknown): unknown => {
      try {
        act();
        return undefined;
      } catch (error) {
        return error;
      }
    };
    const differences: string[] = [];
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join("");
      const ours = errorOf(() => parseJson(utf8(text)));
      const theirs = errorOf(() => JSON.parse(text));
      const isExpected = ours instanceof SignetError ? theirs || /given twice/.test(ours.message) : !ours && !theirs;
      if (!isExpected) differences.push(text);
    }
    expect(differences).toEqual([]);
  });

  test("rejects more than 100 levels of objects and arrays", () => {
    const nested = (depth: number) => utf8("[".repeat(depth) + "]".repeat(depth));
    expect(() => parseJson(nested(100))).not.toThrow();
    for (const text of [nested(101), utf8("[".repeat(1_000_000)), utf8('{"a":'.repeat(200_000))]) {
      const description = "the body is nested more than 100 levels deep";
      expect(violation(() => parseJson(text))).toEqual({ field: "", description });
    }
  });

  test("gives the position of a problem after many lines or wide characters", () => {
    const at = (text: string) => violation(() => parseJson(utf8(text)))?.description.replace(/.* at /, "");
    expect(at(`{${"\n".repeat(500_000)}  x`)).toBe("line 500001, column 3");
    expect(at(`{"${"😀é".repeat(100_000)}"x`)).toBe("line 1, column 200004");
  });

  describe("with many values", () => {
    const general = { field: "", description: "the body has more than 5000 values" };
    test.each<[string, (count: number) => string, number]>([
      ["items", (count) => `[${Array(count).fill("1").join()}]`, 4_999],
      ["members", (count) => `{${Array.from({ length: count }, (_, index) => `"${index}":""`).join()}}`, 4_999],
      ["objects", (count) => `[${Array(count).fill("{}").join()}]`, 4_999],
      ["nested members", (count) => `[${Array(count).fill('{"a":[]}').join()},1]`, 2_499],
    ])("rejects more than 5,000 values in %s", (_what, write, most) => {
      expect(() => parseJson(utf8(write(most)))).not.toThrow();
      expect(violation(() => parseJson(utf8(write(most + 1))))).toEqual(general);
    });

    test("names a list that has a separate limit", () => {
      const refuse = (text: string) => violation(() => parseJson(utf8(text), LimitedSchema));
      const many = Array(5_000).fill("{}").join();
      expect(refuse(`{"wideItems":[${many}]}`)).toEqual({
        field: "wideItems",
        description: "must have at most 3 items",
      });
      expect(refuse(`{"wide_items":[${many}`)?.field).toBe("wideItems");
      expect(refuse(`{"wideItems":[{},{},{"a":[${many}]}]}`)).toEqual(general);
      expect(refuse(`{"free":[${many}]}`)).toEqual(general);
      expect(refuse(`{"free":[{},{},{},{}],"wideItems":{"a":[${many}]}}`)).toEqual(general);
      expect(refuse(`{"none":[${many}]}`)).toEqual(general);
      expect(refuse(`[[${many}]]`)).toEqual(general);
    });
  });
});
