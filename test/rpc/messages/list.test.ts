import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { sql } from "kysely";
import type { ListQuerySchema } from "../../../gen/signet/v1/list_pb.js";
import { ListOrgsRequestSchema } from "../../../gen/signet/v1/org_pb.js";
import type { SortKey } from "../../../src/database/list-page.ts";
import { pageOf, toListDetails } from "../../../src/fields/list-query.ts";
import { searchOf } from "../../../src/rpc/messages/list.ts";

const ORDER: readonly SortKey[] = [
  { value: sql`name`, type: "text" },
  { value: sql`created_at`, type: "timestamptz" },
  { value: sql`id`, type: "uuid" },
];
const KEYS = ['Ünal, "A"', "1795219200000001", "01a20051-00f4-74e2-abd5-ae07c64a0ab9"];
const NOW = new Date(0);

type Query = MessageInitShape<typeof ListQuerySchema>;

function check(query: Query, sortingColumn = 0) {
  const request = create(ListOrgsRequestSchema, { query, sortingColumn });
  const problems: Record<string, string> = {};
  const add = (field: string, description: string) => {
    problems[field] = description;
  };
  const { page } = searchOf(ORDER)(request, { add }, ListOrgsRequestSchema);
  return { page, problems };
}

const tokenOf = (last: readonly string[], query: Query = {}) =>
  toListDetails(check(query).page, "owner", { rows: [], total: 3, last }, NOW).nextPageToken;

const decoded = (token: string): unknown[] => JSON.parse(Buffer.from(token, "base64url").toString());
const encoded = (values: unknown) => Buffer.from(JSON.stringify(values)).toString("base64url");

test("a list has 100 objects in descending order unless the query says otherwise", () => {
  expect(check({}).page.query).toEqual({ offset: 0, limit: 100, ascending: false, after: undefined });
  expect(check({ offset: 10_000n, limit: 1_000, asc: true })).toMatchObject({
    page: { query: { offset: 10_000, limit: 1_000, ascending: true } },
    problems: {},
  });
});

test("a token continues after the keys that it contains, with any limit", () => {
  const { page, problems } = check({ pageToken: tokenOf(KEYS), limit: 7 });
  expect(problems).toEqual({});
  expect(pageOf(page, "owner")).toEqual({ offset: 0, limit: 7, ascending: false, after: KEYS });
});

test("a token contains only the request and the last row", () => {
  expect(decoded(tokenOf(KEYS))).toEqual([1, expect.stringMatching(/^[\w-]{16}$/), "owner", ...KEYS]);
});

test("the details of the last page have no token", () => {
  const details = toListDetails(check({}).page, "owner", { rows: [], total: 3, last: undefined }, NOW);
  expect(details).toMatchObject({ nextPageToken: "", totalResult: 3n, processedSequence: 0n });
});

test("processed_sequence is the highest of the rows", () => {
  const rows = [{ sequence: 3n }, { sequence: 12n }, { sequence: 5n }];
  const details = toListDetails(check({}).page, "owner", { rows, total: 3, last: undefined }, NOW);
  expect(details.processedSequence).toBe(12n);
});

test("a token for another owner is rejected", () => {
  const { page } = check({ pageToken: tokenOf(KEYS) });
  expect(() => pageOf(page, "other")).toThrow("query.pageToken: is of another organization");
});

test("a token for another order or direction is rejected", () => {
  const pageToken = tokenOf(KEYS);
  expect(check({ pageToken }, 1).problems["query.pageToken"]).toMatch(/^belongs to another list/);
  expect(check({ pageToken, asc: true }).problems["query.pageToken"]).toMatch(/^belongs to another list/);
});

test("an offset is rejected together with a token, and over its limit with a hint about the token", () => {
  expect(check({ pageToken: tokenOf(KEYS), offset: 1n }).problems).toHaveProperty(["query.offset"]);
  expect(check({ offset: 10_001n }).problems["query.offset"]).toMatch(/query\.pageToken/);
});

describe("a text that is not a token is rejected:", () => {
  const values = () => decoded(tokenOf(KEYS));
  const [text = "", time = "", id = ""] = KEYS;
  test.each<[string, () => string]>([
    ["no base64url", () => "%"],
    ["base64 with padding", () => `${encoded([1])}=`],
    ["no JSON", () => Buffer.from("[1").toString("base64url")],
    ["no array", () => encoded({ 0: 1 })],
    ["an empty array", () => encoded([])],
    ["another version", () => encoded([2, ...values().slice(1)])],
    ["a key too few", () => encoded(values().slice(0, -1))],
    ["a key too many", () => encoded([...values(), "1"])],
    ["a key that is no id", () => encoded([...values().slice(0, 3), text, time, "x"])],
    ["a key that is no time", () => encoded([...values().slice(0, 3), text, "now", id])],
    ["a time out of range", () => encoded([...values().slice(0, 3), text, "9".repeat(18), id])],
    ["a text with NUL", () => encoded([...values().slice(0, 3), "\0", time, id])],
    ["an object as a key", () => encoded([...values().slice(0, 3), text, time, {}])],
  ])("%s", (_what, make) => {
    expect(check({ pageToken: make() }).problems).toHaveProperty(["query.pageToken"]);
  });
});
