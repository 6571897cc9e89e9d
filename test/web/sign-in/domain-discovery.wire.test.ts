import type { JsonObject } from "@bufbuild/protobuf";
import * as client from "openid-client";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  registerIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { isDone, newSub } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const OTHER_PASSWORD = "difference engine no. 2";
const ALL = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
};
const TITLE = "Sign in to Almanac";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let service: TestService;
let app: RelyingParty;
let acmeId: string;
let count = 0;
beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  service.stopClock();
  for (const secret of [PASSWORD, OTHER_PASSWORD]) service.secret(secret);
  app = await createRelyingParty(service, { name: "Almanac", owner_id: service.instanceId });
  acmeId = await service.createOrg("Acme");
  await addDomain(acmeId, "acme.example");
});
beforeEach(async () => {
  await service.db.deleteFrom("login_policies").execute();
  await setPolicy({ allowDomainDiscovery: true });
});
afterAll(() => service?.close());

const setPolicy = (changes: JsonObject) => call(service, "UpdateLoginPolicy", { ...ALL, ...changes });

async function addDomain(orgId: string, name: string, verified_at: Date | null = new Date()) {
  const now = new Date();
  const row = { org_id: orgId, name, sequence: 1n, created_at: now, changed_at: now, verified_at };
  await service.db.insertInto("org_domains").values(row).execute();
}

/** Imports a user of an organization with a verified address. */
async function newUser(orgId: string, domain: string, password = PASSWORD, fields: JsonObject = {}) {
  const userName = `person-${++count}`;
  const email = `${userName}@${domain}`;
  const request = {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email, isEmailVerified: true },
    password,
    ...fields,
  };
  const { userId } = await call(service, "ImportHumanUser", request, { "x-service-orgid": orgId });
  return { userName, email, userId: String(userId) };
}

async function open(parameters: Record<string, string> = {}, of = app, person: Person = createPerson(service)) {
  const request = createRequest(of, parameters);
  return { person, request, page: await person.open(request.url) };
}

/** Enters an identifier on the first page. */
async function identify(username: string, parameters: Record<string, string> = {}) {
  const opened = await open(parameters);
  expect(opened.page.text).not.toMatch(/name="password"|data-options/);
  return { ...opened, first: opened.page, page: await opened.person.submit(opened.page, { username }) };
}

const subOf = async (request: Parameters<typeof redeem>[3], url: URL) =>
  (await redeem(service, app, url, request)).claims()?.sub;

test("the domain of an address leads to its organization, where the person signs in", async () => {
  const { email, userName, userId } = await newUser(acmeId, "acme.example");
  const { person, request, first, page } = await identify(email.replace("acme", "ACME"));
  expect(first.title).toBe(TITLE);
  expect([page.status, page.title]).toEqual([200, TITLE]);
  expect(page.text).toContain('<p class="brand">Acme</p>');
  expect(page.text).toContain(`value="${email.replace("acme", "ACME")}"`);
  const { url } = await person.submit(page, { username: userName, password: PASSWORD });
  expect(await subOf(request, url)).toBe(userId);

  // The same session is used for the next request, and only for the same user if one is required.
  const again = createRequest(app);
  expect(await subOf(again, (await person.open(again.url)).url)).toBe(userId);
  const repeated = createRequest(app, { prompt: "login" });
  const asked = await person.open(repeated.url);
  expect(asked.text).toContain('<p class="brand">Acme</p>');
  expect(asked.text).toContain('name="password"');
  const done = await person.submit(asked, { username: userName, password: PASSWORD });
  expect(await subOf(repeated, done.url)).toBe(userId);
});

describe("a provider of the organization", () => {
  const ONLY_PROVIDERS = { allowUsernamePassword: false, passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED" };
  let orgs = 0;

  /** An organization with a verified domain. */
  async function newOrg() {
    const domain = `only-${++orgs}.example`;
    const orgId = await service.createOrg(`Only ${orgs}`);
    await addDomain(orgId, domain);
    return { orgId, address: `jane@${domain}` };
  }

  test("gets what was entered as login_hint, and is opened at once if it is the only way", async () => {
    const { orgId, address } = await newOrg();
    const idp = await registerIdp(service, providers, { orgId, account: { sub: newSub() } });
    const several = await identify(address);
    expect(several.page.title).toBe(TITLE);
    expect((await chooseIdp(several.person, several.page, idp)).url.searchParams.get("login_hint")).toBe(address);
    await setPolicy({ allowDomainDiscovery: true, ...ONLY_PROVIDERS });
    const { person, page } = await identify(address);
    expect([page.url.origin, page.url.searchParams.get("login_hint")]).toEqual([providers.origin, address]);
    // A person who comes back finds the page.
    const back = await person.open((await identifiedPath(address, person)).replaceAll("&amp;", "&"));
    expect([back.status, back.title]).toEqual([200, TITLE]);
    expect(back.text).toContain(`value="${idp.id}"`);
  });

  /** The path of a sign-in whose browser was redirected to the provider. */
  async function identifiedPath(address: string, person: Person): Promise<string> {
    const { page } = await open({}, app, person);
    await person.submit(page, { username: address });
    return (/<form [^>]*action="([^"]*)"/.exec(page.text)?.[1] ?? "").replace("/identify", "");
  }

  test("is not opened at once if the policy says so", async () => {
    const { orgId, address } = await newOrg();
    const idp = await registerIdp(service, providers, { orgId });
    await setPolicy({ allowDomainDiscovery: true, ...ONLY_PROVIDERS, redirectToOnlyIdp: false });
    const { page } = await identify(address);
    expect(page.title).toBe(TITLE);
    expect(page.text).toContain(`value="${idp.id}"`);
  });

  test("is not opened at once if there are several", async () => {
    const { orgId, address } = await newOrg();
    await registerIdp(service, providers, { orgId });
    await registerIdp(service, providers, { orgId });
    await setPolicy({ allowDomainDiscovery: true, ...ONLY_PROVIDERS });
    expect((await identify(address)).page.title).toBe(TITLE);
  });

  test("is opened at once if idp_hint has its id or name, and comes back to the page after a failure", async () => {
    const { orgId } = await newOrg();
    const scope = `openid urn:signet:org:id:${orgId}`;
    const idp = await registerIdp(service, providers, { orgId, account: { sub: newSub() } });
    const foreign = await registerIdp(service, providers, { orgId: (await newOrg()).orgId });
    for (const hint of [idp.id, idp.id.toUpperCase(), idp.name.toUpperCase()]) {
      const { person, page } = await open({ scope, idp_hint: hint, login_hint: "jane" });
      expect([hint, page.url.href.startsWith(idp.issuer)]).toEqual([hint, true]);
      expect(page.url.searchParams.get("login_hint")).toBe("jane");
      await idp.behave({ declines: true, asks: true });
      const declined = new URL(page.url.searchParams.get("redirect_uri") ?? "");
      declined.search = new URLSearchParams({
        ...{ error: "access_denied", state: page.url.searchParams.get("state") ?? "", iss: idp.issuer },
      }).toString();
      const back = await person.open(declined);
      expect([back.status, back.alert]).toEqual([422, `The sign-in with ${idp.name} was canceled or declined.`]);
      expect(back.text).toContain('name="password"');
    }
    for (const hint of [foreign.id, "nobody", ""]) {
      expect([hint, (await open({ scope, idp_hint: hint })).page.title]).toEqual([hint, TITLE]);
    }
  });
});

test("anything else leads to the default organization", async () => {
  const { userName, email, userId } = await newUser(service.orgId, "elsewhere.example");
  for (const entered of [userName, email]) {
    const { person, request, page } = await identify(entered);
    expect(page.text).not.toContain("Acme");
    const { url } = await person.submit(page, { username: entered, password: PASSWORD });
    expect(await subOf(request, url)).toBe(userId);
  }
  for (const entered of ["x@unknown.example", "@", "a@b", "x@acme.example.", "x@acme.example/", "ACME.example"]) {
    const { page } = await identify(entered);
    expect([entered, page.title, page.text.includes("Acme")]).toEqual([entered, TITLE, entered.endsWith(".")]);
  }
});

test("the page is the same whether or not there is a user", async () => {
  const { email } = await newUser(acmeId, "acme.example");
  const texts: string[] = [];
  for (const entered of [email, "nobody@acme.example"]) {
    const { page } = await identify(entered);
    const id = /sign-in\/([\w-]+)/.exec(String(page.url))?.[1] ?? "";
    const text = page.text
      .replaceAll(entered, "ENTERED")
      .replaceAll(id, "ID")
      .replaceAll(/challenge[^,]*,/g, "");
    texts.push(text.replaceAll(/(name="token" value=)"[^"]*"/g, "$1"));
  }
  expect(texts[0]).toBe(texts[1]);
});

test("a password is verified for users of one organization only", async () => {
  const userName = `twin-${++count}`;
  const email = { email: `${userName}@acme.example`, isEmailVerified: true };
  await importAda(service, { userName, email, password: PASSWORD });
  const profile = { firstName: "Ada", lastName: "Lovelace" };
  const other = { userName, profile, email, password: OTHER_PASSWORD };
  await call(service, "ImportHumanUser", other, { "x-service-orgid": acmeId });
  for (const [entered, right, wrong] of [
    [userName, PASSWORD, OTHER_PASSWORD],
    [email.email, OTHER_PASSWORD, PASSWORD],
  ] as const) {
    const { person, page } = await identify(entered);
    const refused = await person.submit(page, { username: entered, password: wrong });
    expect([refused.status, refused.title]).toEqual([422, TITLE]);
    expect(isDone(await person.submit(refused, { username: entered, password: right }))).toBe(true);
  }
});

test("the person can enter another address, and no other step comes before", async () => {
  const { email } = await newUser(acmeId, "acme.example");
  const { userName } = await newUser(service.orgId, "elsewhere.example");
  const { person, page } = await open();
  for (const path of ["", "/forgotten", "/passkey", "/register"]) {
    const action = String(page.url).replace("?", `${path}?`);
    const pressed = { ...page, text: page.text.replace(/ action="[^"]*"/, ` action="${action}"`) };
    const answer = await person.submit(pressed, { username: "", password: PASSWORD });
    expect([path, answer.text.includes('name="password"')]).toEqual([path, false]);
  }
  expect((await person.open(String(page.url).replace("?", "/forgotten?"))).text).not.toContain("new password");
  const ofAcme = await person.submit(page, { username: email });
  const other = { ...ofAcme, text: ofAcme.text.replace(/ action="[^"]*"/, ` action="${identifyPath(ofAcme)}"`) };
  const asked = await person.submit(other, { username: email, do: "other" });
  expect(asked.text).not.toMatch(/name="password"|Acme/);
  const ofDefault = await person.submit(asked, { username: userName });
  expect(ofDefault.text).not.toContain("Acme");
  expect(isDone(await person.submit(ofDefault, { username: userName, password: PASSWORD }))).toBe(true);
});

test("whoever has authenticated starts again in another organization", async () => {
  const { userName, email, userId } = await newUser(acmeId, "acme.example");
  await service.db.updateTable("users").set({ password_change_required: true }).where("id", "=", userId).execute();
  const { person, page } = await identify(email);
  const gate = await person.submit(page, { username: userName, password: PASSWORD });
  expect(gate.title).toBe("Choose a new password");
  await person.post(identifyPath(page), { token: tokenOf(gate), username: "x@unknown.example" });
  const refused = await person.submit(gate, { password: OTHER_PASSWORD, repeat: OTHER_PASSWORD });
  expect(refused.text).toContain("This page was open for too long.");
  const row = await service.db.selectFrom("users").select("password_change_required").where("id", "=", userId);
  expect(await row.executeTakeFirst()).toEqual({ password_change_required: true });
});

test("an organization whose domain is not verified, or whose policy forbids it, is not found", async () => {
  const orgId = await service.createOrg("Umbrella");
  await addDomain(orgId, "unverified.example", null);
  await addDomain(orgId, "umbrella.example");
  expect((await identify("x@unverified.example")).page.text).not.toContain("Umbrella");
  expect((await identify("x@umbrella.example")).page.text).toContain("Umbrella");
  await call(service, "AddCustomLoginPolicy", ALL, { "x-service-orgid": orgId });
  expect((await identify("x@umbrella.example")).page.text).not.toContain("Umbrella");
});

test("the domain of a deactivated organization leads to the default organization, until it is reactivated", async () => {
  const orgId = await service.createOrg("Hooli");
  await addDomain(orgId, "hooli.example");
  await call(service, "DeactivateOrg", {}, { "x-service-orgid": orgId });
  const { person, page } = await identify("x@hooli.example");
  expect([page.status, page.title, page.text.includes("Hooli")]).toEqual([200, TITLE, false]);
  // The person can still enter another address.
  const other = { ...page, text: page.text.replace(/ action="[^"]*"/, ` action="${identifyPath(page)}"`) };
  const asked = await person.submit(other, { username: "x@hooli.example", do: "other" });
  expect((await person.submit(asked, { username: "x@acme.example" })).text).toContain('<p class="brand">Acme</p>');
  await call(service, "ReactivateOrg", {}, { "x-service-orgid": orgId });
  expect((await identify("x@hooli.example")).page.text).toContain("Hooli");
});

test("the policy of the organization that was found holds", async () => {
  const orgId = await service.createOrg("Initech");
  await addDomain(orgId, "initech.example");
  const policy = { allowDomainDiscovery: true, passwordlessType: ALL.passwordlessType };
  await call(service, "AddCustomLoginPolicy", policy, { "x-service-orgid": orgId });
  const { page } = await identify("x@initech.example");
  expect(page.text).toContain("Initech");
  expect(page.text).not.toContain('name="password"');
});

test("without the policy, for an organization's application or its scope, nobody is asked", async () => {
  const ofOrg = await createRelyingParty(service, { name: "Almanac" });
  const scope = `openid urn:signet:org:id:${acmeId}`;
  expect((await open({}, ofOrg)).page.text).toContain('name="password"');
  expect((await open({ signet_org_open: "true" }, ofOrg)).page.text).toContain('name="password"');
  const scoped = await open({ scope, signet_org_open: "true" });
  expect(scoped.page.text).toContain('name="password"');
  // Nor can the organization be changed by hand.
  const identifying = { token: tokenOf(scoped.page), username: "x@unknown.example" };
  expect((await scoped.person.post(identifyPath(scoped.page), identifying)).text).toContain("Acme");
  await setPolicy({});
  expect((await open({ signet_org_open: "true" })).page.text).toContain('name="password"');
});

test("cancel returns to the application, and a suggested identifier is filled in", async () => {
  const { person, page } = await open({ login_hint: "ada@acme.example" });
  expect(page.text).toContain('value="ada@acme.example"');
  const { url } = await person.submit(page, { username: "", do: "cancel" });
  expect(url.searchParams.get("error")).toBe("access_denied");
});

test("the providers of the organization appear once its domain is entered, and sign its users in", async () => {
  const sub = newSub();
  const idp = await registerIdp(service, providers, { orgId: acmeId, account: { sub } });
  // The pages cache the providers of an organization for a few seconds.
  service.clockOffsetMs += 6_000;
  const idps = [{ configId: idp.id, externalUserId: sub, displayName: "ada@other" }];
  const { email, userId } = await newUser(acmeId, "acme.example", PASSWORD, { idps });
  expect((await identify("x@unknown.example")).page.text).not.toContain(idp.name);
  const { person, request, first, page } = await identify(email);
  expect(first.text).not.toContain(idp.name);
  expect(page.text).toContain(`Sign in with ${idp.name}`);
  const { url } = await signInAtIdp(person, page, idp);
  expect(await subOf(request, url)).toBe(userId);
});

test("the domain chooses the organization of a device's user", async () => {
  const device = await createRelyingParty(service, {
    name: "Television",
    owner_id: service.instanceId,
    type: "native",
    auth_method: "none",
    redirect_uris: [],
    grant_types: [DEVICE_GRANT],
  });
  const { email, userName, userId } = await newUser(acmeId, "acme.example");
  const person = createPerson(service);
  const begin = async (parameters: Record<string, string> = {}) => {
    const code = await client.initiateDeviceAuthorization(device.configuration, { scope: "openid", ...parameters });
    service.secret(code.device_code);
    return code;
  };
  const enter = async (visitor: Person, userCode: string) => {
    const asked = await visitor.submit(await visitor.open("/ui/device"), { user_code: userCode });
    return visitor.submit(asked, { confirm: "yes" });
  };
  const subjectOf = async (deviceCode: string) => {
    const form = { client_id: device.id, grant_type: DEVICE_GRANT, device_code: deviceCode };
    const response = await fetch(`${service.origin}/oauth/v2/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    const { id_token: token = "" } = (await response.json()) as { id_token?: string };
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString() || "{}").sub;
  };

  const code = await begin();
  const first = await enter(person, code.user_code);
  expect(first.title).toBe("Sign in to Television");
  expect(first.text).not.toContain('name="password"');
  const page = await person.submit(first, { username: email });
  expect(page.text).toContain('<p class="brand">Acme</p>');
  expect((await person.submit(page, { username: userName, password: PASSWORD })).title).toBe("The device is signed in");
  expect(await subjectOf(code.device_code)).toBe(userId);

  // The session is used for the next device.
  const next = await begin();
  expect((await enter(person, next.user_code)).title).toBe("The device is signed in");
  expect(await subjectOf(next.device_code)).toBe(userId);

  // Nobody is asked if the scope names the organization.
  const scoped = await begin({ scope: `openid urn:signet:org:id:${service.orgId}`, signet_org_open: "true" });
  const asked = await enter(createPerson(service), scoped.user_code);
  expect(asked.text).toContain('name="password"');
  expect(asked.text).not.toContain("Acme");
});

test("the account page asks too", async () => {
  const { userName, email } = await newUser(acmeId, "acme.example");
  const person = createPerson(service);
  const page = await person.submit(await person.open("/ui/account"), { username: email });
  expect(page.text).toContain("Acme");
  expect((await person.submit(page, { username: userName, password: PASSWORD })).title).toBe("Your account");
});

function identifyPath({ url }: Page): string {
  return String(url).replace(/\/ui\/sign-in\/([\w-]+).*\?app=([^&]*).*$/, "/ui/sign-in/$1/identify?app=$2");
}

function tokenOf({ text }: Page): string {
  return /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
}
