import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { createTestApp } from "../support/oidc/apps.ts";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/* Requests of directories besides those of Microsoft and Okta. docs/scim.md names the pages that describe them. */

const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

let service: TestService;
let directory: Directory;
beforeAll(async () => {
  service = await startService("postgres");
  const { appId } = await createTestApp(service, service.orgId);
  directory = await createDirectory(service, service.orgId, { addressRule: 2, groupAppId: appId });
});
afterAll(() => service?.close());

/** Sends a request that must succeed. */
async function send(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const answer = await directory.send(method, path, body, body && { "content-type": "application/json" });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const patch = (id: unknown, ...Operations: JsonObject[]) =>
  send("PATCH", `/Groups/${id}`, { schemas: [PATCH], Operations });
const find = async (place: string, filter: string) =>
  (await send("GET", `/${place}?filter=${encodeURIComponent(filter)}`)).Resources;
const membersOf = async (id: unknown) => (await send("GET", `/Groups/${id}`)).members ?? [];

test("OneLogin creates a user from its template, replaces it, and adds it to a group", async () => {
  expect(await find("Users", `userName eq "${randomUUID()}"`)).toEqual([]);
  const user = {
    schemas: [CORE, ENTERPRISE],
    ...{ id: null, userName: "kelly@example.com", active: true, title: "", userType: null, timezone: null },
    name: { familyName: "Slater", givenName: "Kelly", formatted: "Kelly Slater" },
    // The default template has an object instead of a list.
    emails: { value: "kelly@example.com", type: "work", primary: true },
    addresses: [{ locality: "", region: null, country: null }],
    meta: { resourceType: "User" },
    [ENTERPRISE]: { department: "Surf", manager: { managerId: null, displayName: " " } },
  };
  const created = await send("POST", "/Users", user);
  expect(created).toMatchObject({
    ...{ userName: "kelly@example.com", name: user.name, emails: [user.emails] },
    [ENTERPRISE]: { department: "Surf" },
  });
  const inactive = { ...user, active: false, name: { ...user.name, familyName: "Moore" } };
  expect(await send("PUT", `/Users/${created.id}`, inactive)).toMatchObject({
    ...{ active: false, name: { familyName: "Moore" } },
  });
  await send("GET", "/Groups");
  const group = await send("POST", "/Groups", { schemas: [GROUP], displayName: "Admin Role" });
  await patch(group.id, { op: "add", path: "members", value: [{ value: String(created.id) }] });
  expect(await membersOf(group.id)).toMatchObject([{ value: created.id }]);
  await send("DELETE", `/Users/${created.id}`);
});

test("PingOne and PingFederate find users by address, and send it twice, as primary each time", async () => {
  const emails = ["work", "home"].map((type) => ({ type, value: "jsmith@example.com", primary: true }));
  const user = { schemas: [CORE], userName: "jsmith", name: { givenName: "Janet", familyName: "Smith" }, emails };
  const { id } = await send("POST", "/Users", user);
  expect(await find("Users", 'emails eq "jsmith@example.com"')).toMatchObject([{ id, emails }]);
  expect(await send("PUT", `/Users/${id}`, { ...user, active: false })).toMatchObject({ active: false, emails });
  const group = await send("POST", "/Groups", { schemas: [GROUP], displayName: "Staff", members: [] });
  await send("PUT", `/Groups/${group.id}`, {
    schemas: [GROUP],
    displayName: "Staff",
    members: [{ value: String(id) }],
  });
  expect(await membersOf(group.id)).toMatchObject([{ value: id }]);
  await patch(group.id, { op: "remove", path: `members[value eq "${id}"]` });
  expect(await membersOf(group.id)).toEqual([]);
  await send("DELETE", `/Users/${id}`);
});

test("JumpCloud makes a user and a group as a test, changes one attribute per operation, and removes both", async () => {
  const name = { familyName: "lastname", givenName: "firstname" };
  const created = {
    ...{ active: true, displayName: "displayname", externalId: "66e2d689590450d073d2df3b", locale: "en-US", name },
    addresses: [{ country: "US", locality: "locality", postalCode: "80027", primary: true, type: "work" }],
    emails: [{ primary: true, type: "work", value: "testuser@example.io" }],
    phoneNumbers: [{ primary: true, type: "work", value: "tel:+1-212-555-0100" }],
    ...{ preferredLanguage: "en-US", schemas: [CORE, ENTERPRISE], userName: "testuser@example.io" },
  };
  const { id, phoneNumbers } = await send("POST", "/Users", created);
  expect(phoneNumbers).toEqual([{ primary: true, type: "work", value: "+12125550100" }]);
  const replaced = {
    ...{ ...created, id: String(id), schemas: [ENTERPRISE, CORE], addresses: [], phoneNumbers: [], title: "Captain" },
    ...{ photos: [{ value: "https://img.example.com/1.png" }], [ENTERPRISE]: { department: "C-Suite" } },
  };
  const body = await send("PUT", `/Users/${id}`, replaced);
  expect(body).toMatchObject({ title: "Captain", [ENTERPRISE]: { department: "C-Suite" } });
  expect(body).not.toHaveProperty("phoneNumbers");
  const least = { active: true, emails: null, id: String(id), name, schemas: [CORE], userName: created.userName };
  expect(await send("PUT", `/Users/${id}`, least)).toMatchObject({ emails: created.emails });
  const Operations = [
    { op: "replace", path: "name.givenName", value: "John" },
    { op: "replace", path: "name.familyName", value: "Doe" },
    { op: "replace", path: "active", value: false },
  ];
  expect(await send("PATCH", `/Users/${id}`, { schemas: [PATCH], Operations })).toMatchObject({
    ...{ active: false, name: { formatted: "John Doe" } },
  });
  const group = await send("POST", "/Groups", { schemas: [GROUP], displayName: "Test group" });
  const members = { path: "members", value: [{ value: String(id) }] };
  await patch(group.id, { op: "add", ...members });
  expect(await membersOf(group.id)).toMatchObject([{ value: id }]);
  await patch(group.id, { op: "remove", ...members });
  expect(await membersOf(group.id)).toEqual([]);
  await send("DELETE", `/Groups/${group.id}`);
  await send("DELETE", `/Users/${id}`);
});
