import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { invalidArgument } from "../../errors.ts";
import { MAX_DEPTH, MAX_VALUES, nestedTooDeep, tooManyValues } from "../body-limits.ts";

/**
 * Parses a JSON text (RFC 8259) in UTF-8. Skips a byte order mark, as section 8.1 allows, and rejects duplicate keys in
 * an object, because a proxy may use another one of them than Signet. Errors contain the line and column of the
 * problem, but no content, because it may be secret.
 *
 * @param desc The message type of the text. The error for too many values uses it to name a list.
 * @throws SignetError INVALID_ARGUMENT for malformed text, and for text that exceeds `MAX_VALUES` or `MAX_DEPTH`.
 */
export function parseJson(bytes: Uint8Array, desc?: DescMessage): JsonValue {
  const text = decodeUtf8(bytes);
  const problem = findProblem(text, desc);
  // The scan rejects everything that JSON.parse rejects, whose errors quote the text and may lack the position.
  if (problem === undefined) return JSON.parse(text);
  const { line, column } = positionOf(text, problem.at);
  throw invalidArgument({
    field: "",
    description: `the body is not valid JSON: ${problem.what} at line ${line}, column ${column}`,
  });
}

export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Finds a field by its JSON name or its name in the proto file. */
export function findField(desc: DescMessage, name: string): DescField | undefined {
  let byName = fieldsByName.get(desc);
  if (byName === undefined) {
    byName = new Map(desc.fields.flatMap((field) => [field.name, field.jsonName].map((key) => [key, field])));
    fieldsByName.set(desc, byName);
  }
  return byName.get(name);
}

const fieldsByName = new WeakMap<DescMessage, Map<string, DescField>>();

/** Shortens a name from a request, so that an error can quote it. */
export function shorten(name: string): string {
  return [...name.slice(0, 100)].slice(0, 50).join("").toWellFormed();
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidArgument({ field: "", description: "the body is not valid UTF-8" });
  }
}

/** The tokens that the grammar allows next, each with the error for anything else. */
const EXPECTED = {
  value: "expected a value",
  "first item": "expected a value or ]",
  "first key": "expected a key in double quotes or }",
  key: "expected a key in double quotes",
  colon: "expected a colon",
  more: "expected a comma or the closing bracket",
  end: "expected nothing more",
};

/**
 * Finds the first position where a text violates the grammar of RFC 8259, or repeats a key in an object (which section
 * 4 leaves open). Throws at the first value over a limit.
 */
function findProblem(text: string, desc: DescMessage | undefined): { at: number; what: string } | undefined {
  /** The open objects and arrays: the keys so far for an object, undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let expected: keyof typeof EXPECTED = "value";
  let values = 0;
  /** The last key of the outermost object, and the number of items of its array. */
  let member = "";
  let items = 0;
  for (let at = endOf(SPACE, text, 0), next = at; ; at = endOf(SPACE, text, next)) {
    const char = text[at];
    if (char === undefined && expected === "end") return undefined;
    const keys = open.at(-1);
    const isKey = expected === "key" || expected === "first key";
    const isValue = expected === "value" || expected === "first item";
    const closes = keys ? char === "}" : char === "]" && open.length > 0;
    next = at + 1;
    if (expected === "more" && char === ",") {
      expected = keys ? "key" : "value";
      continue;
    }
    if (expected === "colon" && char === ":") {
      expected = "value";
      continue;
    }
    if (isValue && !closes) {
      values += 1;
      if (open.length === 2 && !keys) items += 1;
      if (values > MAX_VALUES) {
        const field = desc && findField(desc, member);
        throw tooManyValues(field && [[field, items]]);
      }
    }
    if (isValue && (char === "{" || char === "[")) {
      if (open.length === MAX_DEPTH) throw nestedTooDeep();
      open.push(char === "{" ? new Set() : undefined);
      expected = char === "{" ? "first key" : "first item";
      continue;
    }
    if (closes && (expected === "more" || expected === "first key" || expected === "first item")) {
      open.pop();
    } else if (char === '"' && (isKey || isValue)) {
      const end = stringEnd(text, at);
      if (text[end] !== '"')
        return { at: end, what: "a string is unterminated or contains an invalid escape or control character" };
      next = end + 1;
      if (isKey) {
        const key: string = JSON.parse(text.slice(at, next));
        if (keys?.has(key)) return { at, what: `the key ${JSON.stringify(shorten(key))} is given twice` };
        keys?.add(key);
        if (open.length === 1) {
          member = key;
          items = 0;
        }
        expected = "colon";
        continue;
      }
    } else {
      next = isValue ? endOf(SCALAR, text, at) : at;
      if (next === at) return { at, what: EXPECTED[expected] };
    }
    expected = open.length > 0 ? "more" : "end";
  }
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, section 7: these must be escaped
const CHARACTERS = /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,500}/y;

/**
 * The position of the quote that closes a string, or of the first invalid character. One match covers many escapes,
 * because a match for each takes 20 ms in a string with a million escapes; the bound limits the memory of the matcher.
 */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const end = endOf(CHARACTERS, text, at);
    if (end === at || text[end] === '"') return end;
    at = end;
  }
}

/** Where the match of a sticky expression ends; `at` itself if there is none. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

/** Line and column of a position, both from 1; columns count code points. */
function positionOf(text: string, end: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      line += 1;
      column = 1;
    } else if (code < FIRST_LOW_SURROGATE || code > LAST_LOW_SURROGATE) {
      column += 1;
    }
  }
  return { line, column };
}

const LINE_FEED = 0x0a;
const FIRST_LOW_SURROGATE = 0xdc00;
const LAST_LOW_SURROGATE = 0xdfff;
