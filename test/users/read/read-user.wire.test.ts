import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { PROVIDERS } from "../../idps/provider-requests.ts";
import { type Caller, createCaller, type ReadRpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const FULL = {
  ...HUMAN,
  userName: "Ada",
  profile: {
    firstName: "Ada",
    lastName: "Lovelace",
    nickName: "Countess",
    displayName: "Ada L.",
    preferredLanguage: "en-GB",
    gender: "GENDER_FEMALE",
  },
  phone: { phone: "+41 79 123 45 67", isPhoneVerified: true },
};

let service: TestService;
let caller: Caller;
/** "bare" has no optional data. "ofGitHub" is linked to a provider without OpenID Connect. */
let users: { full: string; bare: string; ofGitHub: string };
let details: { full: JsonObject };
let idps: string[];

beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  service.secret(CLIENT_SECRET);
  caller = createCaller("grpc", service, service.adminToken);
  const call = async (...given: Parameters<Caller["call"]>) => {
    const outcome = await caller.call(...given);
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.message;
  };
  const instance = await call("AddOIDCIDP", { ...IDP, name: "Of the instance" });
  const org = await call("AddOrgOIDCIDP", { ...IDP, name: "Of the organization" });
  idps = [String(instance.idpId), String(org.idpId)];
  const links = idps.map((configId, n) => ({
    configId,
    externalUserId: `ext-${n}`,
    displayName: n ? "" : "Ada Ext",
  }));
  const full = await call("ImportHumanUser", { ...FULL, idps: links });
  const bare = await call("ImportHumanUser", {
    userName: "bare",
    ...HUMAN,
    hashedPassword: undefined as never,
    email: { email: "bare@example.com" },
  });
  const gitHub = await call("AddGitHubProvider", PROVIDERS.GitHub);
  const ofGitHub = await call("ImportHumanUser", {
    ...HUMAN,
    userName: "github",
    idps: [{ configId: String(gitHub.id), externalUserId: "1", displayName: "" }],
  });
  users = { full: String(full.userId), bare: String(bare.userId), ofGitHub: String(ofGitHub.userId) };
  details = { full: full.details as JsonObject };
  for (const [n, name] of ["Laptop", ""].entries()) {
    const created_at = new Date(1_700_000_000_000 + n);
    await service.db
      .insertInto("passkeys")
      .values({
        org_id: service.orgId,
        id: `passkey-${n}`,
        user_id: users.full,
        public_key: Buffer.alloc(1),
        counter: 0n,
        transports: [],
        aaguid: randomUUID(),
        device_type: "singleDevice",
        backed_up: false,
        name,
        created_at,
      })
      .execute();
  }
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const read = async (rpc: ReadRpc, request: JsonObject): Promise<JsonObject> => {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};

test("GetUserByID returns all stored data of a human user except secrets", async () => {
  expect(await read("GetUserByID", { id: users.full.toUpperCase() })).toEqual({
    user: {
      id: users.full,
      details: details.full,
      state: "USER_STATE_ACTIVE",
      userName: "Ada",
      loginNames: ["Ada"],
      preferredLoginName: "Ada",
      human: {
        profile: FULL.profile,
        email: { email: "ada@example.com", isEmailVerified: true },
        phone: { phone: "+41791234567", isPhoneVerified: true },
        passwordChanged: details.full.creationDate,
      },
    },
  });
});

test("GetUserByID returns a human user without optional data", async () => {
  expect(await read("GetUserByID", { id: users.bare })).toMatchObject({
    user: { state: "USER_STATE_INITIAL", human: { email: { email: "bare@example.com" } } },
  });
  const { user } = await read("GetUserByID", { id: users.bare });
  expect(Object.keys((user as { human: object }).human).sort()).toEqual(["email", "profile"]);
});

test("GetUserByID and ListUsers return what is left to do about the password and one-time codes", async () => {
  const humans = [
    [{ passwordChangeRequired: true }, { passwordChangeRequired: true }],
    [{ secondFactorRequired: true }, { secondFactorRequired: true }],
    [{ otpCode: "testotp" }, { hasUnusableOtpCode: true }],
    [{ otpCode: "JBSWY3DPEHPK3PXP" }, {}],
  ] as const;
  for (const [n, [changes, expected]] of humans.entries()) {
    const userName = `left-${n}`;
    const outcome = await caller.call("ImportHumanUser", { userName, ...HUMAN, ...changes });
    if (!outcome.ok) throw new Error(outcome.message);
    const { user } = await read("GetUserByID", { id: String(outcome.message.userId) });
    const { result } = await read("ListUsers", { queries: [{ userNameQuery: { userName } }] });
    const { hasUnusableOtpCode: _onlyOfOne, ...inLists } = expected as JsonObject;
    expect(leftToDo(user)).toEqual(expected);
    expect(leftToDo((result as JsonObject[])[0])).toEqual(inLists);
  }
});

test("GetUserByID returns a machine user", async () => {
  expect(await read("GetUserByID", { id: service.adminId })).toMatchObject({
    user: { id: service.adminId, userName: "admin", state: "USER_STATE_ACTIVE", machine: { name: "admin" } },
  });
});

test("IsUserUnique compares user name and email address regardless of case", async () => {
  expect(await read("IsUserUnique", { userName: " ADA " })).toEqual({});
  expect(await read("IsUserUnique", { email: "ADA@example.com" })).toEqual({});
  expect(await read("IsUserUnique", { email: " ada@example.com " })).toEqual({});
  expect(await read("IsUserUnique", { userName: "new", email: "Bare@Example.com" })).toEqual({});
  // A sign-in finds users by verified address and number, and by a name that is an address.
  await caller.call("ImportHumanUser", { ...HUMAN, userName: "Named@example.org" });
  for (const userName of ["ADA@example.com", "+41 79 123-45-67"]) {
    expect([userName, await read("IsUserUnique", { userName })]).toEqual([userName, {}]);
  }
  expect(await read("IsUserUnique", { email: "NAMED@example.org" })).toEqual({});
  expect(await read("IsUserUnique", { userName: "new" })).toEqual({ isUnique: true });
  expect(await read("IsUserUnique", { userName: "new", email: "new@example.com" })).toEqual({ isUnique: true });
  await expectError(service.db, "grpc", () => caller.call("IsUserUnique", {}), "INVALID_ARGUMENT", ["userName"]);
});

test("ListUserChanges returns events without payloads, newest first or oldest first", async () => {
  const change = (sequence: number, key: string, localizedMessage: string) => ({
    changeDate: details.full.changeDate,
    eventType: { key, localizedMessage },
    sequence: String(sequence),
    editorId: service.adminId,
    editorDisplayName: "admin",
    resourceOwnerId: service.orgId,
  });
  const all = [
    change(1, "user.human.added", "User created"),
    change(2, "user.human.idp.linked", "External user linked"),
    change(3, "user.human.idp.linked", "External user linked"),
    change(4, "user.human.email.verified", "Email address verified"),
    change(5, "user.human.phone.verified", "Phone number verified"),
  ];
  const list = async (query: JsonObject) => (await read("ListUserChanges", { userId: users.full, query })).result ?? [];
  expect(await list({})).toEqual([...all].reverse());
  expect(await list({ asc: true })).toEqual(all);
  expect(await list({ asc: true, sequence: "2", limit: 2 })).toEqual(all.slice(2, 4));
  expect(await list({ sequence: "3", limit: 1 })).toEqual(all.slice(1, 2));
  expect(await list({ sequence: "1" })).toEqual([]);
  expect(await list({ asc: true, sequence: "99" })).toEqual([]);
  const tooMany = () => caller.call("ListUserChanges", { userId: users.full, query: { limit: 1_001 } });
  await expectError(service.db, "grpc", tooMany, "INVALID_ARGUMENT", ["query.limit"]);
  const tooLarge = () => caller.call("ListUserChanges", { userId: users.full, query: { sequence: `${2n ** 63n}` } });
  await expectError(service.db, "grpc", tooLarge, "INVALID_ARGUMENT", ["query.sequence"]);
});

test("ListUserChanges shows the id, but not the name, of an editor of another organization", async () => {
  const orgId = await service.createOrg("Other");
  const request = { userName: "ada", ...HUMAN };
  const headers = { "x-service-orgid": orgId };
  const imported = await caller.call("ImportHumanUser", request, headers);
  if (!imported.ok) throw new Error(imported.message);
  const outcome = await caller.call("ListUserChanges", { userId: String(imported.message.userId) }, headers);
  if (!outcome.ok) throw new Error(outcome.message);
  const [{ editorId, editorDisplayName }] = outcome.message.result as [Record<string, string>];
  expect([editorId, editorDisplayName ?? ""]).toEqual([service.adminId, ""]);
});

test("ListUserChanges also returns the events of a user that was removed, but not those of other objects", async () => {
  const userId = randomUUID();
  await service.db
    .insertInto("events")
    .values({
      owner_id: service.orgId,
      aggregate_id: userId,
      sequence: 1n,
      type: "user.human.added",
      editor_id: null,
      created_at: new Date(),
      payload: null,
    })
    .execute();
  const { result } = await read("ListUserChanges", { userId });
  expect(result).toMatchObject([{ eventType: { key: "user.human.added" } }]);
  for (const id of [service.orgId, idps[1] ?? ""]) {
    await expectError(service.db, "grpc", () => caller.call("ListUserChanges", { userId: id }), "USER_NOT_FOUND");
  }
});

test("ListHumanPasswordless returns the passkeys of a user", async () => {
  const { result = [] } = await read("ListHumanPasswordless", { userId: users.full });
  const passkeys = (result as JsonObject[]).map(({ id, name = "", state }) => ({ id, name, state }));
  expect(passkeys).toEqual([
    { id: "passkey-0", name: "Laptop", state: "AUTH_FACTOR_STATE_READY" },
    { id: "passkey-1", name: "", state: "AUTH_FACTOR_STATE_READY" },
  ]);
  expect((await read("ListHumanPasswordless", { userId: users.bare })).result ?? []).toEqual([]);
});

test("ListHumanLinkedIDPs returns the links of a user, page by page", async () => {
  const links: JsonObject[] = [];
  let pageToken = "";
  do {
    const page = await read("ListHumanLinkedIDPs", {
      userId: users.full,
      query: { asc: true, limit: 1, pageToken },
    });
    links.push(...(page.result as JsonObject[]));
    const { totalResult, nextPageToken = "" } = page.details as Record<string, string>;
    expect(totalResult).toBe("2");
    pageToken = nextPageToken;
  } while (pageToken !== "");
  const common = { userId: users.full, idpType: "IDP_TYPE_OIDC" };
  expect(links).toMatchObject([
    { ...common, idpId: idps[0], idpName: "Of the instance", providedUserId: "ext-0", providedUserName: "Ada Ext" },
    { ...common, idpId: idps[1], idpName: "Of the organization", providedUserId: "ext-1" },
  ]);
  expect((await read("ListHumanLinkedIDPs", { userId: users.bare })).result ?? []).toEqual([]);
});

test("ListHumanLinkedIDPs has no type for a provider without OpenID Connect", async () => {
  const [link] = (await read("ListHumanLinkedIDPs", { userId: users.ofGitHub })).result as JsonObject[];
  expect(link).toMatchObject({ userId: users.ofGitHub, idpName: "Example", providedUserId: "1" });
  expect(link).not.toHaveProperty("idpType");
});

test.each(["GetUserByID", "ListUserChanges", "ListHumanPasswordless", "ListHumanLinkedIDPs"] as const)(
  "%s does not find a user that does not exist",
  async (rpc) => {
    for (const id of [randomUUID(), "unknown"]) {
      const request: JsonObject = rpc === "GetUserByID" ? { id } : { userId: id };
      await expectError(service.db, "grpc", () => caller.call(rpc, request), "USER_NOT_FOUND");
    }
  },
);

test.each(["ListHumanPasswordless", "ListHumanLinkedIDPs"] as const)("%s does not find a machine user", async (rpc) => {
  await expectError(service.db, "grpc", () => caller.call(rpc, { userId: service.adminId }), "USER_NOT_FOUND");
});

function leftToDo(user: unknown): object {
  const { human } = user as { human: JsonObject };
  const { profile: _profile, email: _email, passwordChanged: _changed, ...left } = human;
  return left;
}
