import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { chooseIdp } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { OTHER_SAML_KEY } from "../../support/saml/metadata.ts";
import {
  PERSISTENT,
  readRequest,
  respond,
  type SamlProvider,
  startSamlProvider,
} from "../../support/saml/saml-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";
import { bring, createUnsolicited } from "./unsolicited-scene.ts";

const ACCOUNT = "/ui/account";
const START = "https://app.example.com/start";
const POLICY = { allowUsernamePassword: true, allowExternalIdp: true, passwordlessType: "PASSWORDLESS_TYPE_ALLOWED" };

let saml: SamlProvider;
beforeAll(async () => {
  saml = await startSamlProvider();
});
afterAll(() => saml?.close());

let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  saml.now = () => service.clock();
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(() => service?.close());

let count = 0;
const userOptions = { isLinkingAllowed: true, isCreationAllowed: true };

/** A provider of the instance, and a user who is linked to it and comes from there next. */
async function newProvider(fields: object = { allowIdpInitiated: true }) {
  const name = `${9_999 - ++count} Portal`;
  const metadataXml = Buffer.from(saml.metadata()).toString("base64");
  const request = { name, metadataXml, providerOptions: userOptions, ...fields };
  const { id: added } = await call(service, "AdminService.AddSAMLProvider", JSON.parse(JSON.stringify(request)));
  const [id, nameId, userName] = [String(added), `grace-${count}`, `grace-user-${count}`];
  const userId = await importAda(service, {
    ...{ ...VERIFIED, userName, idps: [{ configId: id, externalUserId: nameId }] },
  });
  setUser(nameId);
  return { id, name, nameId, userName, userId, request };
}

function setUser(nameId: string) {
  saml.user = { nameId, format: PERSISTENT, attributes: { displayName: "Grace Hopper" } };
}

const create = (idp: { id: string }, options?: Parameters<typeof respond>[2]) =>
  createUnsolicited(service, saml, idp.id, options);
const post = (person: Person, idp: { id: string }, SAMLResponse: string, more = {}) =>
  bring(service, saml, person, idp.id, { SAMLResponse, ...more });
/** Comes from the provider, and reads the page that asks. */
const come = async (person: Person, idp: { id: string }) => post(person, idp, await create(idp));
/** The page of the account; undefined if nobody is signed in. */
async function accountOf(person: Person): Promise<string | undefined> {
  const page = await person.open(ACCOUNT);
  return page.url.pathname === ACCOUNT ? page.text : undefined;
}
const isFromHere = (page: Page, path: string) => page.url.href.startsWith(new URL(path, service.config.publicUrl).href);
const logged = () => JSON.stringify(service.logs.slice(-5));

test("a person who comes from the provider is asked, and then signed in", async () => {
  const idp = await newProvider();
  const person = createPerson(service);
  const asked = await come(person, idp);
  expect([asked.status, asked.title]).toEqual([200, `Sign in with ${idp.name}?`]);
  expect(asked.text).toContain(`<dd>${idp.userName}</dd>`);
  expect(asked.text).toContain("<dd>Grace Hopper</dd>");
  expect(asked.text).not.toContain(idp.nameId);
  expect(await accountOf(person)).toBeUndefined();
  const done = await person.submit(await person.open(asked.url), {});
  expect(isFromHere(done, ACCOUNT)).toBe(true);
  expect(done.text).toContain(idp.userName);
  // The session is that of any other sign-in with the provider.
  const request = createRequest(app);
  const { url } = await person.open(request.url);
  expect((await redeem(service, app, url, request)).claims()).toMatchObject({ sub: idp.userId, amr: ["fed"] });
  // Only the id of the assertion is left.
  const rows = await service.db.selectFrom("idp_attempts").selectAll().where("idp_id", "=", idp.id).execute();
  expect(rows).toMatchObject([{ response: null, origin: null }]);
});

test("the sign-in leads where the login policy says, and never where the RelayState says", async () => {
  const idp = await newProvider();
  const RelayState = "https://evil.example.com/";
  const first = createPerson(service);
  const asked = await post(first, idp, await create(idp), { RelayState });
  expect(isFromHere(await first.submit(asked, {}), ACCOUNT)).toBe(true);
  await call(service, "AddCustomLoginPolicy", { ...POLICY, defaultRedirectUri: START });
  const second = createPerson(service);
  const again = await post(second, idp, await create(idp), { RelayState });
  expect((await second.submit(again, {})).url.href).toBe(START);
  expect(await accountOf(second)).toContain(idp.userName);
  await call(service, "ResetLoginPolicyToDefault", {});
});

describe("a response is refused", () => {
  test("unless the provider is configured so", async () => {
    for (const fields of [{}, { allowIdpInitiated: false }]) {
      const idp = await newProvider(fields);
      const person = createPerson(service);
      expect((await come(person, idp)).status).toBe(410);
      expect((await person.open(`/ui/idps/${idp.id}/saml/continue`)).status).toBe(410);
      expect(await accountOf(person)).toBeUndefined();
    }
  });

  test("a second time, whether the person has continued or not (replay)", async () => {
    const idp = await newProvider();
    const [response, person] = [await create(idp), createPerson(service)];
    const asked = await post(person, idp, response);
    expect((await post(createPerson(service), idp, response)).status).toBe(410);
    expect(isFromHere(await person.submit(asked, {}), ACCOUNT)).toBe(true);
    for (const other of [person, createPerson(service)]) expect((await post(other, idp, response)).status).toBe(410);
    // It also is once it is as old as it may be.
    service.clockOffsetMs += 5 * 60_000;
    expect((await post(createPerson(service), idp, response)).status).toBe(410);
  });

  test.each([
    ["signed by another key", { key: OTHER_SAML_KEY }, "could not be verified"],
    [
      "for another audience",
      { edit: (xml: string) => xml.replace(/<saml:Audience>.*?</, "<saml:Audience>x<") },
      "audience mismatch",
    ],
    [
      "for another recipient",
      { edit: (xml: string) => xml.replace(/Recipient="[^"]*"/, 'Recipient="https://other.example.com/acs"') },
      "not confirmed",
    ],
    [
      "that has expired",
      { edit: (xml: string) => xml.replaceAll(/NotOnOrAfter="20\d\d/g, 'NotOnOrAfter="2020') },
      "not confirmed",
    ],
    [
      "that was issued long ago",
      { edit: (xml: string) => xml.replaceAll(/IssueInstant="20\d\d/g, 'IssueInstant="2020') },
      "not issued just now",
    ],
    [
      "to a request",
      { edit: (xml: string) => xml.replace("Version=", 'InResponseTo="_request" Version=') },
      "answers another request",
    ],
  ])("%s, and the log says why", async (_title, options, why) => {
    const idp = await newProvider();
    const person = createPerson(service);
    const page = await post(person, idp, await create(idp, options));
    expect([page.status, page.title]).toEqual([502, `The sign-in with ${idp.name} failed`]);
    expect(logged()).toContain(why);
    expect(await accountOf(person)).toBeUndefined();
  });

  test("of another provider (mix-up)", async () => {
    const [other, idp] = [await newProvider(), await newProvider()];
    expect((await post(createPerson(service), other, await create(idp))).status).toBe(502);
  });
});

describe("a browser that another site has sent here (login CSRF)", () => {
  test("is not signed in before the person continues, not even by a sign-in that follows", async () => {
    const idp = await newProvider();
    const victim = createPerson(service);
    await come(victim, idp);
    expect((await victim.open(ACCOUNT)).title).toMatch(/^Sign in to/);
    expect(await accountOf(victim)).toBeUndefined();
  });

  test("cannot be made to continue by that site", async () => {
    const idp = await newProvider();
    const victim = createPerson(service);
    const asked = await come(victim, idp);
    const token = /name="token" value="([^"]*)"/.exec(asked.text)?.[1] ?? "";
    const foreign = await victim.browser.open(asked.url.href, {
      method: "POST",
      headers: { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ token }),
    });
    expect(foreign.status).toBe(403);
    // The token of the attacker's own page, and none.
    const attacker = createPerson(service);
    const own = await come(attacker, idp);
    const ownToken = /name="token" value="([^"]*)"/.exec(own.text)?.[1] ?? "";
    for (const wrong of [ownToken, ""]) {
      expect((await victim.post(asked.url, { token: wrong })).status).toBe(410);
    }
    // The victim's own page in another browser.
    expect((await createPerson(service).submit(asked, {})).status).toBe(410);
    expect(await accountOf(victim)).toBeUndefined();
  });

  test("in which another user is signed in says so, and that session ends", async () => {
    const [first, second] = [await newProvider(), await newProvider()];
    const person = createPerson(service);
    setUser(first.nameId);
    const asked = await come(person, first);
    expect(asked.text).not.toContain("Someone else is signed in");
    await person.submit(asked, {});
    const own = await come(person, first);
    expect(own.text).not.toContain("Someone else is signed in");
    setUser(second.nameId);
    const other = await come(person, second);
    expect(other.text).toContain("Someone else is signed in");
    expect(await accountOf(person)).toContain(first.userName);
    expect((await person.submit(other, {})).text).toContain(second.userName);
    expect(await accountOf(person)).not.toContain(first.userName);
  });
});

test("a person who is not linked can register, but not link an account", async () => {
  const idp = await newProvider();
  setUser("unknown");
  const person = createPerson(service);
  const asked = await come(person, idp);
  expect(asked.text).toContain("<dd>unknown</dd>");
  const unknown = await person.submit(asked, {});
  expect(unknown.title).toBe("Account not linked yet");
  expect(unknown.text).not.toContain("I have an account");
  const linking = await person.submit(unknown, { do: "to-link" });
  expect(linking.title).toBe("Account not linked yet");
  const form = await person.submit(linking, { do: "to-register" });
  expect(form.title).toBe("Create your account");
  expect(form.text).not.toContain("I have an account");
});

test.each([
  ["was changed", { allowIdpInitiated: true }, 422],
  ["no longer allows it", { allowIdpInitiated: false }, 410],
  ["was removed", undefined, 410],
])("a provider that %s since then confirms nobody", async (_change, fields, status) => {
  const idp = await newProvider();
  const person = createPerson(service);
  const asked = await come(person, idp);
  const { id, request } = idp;
  if (fields === undefined) await call(service, "AdminService.DeleteProvider", { id });
  else await call(service, "AdminService.UpdateSAMLProvider", { id, ...request, name: `${idp.name} 2`, ...fields });
  expect((await person.submit(asked, {})).status).toBe(status);
  expect(await accountOf(person)).toBeUndefined();
});

test("the page waits for ten minutes", async () => {
  const idp = await newProvider();
  const [early, late] = [createPerson(service), createPerson(service)];
  const asked = [await come(early, idp), await come(late, idp)] as const;
  service.clockOffsetMs += 9 * 60_000;
  expect(isFromHere(await early.submit(asked[0], {}), ACCOUNT)).toBe(true);
  service.clockOffsetMs += 2 * 60_000;
  expect((await late.submit(asked[1], {})).status).toBe(410);
});

test("every gate applies, and a deactivated user cannot sign in", async () => {
  const idp = await newProvider();
  await call(service, "DeactivateUser", { id: idp.userId });
  const person = createPerson(service);
  const page = await person.submit(await come(person, idp), {});
  expect([page.status, page.alert]).toEqual([422, "You cannot sign in with this account."]);
  const unverified = await newProvider();
  await call(service, "UpdateHumanEmail", { userId: unverified.userId, email: `new-${count}@example.com` });
  const other = createPerson(service);
  expect((await other.submit(await come(other, unverified), {})).title).toBe("Confirm your email address");
});

test("a response to a request still works", async () => {
  const idp = await newProvider();
  const { person, page, request } = await scene.open();
  const sent = await chooseIdp(person, page, idp);
  const id = / ID="([^"]*)"/.exec(readRequest(sent.url.searchParams, false))?.[1] ?? "";
  const base = `${service.config.publicUrl}/ui/idps/${idp.id}/saml`;
  const SAMLResponse = await respond(saml, { id, audience: `${base}/metadata`, acsUrl: `${base}/acs` });
  const RelayState = sent.url.searchParams.get("RelayState") ?? "";
  const done = await post(person, idp, SAMLResponse, { RelayState });
  expect(isDone(done)).toBe(true);
  expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(idp.userId);
  // One without a request does not complete it.
  const again = await scene.open();
  const state = (await chooseIdp(again.person, again.page, idp)).url.searchParams.get("RelayState") ?? "";
  expect(isDone(await post(again.person, idp, await create(idp), { RelayState: state }))).toBe(false);
  expect(logged()).toContain("answers another request");
});
