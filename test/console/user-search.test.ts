import {
  isCountable,
  isNarrowed,
  readSearch,
  toFirstRequests,
  toRequest,
} from "../../console/screens/users/user-search.ts";

const read = (query: string) => readSearch(new URLSearchParams(query));
const ID = "01a20a48-da61-7e4f-9abd-59f192e29037";

test("without a query, the list begins with the latest users", () => {
  expect(toRequest(read(""))).toEqual({
    query: { offset: 0n, limit: 50, asc: false },
    sortingColumn: 9,
    queries: [],
  });
});

test("the address determines the search, the filters, the order and the page", () => {
  const { queries = [], ...request } = toRequest(
    read("q=+ada+&state=locked&type=human&sort=email&dir=asc&size=25&page=3"),
  );
  expect(request).toEqual({ query: { offset: 50n, limit: 25, asc: true }, sortingColumn: 6 });
  expect(queries.map(({ query }) => query?.case)).toEqual(["orQuery", "stateQuery", "typeQuery"]);
  expect(JSON.stringify(queries[0])).toContain('"displayName":"ada"');
});

test.each([
  ["", false],
  ["sort=name&dir=asc&size=25&page=1", false],
  ["q=ada", true],
  ["state=locked", true],
  ["type=machine", true],
  ["page=2", true],
])("%j leaves users out: %s", (query, expected) => {
  expect(isNarrowed(read(query))).toBe(expected);
});

test("values that do not exist are ignored", () => {
  expect(read("state=gone&type=cat&sort=constructor&size=7&page=-1")).toEqual(read(""));
  expect(read("page=1.5")).toEqual(read(""));
});

test("a page beyond 10,000 users begins where its token says", () => {
  const far = read("size=500&page=22&after=token");
  expect(isCountable(far)).toBe(false);
  expect(toRequest(far).query).toEqual({ pageToken: "token", limit: 500, asc: false });
  expect(isCountable(read("size=500&page=21"))).toBe(true);
});

test("an id finds its user, and so does an id in another system, on the first page", () => {
  const cases = (query: string) => toFirstRequests(read(query)).map(({ queries = [] }) => queries[0]?.query?.case);
  expect(cases(`q=${ID}`)).toEqual(["metadataQuery", "inUserIdsQuery"]);
  expect(cases("q=crm-17")).toEqual(["metadataQuery"]);
  for (const beginning of ["01a20a48", "01A20A48-da61", "01a20a48-da61-7e4f…", ID.slice(0, 35)]) {
    expect(cases(`q=${beginning}`)).toEqual(["metadataQuery", "idPrefixQuery"]);
  }
  expect(cases("q=01a20a48da61")).toEqual(["metadataQuery"]);
  expect(cases("")).toEqual([]);
  expect(cases(`q=${ID}&page=2`)).toEqual([]);
});

test.each(["%2B41 79", "%2B41 (0)79-123.45 67"])("%j is searched as a phone number, and first as a name", (text) => {
  const { queries = [] } = toRequest(read(`q=${text}&state=active`));
  expect(queries.map(({ query }) => query?.case)).toEqual(["phoneQuery", "stateQuery"]);
  expect(queries[0]?.query?.value).toEqual({ phone: decodeURIComponent(text), method: 2 });
  const first = toFirstRequests(read(`q=${text}&state=active`));
  expect(first.map((request) => request.queries?.map(({ query }) => query?.case))).toEqual([
    ["metadataQuery", "stateQuery"],
    ["orQuery", "stateQuery"],
  ]);
});

test.each(["41 79 123 45", "0041 (79) 123.45", "41791234"])("%j is a phone number without its plus, too", (text) => {
  expect(toRequest(read(`q=${text}`)).queries?.map(({ query }) => query?.case)).not.toEqual(["phoneQuery"]);
  const found = toFirstRequests(read(`q=${text}`)).flatMap(({ queries = [] }) => queries.map(({ query }) => query));
  const phones = found.flatMap((query) => (query?.case === "phoneQuery" ? [String(query.value.phone)] : []));
  expect(phones.map((phone) => phone.replaceAll(/[^+\d]/g, "").slice(0, 9))).toEqual(["+41791234"]);
});

test("each word is a part of a name or an address", () => {
  const [condition] = toRequest(read("q=johnson++kath")).queries ?? [];
  expect(condition?.query?.case).toBe("andQuery");
  expect(JSON.stringify(condition)).toMatch(/"displayName":"johnson".*"displayName":"kath"/);
});

test.each(["%2B4", "079 123 45 67", "%2B41 79x", "ada%2B41@example.com", `%2B41${" ".repeat(50)}1`])(
  "%j is searched as a part of a name",
  (text) => {
    const [condition] = toRequest(read(`q=${text}`)).queries ?? [];
    expect(condition?.query?.case).toMatch(/^(?:or|and)Query$/);
    expect(toFirstRequests(read(`q=${text}`))).toHaveLength(1);
  },
);
