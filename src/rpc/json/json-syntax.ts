import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { invalidArgument } from "../../errors.ts";

/**
 * Parses a JSON text (RFC 8259) in UTF-8. A byte order mark is skipped, as section 8.1 allows; a key that occurs twice in an
 * object is refused. Throws INVALID_ARGUMENT with line and column of the problem, and never with content, which may be secret.
 */
export function parseJson(bytes: Uint8Array): JsonValue {
  const text = decodeUtf8(bytes);
  const problem = findProblem(text);
  // The scan accepts nothing that JSON.parse refuses, whose own errors quote the text and do not always tell the place.
  if (problem === undefined) return JSON.parse(text);
  const lines = text.slice(0, problem.at).split("\n");
  const column = [...(lines.at(-1) ?? "")].length + 1;
  throw invalidArgument({
    field: "",
    description: `the body is not valid JSON: ${problem.what} at line ${lines.length}, column ${column}`,
  });
}

export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** A name from a request, short enough to be quoted in an error. */
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

/** What may come next, and how it is called. */
const EXPECTED = {
  value: "expected a value",
  "first item": "expected a value or ]",
  "first key": "expected a key in double quotes or }",
  key: "expected a key in double quotes",
  colon: "expected a colon",
  more: "expected a comma or the closing bracket",
  end: "expected nothing more",
};

/** Where a text breaks the grammar of RFC 8259, or gives a key of an object twice (which section 4 leaves open). */
function findProblem(text: string): { at: number; what: string } | undefined {
  /** The objects and arrays that are open: of an object the keys so far. */
  const open: (Set<string> | undefined)[] = [];
  let expected: keyof typeof EXPECTED = "value";
  for (let at = endOf(SPACE, text, 0), next = at; ; at = endOf(SPACE, text, next)) {
    const char = text[at];
    if (char === undefined && expected === "end") return undefined;
    const keys = open.at(-1);
    const isKey = expected === "key" || expected === "first key";
    const isValue = expected === "value" || expected === "first item";
    const closes = keys ? char === "}" : char === "]" && open.length > 0;
    next = at + 1;
    if (isValue && (char === "{" || char === "[")) {
      open.push(char === "{" ? new Set() : undefined);
      expected = char === "{" ? "first key" : "first item";
      continue;
    }
    if (expected === "more" && char === ",") {
      expected = keys ? "key" : "value";
      continue;
    }
    if (expected === "colon" && char === ":") {
      expected = "value";
      continue;
    }
    if (closes && (expected === "more" || expected === "first key" || expected === "first item")) {
      open.pop();
    } else if (char === '"' && (isKey || isValue)) {
      const end = stringEnd(text, at);
      if (text[end] !== '"') return { at: end, what: "a string is not closed or not well escaped" };
      next = end + 1;
      if (isKey) {
        const key: string = JSON.parse(text.slice(at, next));
        if (keys?.has(key)) return { at, what: `the key ${JSON.stringify(shorten(key))} is given twice` };
        keys?.add(key);
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
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The place of the quote that closes a string, or where the string goes wrong. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const unescaped = endOf(UNESCAPED, text, at);
    at = endOf(ESCAPE, text, unescaped);
    if (at === unescaped) return at;
  }
}

/** Where the match of a sticky expression ends; `at` itself where it has none. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}
