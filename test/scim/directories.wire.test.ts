import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/* Requests about users in the forms that directories publish. docs/scim.md names the pages, and the test of each form. */

const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

let service: TestService;
let directory: Directory;
beforeAll(async () => {
  service = await startService("postgres");
  directory = await createDirectory(service, service.orgId, { addressRule: 2 });
});
afterAll(() => service?.close());

const countEvents = async () =>
  Number((await service.db.selectFrom("events").select(sql`count(*)`.as("count")).executeTakeFirstOrThrow()).count);

let count = 0;

/** A user as Microsoft Entra ID creates it. */
async function createEntraUser(): Promise<string> {
  const userName = `Test_User_${++count}@contoso.com`;
  const body = {
    schemas: [CORE, ENTERPRISE],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-${count}`,
    userName,
    active: true,
    emails: [{ primary: true, type: "work", value: `Mail_${count}@testuser.com` }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
  };
  const { status, body: created } = await directory.send("POST", "/Users", body);
  expect({ status, created }).toMatchObject({ status: 201, created: { userName, active: true, emails: body.emails } });
  return String(created.id);
}

describe("Microsoft Entra ID", () => {
  test("tests the connection with a user that does not exist", async () => {
    const filter = encodeURIComponent('userName eq "5b50642d-79fc-4410-9e90-4c077cdd1a59"');
    const { status, body } = await directory.send("GET", `/Users?filter=${filter}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
  });

  test.each<[string, JsonObject[], JsonObject]>([
    ["deactivates", [{ op: "Replace", path: "active", value: false }], { active: false }],
    ["deactivates with text", [{ op: "Replace", path: "active", value: "False" }], { active: false }],
    ["deactivates without a path", [{ op: "replace", value: { active: "False" } }], { active: false }],
    [
      "changes an address and a name",
      [
        { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@microsoft.com" },
        { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
      ],
      {
        emails: [{ primary: true, type: "work", value: "updatedEmail@microsoft.com" }],
        name: { givenName: "givenName", familyName: "updatedFamilyName" },
      },
    ],
    [
      "changes the user name",
      [{ op: "Replace", path: "userName", value: "new@contoso.com" }],
      { userName: "new@contoso.com" },
    ],
    [
      "adds what is not there",
      [
        { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+1 212 555 0100" },
        { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "+1 212 555 0101" },
        { op: "Add", path: "title", value: "Engineer" },
        { op: "Add", path: `${ENTERPRISE}:department`, value: "Sales" },
      ],
      {
        phoneNumbers: [
          { type: "mobile", value: "+12125550100" },
          { type: "work", value: "+1 212 555 0101" },
        ],
        title: "Engineer",
        [ENTERPRISE]: { department: "Sales" },
      },
    ],
    [
      "adds an address to a user without one",
      [{ op: "Add", path: 'emails[type eq "other"].value', value: "proxy@contoso.com" }],
      { emails: expect.arrayContaining([{ type: "other", value: "proxy@contoso.com" }]) as never },
    ],
    [
      "sends the whole name with its parts",
      [
        { op: "Replace", path: "name.formatted", value: "Kjf Unua" },
        { op: "Replace", path: "name.givenName", value: "Kjf" },
        { op: "Replace", path: "name.familyName", value: "Unua" },
      ],
      { name: { formatted: "Kjf Unua", givenName: "Kjf", familyName: "Unua" } },
    ],
    [
      "sends members with dots without a path",
      [
        {
          op: "replace",
          value: { displayName: "Bjfe", "name.givenName": "Kjf", [`${ENTERPRISE}:employeeNumber`]: "7" },
        },
      ],
      {
        displayName: "Bjfe",
        name: { givenName: "Kjf", familyName: "familyName" },
        [ENTERPRISE]: { employeeNumber: "7" },
      },
    ],
    ["sends text as a list", [{ op: "Add", path: "nickName", value: [{ value: "Babs" }] }], { nickName: "Babs" }],
    [
      "sends the manager as text",
      [{ op: "Add", path: `${ENTERPRISE}:manager`, value: "2819c223" }],
      { [ENTERPRISE]: { manager: { value: "2819c223" } } },
    ],
    [
      "sends the manager as a list, without the schema",
      [{ op: "Add", path: "manager", value: [{ $ref: "http://localhost/scim/Users/2819c223", value: "2819c223" }] }],
      { [ENTERPRISE]: { manager: { value: "2819c223" } } },
    ],
    [
      "sends attributes that are not supported",
      [
        { op: "Add", path: 'addresses[type eq "work"].formatted', value: "100 Universal City Plaza" },
        { op: "Add", path: "urn:ietf:params:scim:schemas:extension:custom:2.0:User:worksiteId", value: "180" },
        { op: "Replace", path: "displayName", value: "Kept" },
      ],
      { displayName: "Kept" },
    ],
    ["removes a value", [{ op: "Remove", path: "externalId" }], { externalId: undefined as never }],
  ])("%s", async (_name, Operations, expected) => {
    const id = await createEntraUser();
    const { status, body } = await directory.send("PATCH", `/Users/${id}`, { schemas: [PATCH], Operations });
    expect({ status, body }).toMatchObject({ status: 200, body: { id } });
    const { externalId, ...others } = expected;
    expect(body).toMatchObject(others);
    if ("externalId" in expected) expect(body.externalId).toBe(externalId);
    // A cycle, every 40 minutes, repeats all.
    const before = await countEvents();
    const again = await directory.send("PATCH", `/Users/${id}`, { schemas: [PATCH], Operations });
    expect(again).toMatchObject({ status: 200, body });
    expect(await countEvents()).toBe(before);
  });

  test("replaces the address of a user who has none", async () => {
    const { body } = await directory.send("POST", "/Users", { schemas: [CORE], userName: `no-address-${++count}` });
    expect(body).not.toHaveProperty("emails");
    const Operations = [{ op: "Replace", path: 'emails[type eq "work"].value', value: "new@testuser.com" }];
    const patched = await directory.send("PATCH", `/Users/${body.id}`, { schemas: [PATCH], Operations });
    expect(patched).toMatchObject({ status: 200, body: { emails: [{ type: "work", value: "new@testuser.com" }] } });
  });

  test("creates a user with null values, and schemas in another case", async () => {
    const body = {
      schemas: [CORE.toUpperCase(), "urn:ietf:params:scim:schemas:extension:enterprise:2.0User"],
      ...{ externalId: "jyoung", userName: "jyoung@testuser.com", active: "True", addresses: null },
      displayName: "Joy Young",
      emails: [{ type: "work", value: "jyoung@contoso.com", primary: true }],
      meta: { resourceType: "User" },
      name: { familyName: "Young", givenName: "Joy" },
      ...{ phoneNumbers: null, preferredLanguage: null, title: null, department: null, manager: null },
      [ENTERPRISE.toUpperCase()]: { manager: "123456" },
    };
    const { status, body: created } = await directory.send("POST", "/Users", body);
    const { externalId, userName, displayName, emails, name } = body;
    const shown = { externalId, userName, displayName, emails, name, active: true };
    expect({ status, created }).toMatchObject({
      status: 201,
      created: { ...shown, [ENTERPRISE]: { manager: { value: "123456" } } },
    });
    for (const filter of [
      'userName eq "JYOUNG@testuser.com"',
      'externalId eq "jyoung"',
      'emails[type eq "work"].value eq "jyoung@contoso.com"',
      `id eq "${created.id}" and manager eq "123456"`,
      `${ENTERPRISE}:manager  eq  "123456"`,
    ]) {
      const found = await directory.send("GET", `/Users?attributes=id&filter=${encodeURIComponent(filter)}`);
      expect({ filter, found }).toMatchObject({ found: { status: 200, body: { Resources: [{ id: created.id }] } } });
    }
  });

  test.each<[string, JsonObject, string]>([
    ["no operation", {}, "invalidSyntax"],
    ["an unknown operation", { Operations: [{ op: "move", path: "title" }] }, "invalidSyntax"],
    ["a removal without a path", { Operations: [{ op: "remove" }] }, "noTarget"],
    ["a malformed path", { Operations: [{ op: "add", path: "emails[", value: "a" }] }, "invalidPath"],
    ["a malformed filter", { Operations: [{ op: "add", path: "emails[type is]", value: "a" }] }, "invalidFilter"],
    ["a value that cannot be changed", { Operations: [{ op: "add", path: "groups", value: [] }] }, "mutability"],
    ["no user name", { Operations: [{ op: "remove", path: "userName" }] }, "invalidValue"],
  ])("of a patch with %s says what is wrong", async (_name, body, scimType) => {
    const id = await createEntraUser();
    const answer = await directory.send("PATCH", `/Users/${id}`, { schemas: [PATCH], ...body });
    expect(answer).toMatchObject({ status: 400, body: { scimType } });
  });
});

test("Okta looks for a user, creates it, replaces it whole, and deactivates it", async () => {
  const user = {
    schemas: [CORE],
    userName: "test.user@okta.local",
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  };
  const filter = encodeURIComponent('userName eq "test.user@okta.local"');
  expect((await directory.send("GET", "/Users?startIndex=1&count=2")).status).toBe(200);
  const found = await directory.send("GET", `/Users?filter=${filter}&startIndex=1&count=100`);
  expect(found.body).toMatchObject({ totalResults: 0 });
  const { status, body } = await directory.send("POST", "/Users", user);
  const { groups, password, ...shown } = user;
  expect({ status, body }).toMatchObject({ status: 201, body: shown });
  expect(await directory.send("POST", "/Users", user)).toMatchObject({ status: 409, body: { status: "409" } });
  const all = {
    ...user,
    ...{ id: String(body.id), meta: { resourceType: "User" }, title: "", nickName: "" },
    name: { givenName: "Another", middleName: "Excited", familyName: "User" },
    emails: [{ ...user.emails[0], display: "test.user@okta.local" }],
  };
  const replaced = await directory.send("PUT", `/Users/${body.id}`, all);
  expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: "Another" }, emails: user.emails } });
  const before = await countEvents();
  expect(await directory.send("PUT", `/Users/${body.id}`, all)).toMatchObject({ status: 200, body: replaced.body });
  expect(await countEvents()).toBe(before);
  const Operations = [{ op: "replace", value: { active: false } }];
  const deactivated = await directory.send("PATCH", `/Users/${body.id}`, { schemas: [PATCH], Operations });
  expect(deactivated).toMatchObject({ status: 200, body: { active: false } });
  // Okta never deletes, and activates the same user again.
  expect((await directory.send("PUT", `/Users/${body.id}`, all)).body).toMatchObject({ active: true });
});
