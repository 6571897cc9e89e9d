import type { JsonObject } from "@bufbuild/protobuf";
import { createTestApp } from "../support/oidc/apps.ts";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let directory: Directory;
let groupAppId: string;
beforeAll(async () => {
  service = await startService("postgres");
  groupAppId = (await createTestApp(service, service.orgId, { roles: ["a", "b", "c", "d", "e"] })).appId;
  directory = await createDirectory(service, service.orgId, { addressRule: 2, groupAppId });
  for (const userName of ["ada1", "ada2", "ada3", "grace", "ada4"])
    await directory.send("POST", "/Users", { userName });
});
afterAll(() => service?.close());

/** All pages, until one has no cursor for the next. */
async function readPages(read: (cursor: string) => Promise<JsonObject>): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let cursor = ""; pages.length < 10; ) {
    const page = await read(cursor);
    pages.push(page);
    if (page.nextCursor === undefined) break;
    expect(page.nextCursor).toMatch(/^[\w.~-]+$/);
    cursor = String(page.nextCursor);
  }
  return pages;
}

const get = async (path: string, query: Record<string, string>) =>
  await directory.send("GET", `${path}?${new URLSearchParams(query)}`);

const namesOf = (pages: readonly JsonObject[]) =>
  pages.map(({ Resources }) => (Resources as JsonObject[]).map((each) => each.userName ?? each.displayName));

const ADA = { filter: 'userName sw "ada"', sortBy: "userName", sortOrder: "descending", count: "3" };

test("users and groups are read page by page with cursors", async () => {
  const users = await readPages(async (cursor) => (await get("/Users", { ...ADA, cursor })).body);
  expect(namesOf(users)).toEqual([["ada4", "ada3", "ada2"], ["ada1"]]);
  const [first] = users;
  expect(first).toMatchObject({ totalResults: 4, itemsPerPage: 3 });
  expect(first).not.toHaveProperty("startIndex");
  const searched = await readPages(async (cursor) => {
    const search = { filter: ADA.filter, count: 2, cursor };
    return (await directory.send("POST", "/Users/.search", search)).body;
  });
  expect(namesOf(searched)).toEqual([
    ["ada1", "ada2"],
    ["ada3", "ada4"],
  ]);
  const groups = await readPages(async (cursor) => (await get("/Groups", { count: "2", cursor })).body);
  expect(namesOf(groups).flat()).toEqual(namesOf([(await get("/Groups", {})).body]).flat());
  expect(groups.map(({ itemsPerPage }) => itemsPerPage)).toEqual([2, 2, 1]);
  // Without a cursor, pages are those by index.
  const indexed = await get("/Users", { ...ADA, startIndex: "2" });
  expect(indexed.body).toMatchObject({ totalResults: 4, startIndex: 2 });
  expect(indexed.body).not.toHaveProperty("nextCursor");
});

test("a cursor belongs to the organization and the query", async () => {
  const nextOf = async (path: string, query: Record<string, string>) =>
    String((await get(path, query)).body.nextCursor);
  const cursor = await nextOf("/Users", { ...ADA, cursor: "" });
  const whole = { count: "1", cursor: "" };
  const ofGroups = await nextOf("/Groups", whole);
  const other = await createDirectory(service, await service.createOrg("Other"), { addressRule: 2 });
  for (const userName of ["ada1", "ada2"]) await other.send("POST", "/Users", { userName });
  const ofOther = (await other.send("GET", "/Users?count=1&cursor")).body.nextCursor;
  const stored: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  const older = Buffer.from(JSON.stringify([0, ...stored.slice(1)])).toString("base64url");
  const { count, ...uncounted } = ADA;
  for (const [path, query, scimType] of [
    ["/Users", { ...ADA, cursor: String(ofOther) }, "invalidCursor"],
    ["/Users", { cursor: String(ofOther) }, "invalidCursor"],
    ["/Users", { ...ADA, filter: 'userName sw "a"', cursor }, "invalidCursor"],
    ["/Users", { ...ADA, sortOrder: "ascending", cursor }, "invalidCursor"],
    ["/Users", { cursor: ofGroups }, "invalidCursor"],
    ["/Groups", { cursor }, "invalidCursor"],
    ["/Users", { ...ADA, cursor: `${cursor}A` }, "invalidCursor"],
    ["/Users", { ...ADA, cursor: "ada" }, "invalidCursor"],
    ["/Users", { ...ADA, startIndex: "1", cursor }, "invalidCursor"],
    ["/Users", { ...ADA, cursor: older }, "expiredCursor"],
    ["/Users", { ...ADA, cursor, count: "0" }, "invalidCount"],
    ["/Users", { ...ADA, cursor, count: "many" }, "invalidCount"],
  ] as const) {
    const { status, body } = await get(path, query);
    expect({ path, query, status, scimType: body.scimType }).toEqual({ path, query, status: 400, scimType });
  }
  // In the words of SCIM, not in those of the lists of the API.
  expect((await get("/Groups", { cursor })).body).toMatchObject({
    detail: "cursor: belongs to another list: filter and order must be those of the first page",
  });
  expect((await directory.send("POST", "/Users/.search", { cursor: 7 })).body).toMatchObject({
    scimType: "invalidCursor",
  });
  // More than the largest page, or no count, is the largest page.
  for (const query of [
    { ...uncounted, cursor },
    { ...ADA, cursor, count: "1000" },
  ]) {
    expect((await get("/Users", query)).body).toMatchObject({ itemsPerPage: 1 });
  }
  await directory.send("DELETE", `/Groups/${groupAppId}.${Buffer.from("a").toString("base64url")}`);
  expect((await get("/Groups", { count: "1", cursor: ofGroups })).body).toMatchObject({ scimType: "expiredCursor" });
});

test("the service describes its pages", async () => {
  const { body } = await directory.send("GET", "/ServiceProviderConfig");
  expect(body.pagination).toEqual({
    ...{ cursor: true, index: true, defaultPaginationMethod: "index", defaultPageSize: 100, maxPageSize: 100 },
  });
});
