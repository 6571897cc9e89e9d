import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createDirectory, type Directory, type ScimAnswer, sendTo } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

let service: TestService;
let caller: Caller;
let directory: Directory;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
  directory = await createDirectory(service, service.orgId);
  const now = new Date();
  await service.db
    .insertInto("org_domains")
    .values({
      ...{ org_id: service.orgId, name: "acme.example", verified_at: now, validation_type: "dns" as const },
      ...{ sequence: 1n, created_at: now, changed_at: now },
    })
    .execute();
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function call(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

let count = 0;
const newName = () => `ada${++count}@acme.example`;

/** A user with a name of its own. */
async function create(given: JsonObject = {}, to = directory): Promise<JsonObject & { id: string }> {
  const { status, body } = await to.send("POST", "/Users", { schemas: [CORE], userName: newName(), ...given });
  expect({ status, body }).toMatchObject({ status: 201, body: { id: expect.any(String) } });
  return { ...body, id: String(body.id) };
}

const patch = (id: string, Operations: JsonObject[], to = directory) =>
  to.send("PATCH", `/Users/${id}`, { schemas: [PATCH], Operations });

async function find(filter: string): Promise<unknown[]> {
  const { status, body } = await directory.send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body.Resources as JsonObject[]).map(({ id }) => id);
}

const eventsOf = async (id: string) =>
  (
    await service.db
      .selectFrom("events")
      .select(["type", "editor_id"])
      .where("aggregate_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ type, editor_id }) => ({ type, isByConnection: editor_id === directory.connectionId }));

const ADA = {
  schemas: [CORE, ENTERPRISE],
  externalId: "0a1b",
  name: { givenName: "Ada", familyName: "Lovelace" },
  displayName: "Countess",
  nickName: "Ada",
  title: "Analyst",
  preferredLanguage: "en-GB",
  locale: "en-GB",
  emails: [{ value: "ada@acme.example", type: "work", primary: true }],
  phoneNumbers: [{ value: "+41791234567", type: "mobile" }],
  [ENTERPRISE]: { employeeNumber: "701984", department: "Research", manager: { value: "26118915" } },
};

describe("a user", () => {
  test("is created, read, replaced and removed, with the events of the calls", async () => {
    const userName = newName();
    const created = await directory.send("POST", "/Users", { ...ADA, userName, active: true, unknown: 1 });
    expect(created).toMatchObject({ status: 201, body: { ...ADA, userName, active: true } });
    const id = String(created.body.id);
    expect(created.headers.get("location")).toBe(`${service.config.publicUrl}/scim/v2/Users/${id}`);
    expect(created.headers.get("content-type")).toBe("application/scim+json; charset=utf-8");
    expect(await directory.send("GET", `/Users/${id}`)).toMatchObject({ status: 200, body: created.body });

    const { user } = await call("GetUserByID", { id });
    expect(user).toMatchObject({
      userName,
      human: {
        profile: { firstName: "Ada", lastName: "Lovelace", displayName: "Countess", preferredLanguage: "en-GB" },
        email: { email: "ada@acme.example", isEmailVerified: true },
        phone: { phone: "+41791234567" },
      },
    });
    const metadata = (await call("ListUserMetadata", { id })).result as JsonObject[];
    expect(Object.fromEntries(metadata.map(({ key, value }) => [key, atob(String(value))]))).toEqual({
      ...{ external_id: "0a1b", title: "Analyst", locale: "en-GB" },
      ...{ employee_number: "701984", department: "Research", manager: "26118915" },
    });

    const changed = { userName: newName(), name: { givenName: "Augusta", familyName: "King" }, externalId: "0a1b" };
    const { status, body } = await directory.send("PUT", `/Users/${id}`, { schemas: [CORE], ...changed });
    expect(status).toBe(200);
    const { meta, ...rest } = body;
    expect(rest).toEqual({
      ...{ schemas: [CORE], id, ...changed, displayName: "Augusta King", active: true },
      name: { ...changed.name, formatted: "Augusta King" },
      emails: ADA.emails,
    });
    const before = await eventsOf(id);
    // The same again changes nothing.
    expect((await directory.send("PUT", `/Users/${id}`, { schemas: [CORE], ...changed })).body.meta).toEqual(meta);
    expect(await eventsOf(id)).toEqual(before);
    expect((await directory.send("DELETE", `/Users/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) {
      expect(await directory.send(method, `/Users/${id}`)).toMatchObject({ status: 404, body: { status: "404" } });
    }
    const events = await eventsOf(id);
    expect(events[0]).toEqual({ type: "user.human.added", isByConnection: true });
    expect(events.at(-1)).toEqual({ type: "user.removed", isByConnection: true });
    expect(events.map(({ type }) => type)).toContain("user.username.changed");
  });

  test("who is not active cannot sign in any more, and can be active again", async () => {
    const { id } = await create();
    const state = async () => (await call("GetUserByID", { id })).user;
    expect((await patch(id, [{ op: "replace", path: "active", value: false }])).body).toMatchObject({ active: false });
    expect(await state()).toMatchObject({ state: "USER_STATE_INACTIVE" });
    expect((await patch(id, [{ op: "replace", value: { active: true } }])).body).toMatchObject({ active: true });
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["user.deactivated", "user.reactivated"]);
    expect(await create({ active: false })).toMatchObject({ active: false });
  });

  test("has unique values", async () => {
    const { id, userName } = await create({ externalId: "unique" });
    const other = await create();
    for (const given of [{ userName: String(userName).toUpperCase() }, { userName: newName(), externalId: "unique" }]) {
      const taken = { status: 409, body: { scimType: "uniqueness", status: "409" } };
      expect(await directory.send("POST", "/Users", { schemas: [CORE], ...given })).toMatchObject(taken);
      const before = await eventsOf(other.id);
      const all = { ...given, title: "New" };
      expect(await directory.send("PUT", `/Users/${other.id}`, all)).toMatchObject(taken);
      expect(await eventsOf(other.id)).toEqual(before);
    }
    expect(await find(`userName eq "${userName}"`)).toEqual([id]);
  });

  test("is changed only if the version is the given one", async () => {
    const { id } = await create();
    const { headers } = await directory.send("GET", `/Users/${id}`);
    const etag = String(headers.get("etag"));
    expect((await directory.send("GET", `/Users/${id}`, undefined, { "if-none-match": etag })).status).toBe(304);
    const title = { schemas: [PATCH], Operations: [{ op: "add", path: "title", value: "Analyst" }] };
    expect((await directory.send("PATCH", `/Users/${id}`, title, { "if-match": etag })).status).toBe(200);
    expect((await directory.send("PATCH", `/Users/${id}`, title, { "if-match": etag })).status).toBe(412);
    expect((await directory.send("DELETE", `/Users/${id}`, undefined, { "if-match": etag })).status).toBe(412);
  });

  test("changes the version that was asked for, also if another request comes between", async () => {
    const { id } = await create();
    const change = async (method: string, body: JsonObject | undefined, headers: Record<string, string>) => {
      let answer: Promise<ScimAnswer> | undefined;
      await service.db.transaction().execute(async (held) => {
        const user = held.updateTable("users").where("id", "=", id);
        await user.set({ sequence: sql`sequence + 1`, nick_name: `Ada ${++count}` }).execute();
        answer = directory.send(method, `/Users/${id}`, body, headers);
        await untilBlocked(service.db);
      });
      return await answer;
    };
    const versionOf = async () => String((await directory.send("GET", `/Users/${id}`)).headers.get("etag"));
    const title = { schemas: [PATCH], Operations: [{ op: "add", path: "title", value: "Analyst" }] };
    for (const [method, body] of [
      ["PUT", { userName: newName() }],
      ["PATCH", title],
      ["DELETE", undefined],
    ] as const) {
      const answer = await change(method, body, { "if-match": await versionOf() });
      expect([method, answer?.status]).toEqual([method, 412]);
    }
    // Without a version, the change is made to what the other request has stored.
    expect(await change("PATCH", title, {})).toMatchObject({
      status: 200,
      body: { title: "Analyst", nickName: `Ada ${count}` },
    });
    expect(await change("DELETE", undefined, {})).toMatchObject({ status: 204 });
  });

  test("changes nothing if a part of the change is refused", async () => {
    const { id } = await create();
    for (let key = 0; key < 50; key++) await call("SetUserMetadata", { id, key: `key${key}`, value: "YQ==" });
    const { headers } = await directory.send("GET", `/Users/${id}`);
    const changes = { active: false, userName: newName(), title: "Analyst" };
    expect(await patch(id, [{ op: "replace", value: changes }])).toMatchObject({ status: 400 });
    expect((await directory.send("GET", `/Users/${id}`)).headers.get("etag")).toBe(headers.get("etag"));
  });

  test("keeps numbers and languages of any form, which others do not see", async () => {
    const given = { phoneNumbers: [{ value: "ext. 12", type: "work" }], preferredLanguage: "Swiss German" };
    const { id } = await create(given);
    expect((await directory.send("GET", `/Users/${id}`)).body).toMatchObject(given);
    const human = ((await call("GetUserByID", { id })).user as JsonObject).human as JsonObject;
    expect(human.phone ?? {}).not.toHaveProperty("phone");
    expect(human.profile).not.toHaveProperty("preferredLanguage");
    const valid = [
      { op: "replace", value: { 'phoneNumbers[type eq "work"].value': "+41791234567", preferredLanguage: "de" } },
    ];
    await patch(id, valid);
    expect((await call("GetUserByID", { id })).user).toMatchObject({
      human: { phone: { phone: "+41791234567" }, profile: { preferredLanguage: "de" } },
    });
  });

  test("has the user name as address only if it is one", async () => {
    for (const [userName, hasAddress] of [
      ["jane@acme.example", true],
      ["jane@host_name.corp", false],
      ["jane..doe@acme.example", false],
      ["jane@localhost", false],
    ] as const) {
      const { status, body } = await directory.send("POST", "/Users", { userName });
      expect({ userName, status, emails: body.emails }).toEqual({
        ...{ userName, status: 201 },
        emails: hasAddress ? [expect.objectContaining({ value: userName })] : undefined,
      });
    }
  });

  test("of any other name, address or value is rejected with what is wrong", async () => {
    const { id } = await create();
    for (const [given, scimType, detail] of [
      [{ userName: "" }, "invalidValue", /userName/],
      [{ emails: [{ value: "ada" }] }, "invalidValue", /^emails: /],
      [{ active: "maybe" }, "invalidValue", /^active: /],
      [{ title: "a\0b" }, "invalidValue", /^title: /],
      [{ title: "a".repeat(2_001) }, "invalidValue", /^title: /],
      [{ name: { givenName: { a: 1 } } }, "invalidValue", /^name.givenName: /],
    ] as const) {
      for (const [method, path] of [
        ["POST", "/Users"],
        ["PUT", `/Users/${id}`],
      ] as const) {
        const { status, body } = await directory.send(method, path, { userName: newName(), ...given });
        expect({ status, ...body }).toMatchObject({ status: "400", scimType, detail: expect.stringMatching(detail) });
      }
    }
  });
});

test.each([
  ["a list", "[]", 400, "invalidSyntax"],
  ["no JSON", "{", 400, "invalidSyntax"],
  ["too many bytes", JSON.stringify({ userName: "a".repeat(300_000) }), 413, undefined],
])("a body with %s is rejected", async (_name, body, status, scimType) => {
  const answer = await directory.send("POST", "/Users", body);
  expect([answer.status, answer.body.status, answer.body.scimType]).toEqual([status, String(status), scimType]);
});

test("users are found by filters", async () => {
  const { id, userName } = await create({
    ...{ externalId: "Filter1", displayName: "Grace Hopper", title: "Admiral" },
    ...{ name: { givenName: "Grace", familyName: "Hopper" }, emails: [{ value: "grace@acme.example" }] },
    ...{ phoneNumbers: [{ value: "+41791230000" }], [ENTERPRISE]: { department: "Navy" } },
  });
  const inactive = await create({ active: false, displayName: "Grace Inactive" });
  for (const filter of [
    `userName eq "${String(userName).toUpperCase()}"`,
    `${CORE}:userName eq "${userName}"`,
    `id eq "${id}"`,
    'externalId eq "Filter1"',
    'emails.value eq "grace@acme.example"',
    'emails[type eq "work"].value eq "grace@acme.example"',
    'emails[type eq "work" and value co "grace@"]',
    'phoneNumbers.value eq "+41 79 123 00 00"',
    'name.familyName sw "Hop" and not (name.givenName eq "Ada")',
    `${ENTERPRISE}:department eq "Navy" or title eq "General"`,
    'displayName sw "Grace" and active eq true',
  ]) {
    expect([filter, await find(filter)]).toEqual([filter, [id]]);
  }
  expect(await find('displayName sw "Grace" and active eq false')).toEqual([inactive.id]);
  expect(await find('externalId eq "filter1"')).toEqual([]);
  expect(await find('userName eq "a\\u0000b"')).toEqual([]);
  for (const filter of [
    ...[
      'title co "Adm"',
      'meta.created gt "2020"',
      "password pr",
      "userName eq ada",
      'userName like "a"',
      "(((",
      "userName",
    ],
    ...[Array(11).fill('title eq "a"').join(" or "), "active eq 1", 'emails[type eq "work"', 'userName eq "a'],
  ]) {
    const { status, body } = await directory.send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect([filter, status, body.scimType]).toEqual([filter, 400, "invalidFilter"]);
  }
});

test("a list has pages, an order, and the attributes that were asked for", async () => {
  const ids: string[] = [];
  for (const title of ["b", "a", "c"]) ids.push((await create({ displayName: `Page ${title}`, title: "Pager" })).id);
  const filter = 'title eq "Pager"';
  const list = async (parameters: JsonObject) => {
    const query = new URLSearchParams({ filter, ...(parameters as Record<string, string>) });
    const { body } = await directory.send("GET", `/Users?${query}`);
    const search = { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], filter, ...parameters };
    for (const path of ["/Users/.search", "/.search"]) {
      expect(await directory.send("POST", path, search)).toMatchObject({ status: 200, body });
    }
    return body;
  };
  expect(await list({ startIndex: "2", count: "1" })).toMatchObject({
    ...{ totalResults: 3, startIndex: 2, itemsPerPage: 1 },
    Resources: [{ id: ids[1] }],
  });
  expect(await list({ count: "0" })).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
  const sorted = await list({
    sortBy: "displayName",
    sortOrder: "descending",
    attributes: "displayName,name.givenName",
  });
  expect((sorted.Resources as JsonObject[]).map(({ displayName }) => displayName)).toEqual([
    "Page c",
    "Page b",
    "Page a",
  ]);
  expect(Object.keys((sorted.Resources as JsonObject[])[0] ?? {}).sort()).toEqual([
    "displayName",
    "id",
    "meta",
    "name",
    "schemas",
  ]);
  const { Resources } = await list({ excludedAttributes: "emails,meta,name.formatted" });
  const [first] = Resources as JsonObject[];
  expect(first).toMatchObject({ id: ids[0], name: { givenName: expect.any(String) }, meta: expect.anything() });
  expect(first).not.toHaveProperty("emails");
  expect(first?.name).not.toHaveProperty("formatted");
});

describe("a connection", () => {
  test("says what happens to addresses that no verified domain covers", async () => {
    const outside = () => ({ emails: [{ value: `eve${++count}@elsewhere.example` }] });
    const messages = async (id: string) => (await call("ListUserMessages", { userId: id })).result ?? [];
    const invited = await create(outside());
    expect(await messages(invited.id)).toHaveLength(1);
    // Without a provider, a user with a verified address needs the link to set a password.
    expect(await messages((await create()).id)).toHaveLength(1);

    const silent = await createDirectory(service, service.orgId, { addressRule: 2 });
    const { id } = await create(outside(), silent);
    expect((await call("GetUserByID", { id })).user).toMatchObject({
      human: { email: { email: expect.stringMatching(/^eve/) } },
    });
    await patch(id, [{ op: "replace", path: "emails", value: outside().emails }], silent);
    expect(await messages(id)).toEqual([]);

    const strict = await createDirectory(service, service.orgId, { addressRule: 3 });
    const refused = { status: 400, body: { scimType: "invalidValue", detail: expect.stringMatching(/^emails: /) } };
    expect(await strict.send("POST", "/Users", { userName: newName(), ...outside() })).toMatchObject(refused);
    expect(await patch((await create({}, strict)).id, [{ op: "replace", value: outside() }], strict)).toMatchObject(
      refused,
    );
  });

  test("links users to its provider", async () => {
    const idpId = String((await call("AddGitHubProvider", PROVIDERS.GitHub)).id);
    const linking = await createDirectory(service, service.orgId, { idpId });
    const { id } = await create({ externalId: "object-1" }, linking);
    const links = async () =>
      (((await call("ListHumanLinkedIDPs", { userId: id })).result ?? []) as JsonObject[]).map((link) => [
        link.idpId,
        link.providedUserId,
      ]);
    expect(await links()).toEqual([[idpId, "object-1"]]);
    expect((await call("ListUserMessages", { userId: id })).result ?? []).toEqual([]);
    await patch(id, [{ op: "replace", path: "externalId", value: "object-2" }], linking);
    expect(await links()).toEqual([[idpId, "object-2"]]);
    // A provider that was removed links nobody.
    await call("RemoveOrgIDP", { idpId });
    await create({ externalId: "object-3" }, linking);

    const byName = { idpId: String((await call("AddGitHubProvider", PROVIDERS.GitHub)).id), linkAttribute: 2 };
    const named = await create({}, await createDirectory(service, service.orgId, byName));
    const { result } = await call("ListHumanLinkedIDPs", { userId: named.id });
    expect(result).toMatchObject([{ providedUserId: named.userName }]);

    const byNumber = { ...byName, linkAttribute: 3, linkPath: `${ENTERPRISE}:employeeNumber` };
    const numbered = await createDirectory(service, service.orgId, byNumber);
    const person = await create({ [ENTERPRISE]: { employeeNumber: "7" }, externalId: "object-4" }, numbered);
    const linkOf = async () => (await call("ListHumanLinkedIDPs", { userId: person.id })).result;
    expect(await linkOf()).toMatchObject([{ providedUserId: "7" }]);
    await patch(person.id, [{ op: "replace", path: `${ENTERPRISE}:employeeNumber`, value: "8" }], numbered);
    expect(await linkOf()).toMatchObject([{ providedUserId: "8" }]);
    await patch(person.id, [{ op: "replace", path: "externalId", value: "object-5" }], numbered);
    expect(await linkOf()).toMatchObject([{ providedUserId: "8" }]);
  });

  test("is known by its token, which a rotation replaces after a day", async () => {
    const { connectionId, token } = await createDirectory(service, service.orgId);
    const rotated = String((await call("RotateScimToken", { id: connectionId })).token);
    const status = async (each: string) => (await sendTo(service, each)("GET", "/Users?count=1")).status;
    expect([await status(token), await status(rotated)]).toEqual([200, 200]);
    const { connection } = await call("GetScimConnection", { id: connectionId });
    expect(connection).toMatchObject({ lastUsedDate: expect.any(String) });
    service.clockOffsetMs += 25 * 3_600_000;
    expect([await status(token), await status(rotated)]).toEqual([401, 200]);
    service.clockOffsetMs = 0;
    await call("RemoveScimConnection", { id: connectionId });
    expect([await status(token), await status(rotated)]).toEqual([401, 401]);
    expect([await status(service.adminToken), await status("signet_scim_")]).toEqual([401, 401]);
    const nobody = await fetch(`${service.origin}/scim/v2/Users`);
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await nobody.json()).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "401",
    });
  });
});

describe("a sender with the token of a connection", () => {
  test("reaches no user of another organization, and no machine user", async () => {
    const other = await service.createOrg("Other");
    const foreign = await create({}, await createDirectory(service, other));
    const { userId: machine } = await service.createToken({ orgId: service.orgId });
    for (const id of [foreign.id, machine, randomUUID(), "ada", "%2e%2e"]) {
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { userName: newName() }],
        ["PATCH", { Operations: [{ op: "replace", path: "active", value: false }] }],
        ["DELETE", undefined],
      ] as const) {
        expect([id, method, (await directory.send(method, `/Users/${id}`, body)).status]).toEqual([id, method, 404]);
      }
    }
    expect(await find(`id eq "${foreign.id}" or id eq "${machine}"`)).toEqual([]);
  });

  test("calls nothing else", async () => {
    const headers = { authorization: `Bearer ${directory.token}`, "content-type": "application/json" };
    for (const path of [
      "/management/v1/users/_search",
      "/management/v1/scim/_search",
      "/auth/v1/memberships/me/_search",
    ]) {
      const response = await fetch(`${service.origin}${path}`, { method: "POST", headers, body: "{}" });
      expect([path, response.status]).toEqual([path, 401]);
    }
    expect((await fetch(`${service.origin}/oidc/v1/userinfo`, { headers })).status).not.toBe(200);
  });

  test("does not change a user with a role", async () => {
    const { id } = await create();
    await call("AddOrgMember", { userId: id, roles: ["ORG_VIEWER"] });
    const before = await eventsOf(id);
    for (const [method, body] of [
      ["PUT", { userName: newName() }],
      ["PATCH", { Operations: [{ op: "replace", path: 'emails[type eq "work"].value', value: "eve@acme.example" }] }],
      ["PATCH", { Operations: [{ op: "add", path: "externalId", value: "eve" }] }],
      ["PATCH", { Operations: [{ op: "replace", path: "active", value: false }] }],
      ["DELETE", undefined],
    ] as const) {
      expect([method, (await directory.send(method, `/Users/${id}`, body)).status]).toEqual([method, 403]);
    }
    expect(await eventsOf(id)).toEqual(before);
  });

  test("learns nothing while the organization is deactivated", async () => {
    const orgId = await service.createOrg("Inactive");
    const { send } = await createDirectory(service, orgId);
    expect((await send("GET", "/Users")).status).toBe(200);
    await service.db.updateTable("orgs").set({ state: "inactive" }).where("id", "=", orgId).execute();
    expect((await send("GET", "/Users")).status).toBe(401);
  });
});

test("the service describes itself", async () => {
  const { body: config } = await directory.send("GET", "/ServiceProviderConfig");
  expect(config).toMatchObject({ patch: { supported: true }, filter: { supported: true }, etag: { supported: true } });
  for (const place of ["ResourceTypes", "Schemas"]) {
    const { body } = await directory.send("GET", `/${place}`);
    for (const document of body.Resources as JsonObject[]) {
      expect((await directory.send("GET", `/${place}/${document.id}`)).body).toEqual(document);
    }
  }
  expect((await directory.send("GET", "/Schemas/urn:unknown")).status).toBe(404);
  expect((await directory.send("GET", "/Unknown")).status).toBe(404);
  expect((await directory.send("GET", "/Me")).status).toBe(501);
  const { status, headers } = await directory.send("POST", "/Schemas", {});
  expect([status, headers.get("allow")]).toEqual([405, "GET"]);
  expect((await directory.send("POST", "/Users", {}, { "content-type": "text/plain" })).status).toBe(415);
});
