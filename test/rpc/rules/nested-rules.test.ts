import { create, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { type ListUsersRequest, ListUsersRequestSchema } from "../../../gen/signet/v1/user_read_pb.js";
import { type SearchQuery, SearchQuerySchema } from "../../../gen/signet/v1/user_search_pb.js";
import { SignetError } from "../../../src/errors.ts";
import { checkMessage } from "../../../src/rpc/rules/check-message.ts";

/** A condition that violates one rule. */
interface BrokenQuery {
  readonly query: SearchQuery;
  /** The JSON path of the violated field in the condition. */
  readonly field: string;
  readonly description: string;
}

const BROKEN: readonly BrokenQuery[] = SearchQuerySchema.fields.flatMap(breakEachRule);
const NESTS = ["orQuery", "andQuery", "notQuery"] as const;

test("each kind of condition has a rule to violate", () => {
  const broken = new Set(BROKEN.map(({ query }) => query.query.case));
  expect([...broken].sort()).toEqual(SearchQuerySchema.fields.map(({ localName }) => localName).sort());
  expect(BROKEN.map(({ field }) => field)).toContain("inUserIdsQuery.userIds[0]");
});

describe.each([0, 1, 5])("at depth %i", (depth) => {
  test.each(BROKEN)("$field: $description", async ({ query, field, description }) => {
    for (const nest of NESTS) {
      const nested = nestQuery(query, nest, depth);
      expect(await violationsOf(create(ListUsersRequestSchema, { queries: [nested.query] }))).toEqual([
        { field: `queries[0].${nested.path}${field}`, description },
      ]);
      if (depth === 0) return;
    }
  });
});

test("several conditions of different depths are each reported", async () => {
  const broken = (): SearchQuery =>
    create(SearchQuerySchema, { query: { case: "inUserIdsQuery", value: { userIds: [] } } });
  const queries = [
    create(SearchQuerySchema, {
      query: { case: "orQuery", value: { queries: [broken(), nestQuery(broken(), "notQuery", 1).query] } },
    }),
    broken(),
  ];
  const violations = await violationsOf(create(ListUsersRequestSchema, { queries }));
  expect(violations.map(({ field }) => field).sort()).toEqual([
    "queries[0].orQuery.queries[0].inUserIdsQuery.userIds",
    "queries[0].orQuery.queries[1].notQuery.query.inUserIdsQuery.userIds",
    "queries[1].inUserIdsQuery.userIds",
  ]);
});

async function violationsOf(request: ListUsersRequest) {
  try {
    await checkMessage(ListUsersRequestSchema, request, () => {});
    return [];
  } catch (error) {
    if (error instanceof SignetError) return error.violations;
    throw error;
  }
}

/** Puts a condition into as many others, and returns the path to it. */
function nestQuery(
  query: SearchQuery,
  nest: (typeof NESTS)[number],
  depth: number,
): { query: SearchQuery; path: string } {
  if (depth === 0) return { query, path: "" };
  const inner = nestQuery(query, nest, depth - 1);
  const outer =
    nest === "notQuery"
      ? create(SearchQuerySchema, { query: { case: nest, value: { query: inner.query } } })
      : create(SearchQuerySchema, { query: { case: nest, value: { queries: [inner.query] } } });
  return { query: outer, path: `${nest}.${nest === "notQuery" ? "query" : "queries[0]"}.${inner.path}` };
}

/** The conditions of one kind that violate one rule each, for all rules of all its fields. */
function breakEachRule(kind: DescField): BrokenQuery[] {
  if (kind.message === undefined) throw new Error(`${kind} is not a message`);
  return kind.message.fields.flatMap((field) => breakField(field).map((broken) => toQuery(kind, field, broken)));
}

interface BrokenValue {
  /** Undefined for a field that is not set. */
  readonly value: unknown;
  /** What follows the name of the field. */
  readonly item?: string;
  readonly description: string;
}

function breakField(field: DescField): BrokenValue[] {
  const rules = getOption(field, fieldRules);
  const { type } = rules;
  const broken: BrokenValue[] = [];
  if (rules.required) broken.push({ value: undefined, description: "is required" });
  if (type.case === "string") broken.push(...breakText(Number(type.value.maxLen)));
  if (type.case === "enum") {
    const names = field.enum?.values.map(({ name }) => name).join(", ");
    broken.push({ value: 99, description: `must be one of ${names}, is 99` });
  }
  if (type.case === "repeated") {
    const { minItems, maxItems, items } = type.value;
    const item = field.message ? create(field.message) : "x";
    if (minItems > 0n) broken.push({ value: [], description: "must have at least 1 item" });
    const tooMany = Number(maxItems) + 1;
    broken.push({
      value: Array(tooMany).fill(item),
      description: `must have at most ${maxItems} items, has ${tooMany}`,
    });
    if (items?.type.case === "string") {
      const texts = breakText(Number(items.type.value.maxLen));
      broken.push(...texts.map(({ value, description }) => ({ value: [value], item: "[0]", description })));
    }
  }
  return broken;
}

function breakText(maxLen: number): BrokenValue[] {
  const tooLong = maxLen + 1;
  return [
    { value: "x".repeat(tooLong), description: `must be at most ${maxLen} characters, is ${tooLong}` },
    { value: "\0", description: "must not contain the character NUL" },
  ];
}

/** A value for each field that must not be empty. */
function validValues({ fields }: DescMessage): Record<string, string | Uint8Array> {
  const required = fields.filter((field) => {
    const { type } = getOption(field, fieldRules);
    return (type.case === "string" || type.case === "bytes") && type.value.minLen > 0n;
  });
  return Object.fromEntries(
    required.map(({ localName, scalar }) => [localName, scalar === ScalarType.BYTES ? Buffer.from("x") : "x"]),
  );
}

function toQuery(kind: DescField, field: DescField, { value, item = "", description }: BrokenValue): BrokenQuery {
  if (kind.message === undefined) throw new Error(`${kind} is not a message`);
  const message = create(kind.message, { ...validValues(kind.message), [field.localName]: value });
  return {
    query: { $typeName: "signet.v1.SearchQuery", query: { case: kind.localName, value: message } } as SearchQuery,
    field: `${kind.jsonName}.${field.jsonName}${item}`,
    description,
  };
}
