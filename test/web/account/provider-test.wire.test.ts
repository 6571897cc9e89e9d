import { grantRole } from "../../../src/access/grant-role.ts";
import { ensureConsole } from "../../../src/instance/ensure-console.ts";
import type { Role } from "../../../src/roles.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  passProvider,
  type RegisteredIdp,
  registerIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { PERSISTENT, readRequest, respond, startSamlProvider } from "../../support/saml/saml-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { newSub, PERSON } from "../sign-in/idp-scene.ts";
import { ACCOUNT, newPerson, PASSWORD } from "./account-scene.ts";

const TEST = `${ACCOUNT}/provider-test`;

let providers: OtherProviders;
let service: TestService;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  service.secret(PASSWORD);
  await ensureConsole(service, service.config.publicUrl);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/** A person in a browser with a role. */
async function newManager(role: Role = "ORG_OWNER") {
  const { person, userId } = await newPerson(service);
  const scopeId = role.startsWith("INSTANCE") ? service.instanceId : service.orgId;
  await grantRole(service, { user: { id: userId, orgId: service.orgId }, role, scopeId });
  return { person, userId };
}

/** A provider of the organization that is not offered. */
async function newIdp(options: Parameters<typeof registerIdp>[2] = {}): Promise<RegisteredIdp> {
  const idp = await registerIdp(service, providers, { orgId: service.orgId, ...options });
  await call(service, "DeactivateOrgIDP", { idpId: idp.id });
  return idp;
}

const open = (person: Person, { id }: { id: string }) => person.open(`${TEST}?idp=${id}`);

/** Tests the provider. Returns the callback, to which the browser comes back. */
const goToProvider = async (person: Person, idp: { id: string }) =>
  await passProvider(await person.submit(await open(person, idp), {}));

/** The text of a page, without its tags. */
const textOf = ({ text }: Page) =>
  text
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");

const changeOptions = (idp: RegisteredIdp, options: object) =>
  service.db.updateTable("idps").set(options).where("id", "=", idp.id).execute();

/** All that a sign-in could change. */
async function snapshot() {
  const { db } = service;
  const [users, links, sessions, events] = await Promise.all([
    db.selectFrom("users").select(["id", "sequence", "email"]).orderBy("id").execute(),
    db.selectFrom("user_idp_links").selectAll().orderBy("external_user_id").execute(),
    db.selectFrom("oidc_artifacts").select(["key", "user_id"]).where("kind", "=", "Session").orderBy("key").execute(),
    db
      .selectFrom("events")
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow(),
  ]);
  return { users, links, sessions, events };
}

describe("a test sign-in", () => {
  test("shows what a provider that is not offered says, and changes and stores nothing", async () => {
    const idp = await newIdp({ account: { sub: newSub(), ...PERSON, email_verified: false, nickname: "<b>" } });
    const { person } = await newManager();
    const before = await snapshot();
    const cookies = () => person.browser.jar().filter(([name]) => !name.includes("signet-idp-"));
    const cookiesBefore = JSON.stringify(cookies());
    const result = await person.open(await goToProvider(person, idp));
    expect([result.status, result.title]).toEqual([200, `${idp.name} has confirmed an account`]);
    const text = textOf(result);
    expect(text).toContain("Email address grace@example.com (not verified)");
    expect(text).toContain("First name Grace Last name Hopper Display name Grace Hopper");
    expect(text).toContain("As it came: userinfo");
    expect(result.text).toContain("<code>&lt;b&gt;</code>");
    expect(text).toContain(
      "It asks the person to sign in to an existing user and to link this account, or to register",
    );
    expect(text).toContain("Missing, or not usable: User name");
    expect(await snapshot()).toEqual(before);
    expect(JSON.stringify(cookies())).toBe(cookiesBefore);
    expect(await service.db.selectFrom("idp_attempts").select("idp_id").where("idp_id", "=", idp.id).execute()).toEqual(
      [],
    );
    expect(result.headers.get("cache-control")).toBe("no-store");
    // Another load needs another test.
    expect(await person.open(result.url)).toMatchObject({ status: 422, alert: "This test has ended. Start it again." });
  });

  test.each([
    ["without a form", { auto_register: true }, {}, "It adds a new user without a form."],
    [
      "by the address",
      { auto_linking: 2 },
      { email: "linked@example.com" },
      "It links this account to linked@example.com",
    ],
    ["not at all", { is_creation_allowed: false, is_linking_allowed: false }, {}, "It is refused: nobody is linked"],
  ])("says what a sign-in would do: %s", async (_title, options, claims, expected) => {
    await importAda(service, {
      userName: "linked@example.com",
      ...VERIFIED,
      email: { email: "linked@example.com", isEmailVerified: true },
    }).catch(() => {});
    const unique = `${newSub()}@example.com`;
    const idp = await newIdp({ account: { sub: newSub(), ...PERSON, email: unique, ...claims } });
    await changeOptions(idp, options);
    const { person } = await newManager();
    const before = await snapshot();
    expect(textOf(await person.open(await goToProvider(person, idp)))).toContain(expected);
    expect(await snapshot()).toEqual(before);
  });

  test("names the linked user to those who may read users", async () => {
    const sub = newSub();
    const idp = await newIdp({ account: { sub } });
    const { userName } = await newPerson(service, { idps: [{ configId: idp.id, externalUserId: sub }] });
    const resultFor = async (role: Role) => {
      const { person } = await newManager(role);
      return textOf(await person.open(await goToProvider(person, idp)));
    };
    expect(await resultFor("ORG_OWNER")).toContain(`It signs in ${userName}, who is linked to this account.`);
    const limited = await resultFor("ORG_SETTINGS_MANAGER");
    expect(limited).toContain("It signs in a user, who is linked to this account.");
    expect(limited).not.toContain(userName);
  });

  test("says why it has failed", async () => {
    const idp = await newIdp({ account: { sub: newSub() } });
    const { person } = await newManager();
    const callback = await goToProvider(person, idp);
    callback.searchParams.set("code", "wrong");
    const failed = await person.open(callback);
    expect([failed.status, failed.title]).toEqual([422, `The test sign-in with ${idp.name} failed`]);
    expect(failed.alert).toContain("the code could not be redeemed");
    expect(failed.alert).toContain("invalid_grant");
  });

  test("is not found by anybody who may not change the provider, and asks others to sign in", async () => {
    const ofOrg = await newIdp();
    const ofInstance = await registerIdp(service, providers);
    const other = String((await call(service, "AddOrg", { name: "Acorn" })).id);
    const elsewhere = await registerIdp(service, providers, { orgId: other });
    const { person: owner } = await newManager();
    const { person: viewer } = await newManager("ORG_VIEWER");
    const { person: nobody } = await newPerson(service);
    for (const [person, idp] of [
      [viewer, ofOrg],
      [nobody, ofOrg],
      [owner, ofInstance],
      [owner, elsewhere],
    ] as const) {
      expect((await open(person, idp)).status).toBe(404);
      expect((await person.open(`${TEST}/result?idp=${idp.id}&state=x`)).status).toBe(404);
    }
    const { person: operator } = await newManager("INSTANCE_OWNER");
    for (const idp of [ofOrg, ofInstance, elsewhere]) expect((await open(operator, idp)).status).toBe(200);
    // Whoever has lost the role in the meantime sees nothing of the response.
    const { person, userId } = await newManager();
    const callback = await goToProvider(person, ofOrg);
    await service.db.deleteFrom("members").where("user_id", "=", userId).execute();
    expect((await person.open(callback)).status).toBe(404);
  });

  test("becomes neither a link nor a sign-in, and no response to one is shown as a test", async () => {
    const sub = newSub();
    const idp = await registerIdp(service, providers, { orgId: service.orgId, account: { sub } });
    await newPerson(service, { idps: [{ configId: idp.id, externalUserId: sub }] });
    const { person } = await newManager();
    const before = await snapshot();
    const callback = await goToProvider(person, idp);
    const query = new URLSearchParams([["idp", idp.id], ...callback.searchParams]);
    expect((await person.open(`${ACCOUNT}/links/callback?${query}`)).status).toBe(422);
    const stranger = await person.open(`/ui/sign-in/unknown/idp?app=account&${query}`);
    expect(stranger.status).not.toBe(200);
    expect(await snapshot()).toEqual(before);
    // Another browser of the same person has another session, and no cookie of the attempt.
    const { person: other } = await newManager();
    expect((await other.open(callback)).status).toBe(422);
    expect((await person.open(callback)).status).toBe(200);
    expect(await snapshot()).toEqual({
      ...before,
      users: expect.anything(),
      sessions: expect.anything(),
      events: expect.anything(),
    });
  });

  test("begins with settings only", async () => {
    const { id } = await call(service, "AddProviderDraft", { name: "Corp", type: "PROVIDER_TYPE_OAUTH" });
    const { person } = await newManager();
    const page = await open(person, { id: String(id) });
    expect(textOf(page)).toContain("The provider has no settings yet.");
    expect(page.text).not.toContain("<form");
  });

  test("shows the assertion of a SAML provider, whose URLs are served before it is offered", async () => {
    const saml = await startSamlProvider();
    saml.now = () => service.clock();
    saml.user = { nameId: "grace-1", format: PERSISTENT, attributes: { mail: "grace@example.com" } };
    const metadataXml = Buffer.from(saml.metadata({})).toString("base64");
    const { id: added } = await call(service, "AddProviderDraft", { name: "Corp", type: "PROVIDER_TYPE_SAML" });
    const id = String(added);
    const { person } = await newManager();
    const metadata = await person.open(`/ui/idps/${id}/saml/metadata`);
    expect(metadata.text).toContain(`/ui/idps/${id}/saml/acs`);
    await call(service, "UpdateSAMLProvider", { id, name: "Corp", metadataXml });
    const sent = (await person.submit(await open(person, { id }), {})).url.searchParams;
    const xml = readRequest(sent, false);
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? "";
    const audience = /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? "";
    const request = { id: attribute("ID"), audience, acsUrl: attribute("AssertionConsumerServiceURL") };
    const fields = { RelayState: sent.get("RelayState") ?? "", SAMLResponse: await respond(saml, request) };
    const result = textOf(await person.post(request.acsUrl, fields));
    expect(result).toContain("As it came: assertion NameID grace-1");
    expect(result).toContain("Email address grace@example.com (not verified)");
    await saml.close();
  });
});
