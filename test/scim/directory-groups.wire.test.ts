import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { createTestApp } from "../support/oidc/apps.ts";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/* Requests about groups in the forms that Microsoft and Okta publish. docs/scim.md names the pages. */

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
/** The most members of a request. */
const MOST = 1_000;

let service: TestService;
let directory: Directory;
/** The ids of one user more than a request can have. */
let ids: readonly string[];
beforeAll(async () => {
  service = await startService("postgres");
  const { appId } = await createTestApp(service, service.orgId);
  directory = await createDirectory(service, service.orgId, { addressRule: 2, groupAppId: appId });
  const added = await sql<{ id: string }>`
    insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
      email_verified, sequence, created_at, changed_at)
    select ${service.orgId}, gen_random_uuid(), 'human', 'user-' || n, 'user-' || n, 'Ada', 'Lovelace', 'Ada', 0,
      'user-' || n || '@example.com', true, 0, now(), now()
    from generate_series(0, ${sql.lit(MOST)}) as n returning id`.execute(service.db);
  ids = added.rows.map(({ id }) => id);
});
afterAll(() => service?.close());

const find = async (name: string) => {
  const filter = encodeURIComponent(`displayName eq "${name}"`);
  return (await directory.send("GET", `/Groups?excludedAttributes=members&filter=${filter}`)).body;
};
const patch = async (id: unknown, ...Operations: JsonObject[]) =>
  (await directory.send("PATCH", `/Groups/${id}`, { schemas: [PATCH], Operations })).status;
const membersOf = async (id: unknown) =>
  ((await directory.send("GET", `/Groups/${id}`)).body.members ?? []) as { value: string }[];
const countEvents = async () => (await service.db.selectFrom("events").select("type").execute()).length;

test("Microsoft Entra ID finds a group by name, creates it, and changes up to 1,000 members at once", async () => {
  expect(await find(randomUUID())).toMatchObject({ totalResults: 0, Resources: [] });
  const created = await directory.send("POST", "/Groups", {
    schemas: [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
    ...{ externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159", displayName: "Contoso", meta: { resourceType: "Group" } },
  });
  const { id } = created.body;
  expect(created.status).toBe(201);
  expect(await find("Contoso")).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  const members = { path: "members", value: ids.slice(0, MOST).map((value) => ({ $ref: null, value })) };
  expect(await patch(id, { op: "Add", ...members })).toBe(204);
  expect(await membersOf(id)).toHaveLength(MOST);

  const before = await countEvents();
  expect(await patch(id, { op: "Add", ...members })).toBe(204);
  expect(await patch(id, { op: "Replace", path: "externalId", value: "8aa1a0c0" })).toBe(204);
  expect(await countEvents()).toBe(before);

  expect(await patch(id, { op: "Remove", ...members, value: members.value.slice(1) })).toBe(204);
  const without = (await directory.send("GET", `/Groups/${id}?excludedAttributes=members`)).body;
  expect(without).toMatchObject({ id, displayName: expect.any(String) });
  expect(without).not.toHaveProperty("members");
  expect(await patch(id, { op: "remove", path: `members[value eq "${ids[0]}"]` })).toBe(204);
  expect(await membersOf(id)).toEqual([]);
  expect((await directory.send("DELETE", `/Groups/${id}`)).status).toBe(204);
});

test("Okta sends the name with each change of members, also of a group that is larger than a response", async () => {
  const created = await directory.send("POST", "/Groups", {
    schemas: [GROUP],
    displayName: "Test SCIMv2",
    members: [],
  });
  const { id } = created.body;
  expect(created.status).toBe(201);
  const all = ids.map((value) => ({ value, display: "test.user@okta.local" }));
  expect(await patch(id, { op: "replace", path: "members", value: [] })).toBe(204);
  expect(await patch(id, { op: "replace", path: "members", value: all.slice(0, MOST) })).toBe(204);
  const name = { op: "replace", value: { id: String(id), displayName: "Test SCIMv2" } };
  expect(await patch(id, name, { op: "add", path: "members", value: all.slice(MOST) })).toBe(204);
  const tooMany = { status: 400, body: { scimType: "tooMany" } };
  expect(await directory.send("GET", `/Groups/${id}`)).toMatchObject(tooMany);
  const remove = { op: "remove", path: `members[value eq "${ids[0]}"]` };
  expect(await patch(id, name, remove, { op: "add", path: "members", value: all.slice(1, 2) })).toBe(204);
  expect((await membersOf(id)).map(({ value }) => value).sort()).toEqual(ids.slice(1).sort());
  const put = { schemas: [GROUP], id: String(id), displayName: "Test SCIMv2", members: all.slice(0, 2) };
  expect((await directory.send("PUT", `/Groups/${id}`, put)).body.members).toHaveLength(2);
  expect((await directory.send("GET", "/Groups?startIndex=1&count=100")).body).toMatchObject({ totalResults: 1 });
});
