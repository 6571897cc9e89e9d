import { ScimError } from "./scim-error.ts";

const OPERATORS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;

/** A comparison of an attribute, whose path is in lower case and can begin with the URN of a schema. */
export interface Comparison {
  readonly kind: "compare";
  readonly path: string;
  /** `pr`: the attribute has a value. */
  readonly operator: (typeof OPERATORS)[number] | "pr";
  /** Null for `pr`. */
  readonly value: string | number | boolean | null;
}

export type Filter =
  | Comparison
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter };

/** The most comparisons of a filter, and UTF-16 code units. */
const MOST_COMPARISONS = 10;
const LONGEST = 2_000;

/**
 * Parses a filter (RFC 7644, section 3.4.2.2). A filter in brackets applies to the sub-attributes before them, so
 * `emails[type eq "work"].value eq "a"` is `emails.type eq "work" and emails.value eq "a"`.
 *
 * @throws ScimError invalidFilter, without a value of the filter, which can be personal data.
 */
export function parseFilter(text: string, most = MOST_COMPARISONS): Filter {
  if (text.length > LONGEST) throw invalidFilter(`the filter has more than ${LONGEST} characters`);
  const tokens = tokenize(text);
  let at = 0;
  let comparisons = 0;
  const filter = parseAny("");
  if (at < tokens.length) throw unexpected();
  return filter;

  function parseAny(prefix: string): Filter {
    const filters = [parseAll(prefix)];
    while (take("or")) filters.push(parseAll(prefix));
    return combine("or", filters);
  }

  function parseAll(prefix: string): Filter {
    const filters = [parseOne(prefix)];
    while (take("and")) filters.push(parseOne(prefix));
    return combine("and", filters);
  }

  function parseOne(prefix: string): Filter {
    if (take("not")) return { kind: "not", filter: parseGroup(prefix) };
    return tokens[at] === "(" ? parseGroup(prefix) : parseComparison(prefix);
  }

  function parseGroup(prefix: string): Filter {
    require("(");
    const filter = parseAny(prefix);
    require(")");
    return filter;
  }

  function parseComparison(prefix: string): Filter {
    const path = prefix + parsePath();
    if (prefix === "" && take("[")) {
      const inside = parseAny(`${path}.`);
      require("]");
      const sub = tokens[at];
      if (sub === undefined || !/^\.\w/.test(sub)) return inside;
      at++;
      return combine("and", [inside, compare(path + sub.toLowerCase())]);
    }
    return compare(path);
  }

  function compare(path: string): Filter {
    if (++comparisons > most) throw invalidFilter(`the filter has more than ${most} comparisons`);
    if (take("pr")) return { kind: "compare", path, operator: "pr", value: null };
    const operator = OPERATORS.find(take);
    if (operator === undefined) throw unexpected();
    return { kind: "compare", path, operator, value: parseValue() };
  }

  function parsePath(): string {
    const word = tokens[at];
    if (word === undefined || !/^[A-Za-z][\w$:.-]*$/.test(word)) throw unexpected();
    at++;
    return word.toLowerCase();
  }

  function parseValue(): string | number | boolean | null {
    const word = tokens[at++] ?? "";
    try {
      // `True` of Microsoft Entra ID.
      const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(word) ? word.toLowerCase() : word);
      if (value === null || typeof value !== "object") return value as string | number | boolean | null;
    } catch {
      // Not a value of JSON.
    }
    throw invalidFilter(`word ${at} is no value: a text must be in quotation marks`);
  }

  function take(word: string): boolean {
    const found = tokens[at]?.toLowerCase() === word;
    if (found) at++;
    return found;
  }

  function require(word: string): void {
    if (!take(word)) throw unexpected();
  }

  function unexpected(): ScimError {
    return invalidFilter(`the filter is malformed at ${at < tokens.length ? `word ${at + 1}` : "its end"}`);
  }
}

const TOKEN = /\s*([()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+)/sy;

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.trimEnd().length; end = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw invalidFilter("the filter is malformed: a quotation mark is missing");
    tokens.push(token);
  }
  return tokens;
}

function combine(kind: "and" | "or", filters: readonly Filter[]): Filter {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { kind, filters };
}

export function invalidFilter(detail: string): ScimError {
  return new ScimError(400, "invalidFilter", detail);
}
