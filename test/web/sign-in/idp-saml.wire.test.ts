import { createVerify } from "node:crypto";
import { readSigningKey } from "../../../src/idps/saml/signing-key.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { chooseIdp } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { bare, OTHER_SAML_KEY, samlMetadata } from "../../support/saml/metadata.ts";
import {
  PERSISTENT,
  readRequest,
  respond,
  type SamlProvider,
  startSamlProvider,
  toRefusal,
} from "../../support/saml/saml-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

let saml: SamlProvider;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  saml = await startSamlProvider();
  service = await startService("postgres", VISITED);
  saml.now = () => service.clock();
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(async () => {
  await service?.close();
  await saml?.close();
});

const logged = () => JSON.stringify(service.logs.slice(-5));

let count = 0;
const ALL = { isLinkingAllowed: true, isCreationAllowed: true };

/** A provider of the instance, and a user who is linked to it and signs in there next. */
async function newProvider(fields: object = {}, metadata: object = {}) {
  const name = `${9_999 - ++count} SAML`;
  const metadataXml = Buffer.from(saml.metadata(metadata)).toString("base64");
  const request = { name, metadataXml, providerOptions: ALL, ...fields };
  const { id: added } = await call(service, "AdminService.AddSAMLProvider", JSON.parse(JSON.stringify(request)));
  const [id, nameId] = [String(added), `grace-${count}`];
  const userId = await importAda(service, { ...VERIFIED, idps: [{ configId: id, externalUserId: nameId }] });
  saml.user = { nameId, format: PERSISTENT, attributes: {} };
  return { id, userId, nameId, name };
}

interface Started {
  readonly person: Person;
  readonly idp: { readonly id: string };
  readonly request: { readonly id: string; readonly audience: string; readonly acsUrl: string };
  readonly relayState: string;
  readonly fields: URLSearchParams;
  readonly xml: string;
  readonly signIn: Awaited<ReturnType<IdpScene["open"]>>;
}

/** Chooses the provider, and reads the request. */
async function start(idp: { id: string }, parameters = {}): Promise<Started> {
  const signIn = await scene.open({ parameters });
  const { person, page } = signIn;
  const sent = await chooseIdp(person, page, idp);
  const isPost = sent.text.includes("SAMLRequest");
  const inputs = [...sent.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, n = "", value = ""]) => [n, value]);
  const fields = isPost ? new URLSearchParams(inputs) : sent.url.searchParams;
  const xml = readRequest(fields, isPost);
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? "";
  const audience = /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? "";
  const request = { id: attribute("ID"), audience, acsUrl: attribute("AssertionConsumerServiceURL") };
  return { person, idp, request, relayState: fields.get("RelayState") ?? "", fields, xml, signIn };
}

/** Posts a response from the provider's site, which sends no cookies, and follows the redirect with them. */
async function post(person: Person, acsUrl: string, form: Record<string, string>): Promise<Page> {
  const response = await fetch(service.origin + new URL(acsUrl).pathname, {
    method: "POST",
    redirect: "manual",
    headers: { origin: saml.origin, "sec-fetch-site": "cross-site", "x-forwarded-for": "10.9.9.9" },
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  const location = response.headers.get("location");
  if (location === null) return { ...(await person.open("/ui/saml-form.js")), text, status: response.status };
  return person.open(new URL(location, service.config.publicUrl));
}

const finish = async ({ person, request, relayState }: Started, options?: Parameters<typeof respond>[2]) =>
  post(person, request.acsUrl, { RelayState: relayState, SAMLResponse: await respond(saml, request, options) });

describe("the request", () => {
  test("by a redirect names Signet, and is signed with the key in the metadata", async () => {
    const idp = await newProvider({ withSignedRequest: true });
    const { xml, fields, request } = await start(idp);
    const base = `${service.config.publicUrl}/ui/idps/${idp.id}/saml`;
    expect(request).toMatchObject({ audience: `${base}/metadata`, acsUrl: `${base}/acs` });
    expect(xml).toContain(`Destination="${saml.origin}/redirect"`);
    expect(xml).not.toMatch(/ForceAuthn|RequestedAuthnContext/);
    expect(fields.get("SigAlg")).toBe("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
    const names = ["SAMLRequest", "RelayState", "SigAlg"] as const;
    const signed = names.map((name) => `${name}=${encodeURIComponent(fields.get(name) ?? "")}`).join("&");
    const metadata = await (await fetch(`${service.origin}/ui/idps/${idp.id}/saml/metadata`)).text();
    const [, certificate = ""] = /<ds:X509Certificate>([^<]*)</.exec(metadata) ?? [];
    const pem = `-----BEGIN CERTIFICATE-----\n${bare(certificate)}\n-----END CERTIFICATE-----\n`;
    const verifies = (text: string) =>
      createVerify("sha256")
        .update(text)
        .verify(pem, fields.get("Signature") ?? "", "base64");
    expect([verifies(signed), verifies(`${signed}x`)]).toEqual([true, false]);
  });

  test("by a form is signed within", async () => {
    const { xml } = await start(await newProvider({ withSignedRequest: true, binding: "SAML_BINDING_POST" }));
    expect(xml).toContain(`Destination="${saml.origin}/post"`);
    expect(xml).toContain("xmldsig-more#rsa-sha256");
    const plain = await start(await newProvider({ binding: "SAML_BINDING_POST" }));
    expect(plain.xml).not.toContain("Signature");
  });

  test.each(["REDIRECT", "POST"])("by %s has a RelayState of at most 80 bytes", async (binding) => {
    const { relayState } = await start(await newProvider({ binding: `SAML_BINDING_${binding}` }));
    expect(relayState).toMatch(/^[\w-]{43}$/);
  });

  test("uses the binding that the metadata have", async () => {
    expect((await start(await newProvider({}, { redirect: "" }))).xml).toContain(`${saml.origin}/post`);
    expect((await start(await newProvider({}, { post: "" }))).xml).toContain(`${saml.origin}/redirect`);
  });

  test.each([
    ["UNSPECIFIED", "1.1:nameid-format:unspecified"],
    ["EMAIL_ADDRESS", "1.1:nameid-format:emailAddress"],
    ["PERSISTENT", "2.0:nameid-format:persistent"],
  ])("asks for a name of the format %s", async (format, urn) => {
    const { xml } = await start(await newProvider({ nameIdFormat: `SAML_NAME_ID_FORMAT_${format}` }));
    expect(xml).toContain(`Format="urn:oasis:names:tc:SAML:${urn}"`);
  });

  test.each([{ prompt: "login" }, { max_age: "60" }])("asks for a new authentication with %j", async (parameters) => {
    expect((await start(await newProvider(), parameters)).xml).toContain('ForceAuthn="true"');
  });
});

describe("the metadata of Signet", () => {
  const read = (id: string) => fetch(`${service.origin}/ui/idps/${id}/saml/metadata`);

  test("have its entity, the URL for responses, and no key unless requests are signed", async () => {
    const { id } = await newProvider({ nameIdFormat: "SAML_NAME_ID_FORMAT_PERSISTENT" });
    const response = await read(id);
    expect(response.headers.get("content-type")).toBe("application/samlmetadata+xml");
    const xml = await response.text();
    const base = `${service.config.publicUrl}/ui/idps/${id}/saml`;
    expect(xml).toContain(`entityID="${base}/metadata"`);
    expect(xml).toContain(`Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${base}/acs"`);
    expect(xml).toContain('WantAssertionsSigned="true"');
    expect(xml).toContain("nameid-format:persistent");
    expect(xml).not.toMatch(/KeyDescriptor|PRIVATE/);
    const signed = await (await read((await newProvider({ withSignedRequest: true })).id)).text();
    expect(signed).toContain('AuthnRequestsSigned="true"');
    expect(signed).not.toContain("PRIVATE");
  });

  test("are only those of a SAML provider, also before it is active", async () => {
    const { id } = await newProvider();
    const oidc = await call(service, "AddOIDCIDP", {
      name: "a",
      clientId: "a",
      clientSecret: "b",
      issuer: saml.origin,
    });
    expect((await read(String(oidc.idpId))).status).toBe(404);
    expect((await read(service.orgId)).status).toBe(404);
    await call(service, "DeactivateIDP", { idpId: id });
    expect((await read(id)).status).toBe(200);
  });
});

test.each(["assertion", "message"] as const)("a linked user signs in with a signed %s", async (signs) => {
  const idp = await newProvider();
  const started = await start(idp);
  const done = await finish(started, { signs });
  expect((await redeem(service, app, done.url, started.signIn.request)).claims()?.sub).toBe(idp.userId);
  // The attempt, and the response with it, is gone.
  const left = service.db.selectFrom("idp_attempts").selectAll().where("idp_id", "=", idp.id);
  expect(await left.execute()).toEqual([]);
});

describe("a response is refused", () => {
  const FAILED = "The sign-in with";

  test("a second time (replay)", async () => {
    const started = await start(await newProvider());
    const response = await respond(saml, started.request);
    const form = { RelayState: started.relayState, SAMLResponse: response };
    expect(isDone(await post(started.person, started.request.acsUrl, form))).toBe(true);
    expect(isDone(await post(started.person, started.request.acsUrl, form))).toBe(false);
    // A sign-in of the same browser that waits for a response does not get it either.
    const again = await start(started.idp);
    const replayed = await post(again.person, again.request.acsUrl, { ...form, RelayState: again.relayState });
    expect([isDone(replayed), replayed.title.startsWith(FAILED)]).toEqual([false, true]);
    expect(logged()).toContain("the response answers another request");
  });

  test("of another browser (login CSRF)", async () => {
    const started = await start(await newProvider());
    const victim = { ...started, person: createPerson(service) };
    expect(isDone(await finish(victim))).toBe(false);
  });

  test("after another one, which is not valid", async () => {
    const started = await start(await newProvider());
    const form = { RelayState: started.relayState, SAMLResponse: "AAAA" };
    const page = await post(started.person, started.request.acsUrl, form);
    expect(page.title.startsWith(FAILED)).toBe(true);
    expect(isDone(await finish(started))).toBe(false);
  });

  test("without a request, unless a sign-in may begin at the provider", async () => {
    const { request, person } = await start(await newProvider());
    const edit = (xml: string) => xml.replaceAll(' InResponseTo=""', "");
    const SAMLResponse = await respond(saml, { ...request, id: "" }, { edit });
    for (const RelayState of ["", "https://app.example.com/", "x".repeat(43), "x".repeat(80)]) {
      const page = await post(person, request.acsUrl, { RelayState, SAMLResponse });
      expect(page.status).toBe(410);
    }
  });

  test("after ten minutes, and the user can start again", async () => {
    const started = await start(await newProvider());
    service.clockOffsetMs += 11 * 60_000;
    const page = await finish(started);
    expect([page.status, page.alert]).toEqual([422, expect.stringContaining("took too long")]);
    expect(isDone(await finish(await start(started.idp)))).toBe(true);
  });

  test("at the address of another provider (mix-up)", async () => {
    const other = await newProvider();
    const started = await start(await newProvider());
    const acsUrl = started.request.acsUrl.replace(started.idp.id, other.id);
    const SAMLResponse = await respond(saml, { ...started.request, acsUrl });
    const page = await post(started.person, acsUrl, { RelayState: started.relayState, SAMLResponse });
    expect(page.status).toBe(410);
  });

  test.each([
    ["signed by another key", { key: OTHER_SAML_KEY }, "could not be verified"],
    [
      "for another audience",
      { edit: (xml: string) => xml.replace(/<saml:Audience>.*?</, "<saml:Audience>x<") },
      "audience mismatch",
    ],
    [
      "too old",
      { edit: (xml: string) => xml.replaceAll(/NotOnOrAfter="20\d\d/g, 'NotOnOrAfter="2020') },
      "not confirmed",
    ],
  ])("%s, and the log says why", async (_title, options, why) => {
    const page = await finish(await start(await newProvider()), options);
    expect([isDone(page), page.status, page.title.startsWith(FAILED)]).toEqual([false, 502, true]);
    expect(logged()).toContain(why);
    expect(logged()).not.toContain("grace-");
  });

  test("that says that the user canceled", async () => {
    const idp = await newProvider();
    const page = await finish(await start(idp), { edit: toRefusal });
    expect(page.alert).toBe(`The sign-in with ${idp.name} was canceled or declined.`);
  });

  test("that is too large, and both the page and the log name the provider", async () => {
    const { request, person, relayState, idp } = await start(await newProvider());
    const page = await post(person, request.acsUrl, { RelayState: relayState, SAMLResponse: "A".repeat(2_100_000) });
    expect(page.status).toBe(413);
    expect(page.text).toMatch(/<h1[^>]*>.*The sign-in with \d+ SAML failed<\/h1>/);
    expect(logged()).toContain(`identity provider ${idp.id}: the response is too large`);
  });
});

test("a member of 1,000 groups signs in", async () => {
  const idp = await newProvider();
  saml.user = { ...saml.user, attributes: { memberOf: "GROUPS" } };
  const groups = Array.from(
    { length: 1_000 },
    (_, n) => `CN=Group-${n},OU=Groups,OU=Company,DC=corp,DC=example,DC=com`,
  );
  const edit = (xml: string) => xml.replace("GROUPS", groups.join("</saml:AttributeValue><saml:AttributeValue>"));
  const started = await start(idp);
  const done = await finish(started, { edit });
  expect((await redeem(service, app, done.url, started.signIn.request)).claims()?.sub).toBe(idp.userId);
});

describe("a transient name", () => {
  const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  const fields = { nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT", transientMappingAttributeName: "uid" };
  const withoutName = (xml: string) => xml.replace(/<saml:NameID.*<\/saml:NameID>/, "");

  test("does not name the user, but the configured attribute does", async () => {
    const idp = await newProvider(fields);
    saml.user = { nameId: "once", format: TRANSIENT, attributes: { uid: idp.nameId } };
    const started = await start(idp);
    const done = await finish(started);
    expect((await redeem(service, app, done.url, started.signIn.request)).claims()?.sub).toBe(idp.userId);
  });

  test("is not needed with the configured attribute", async () => {
    const idp = await newProvider(fields);
    saml.user = { nameId: "", format: TRANSIENT, attributes: { uid: idp.nameId } };
    const started = await start(idp);
    const done = await finish(started, { edit: withoutName });
    expect((await redeem(service, app, done.url, started.signIn.request)).claims()?.sub).toBe(idp.userId);
  });

  test.each([
    ["without an attribute", fields, {}],
    ["without a configured attribute", {}, { uid: "grace" }],
  ])("is needed %s", async (_title, settings, attributes) => {
    const idp = await newProvider(settings);
    saml.user = { nameId: "", format: TRANSIENT, attributes: attributes as Record<string, string> };
    expect((await finish(await start(idp), { edit: withoutName })).status).toBe(502);
  });

  test.each([
    ["without the attribute", fields, {}],
    ["with an empty one", fields, { uid: "" }],
    ["without a configured attribute", {}, { uid: "grace" }],
  ])("is refused %s", async (_title, settings, attributes) => {
    const idp = await newProvider(settings);
    saml.user = { nameId: idp.nameId, format: TRANSIENT, attributes: attributes as Record<string, string> };
    expect((await finish(await start(idp))).status).toBe(502);
  });
});

test.each([true, false])("an address counts as verified without a link if trustEmail is %s", async (trustEmail) => {
  const idp = await newProvider({ providerOptions: { ...ALL, isAutoCreation: true, trustEmail } });
  const nameId = `trusted-${trustEmail}`;
  const email = `${nameId}@example.com`;
  const attributes = { email, givenName: "Grace", sn: "Hopper", uid: nameId };
  const signIn = async (id: string) => {
    saml.user = { nameId: id, format: PERSISTENT, attributes: { ...attributes, uid: id } };
    return await finish(await start(idp));
  };
  expect(isDone(await signIn(nameId))).toBe(trustEmail);
  const registered = service.db.selectFrom("users").select("email_verified").where("email", "=", email);
  expect(await registered.execute()).toEqual([{ email_verified: trustEmail }]);
  // The verified address of another user is taken.
  const other = await signIn(`${nameId}-2`);
  expect(other.title).toBe(trustEmail ? "Account not linked yet" : "Confirm your email address");
});

test("a provider whose certificate was replaced confirms nobody with the old key", async () => {
  const idp = await newProvider();
  const started = await start(idp);
  const metadataXml = Buffer.from(samlMetadata({ certificates: [OTHER_SAML_KEY.certificate] })).toString("base64");
  await call(service, "AdminService.UpdateSAMLProvider", {
    id: idp.id,
    name: idp.name,
    metadataXml,
    providerOptions: ALL,
  });
  expect((await finish(started)).status).toBe(502);
});

test("the key of a provider is encrypted in the database, and is in no event", async () => {
  const { id } = await newProvider();
  const row = await service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const place = { table: "idps", column: "client_secret", rowId: id } as const;
  const sealed = { keyId: row.client_secret_key, ciphertext: row.client_secret };
  const { privateKey } = readSigningKey(service.keyring.open(place, sealed));
  expect(privateKey).toContain("PRIVATE KEY");
  expect(row.client_secret.toString("latin1")).not.toContain(privateKey.slice(40, 80));
});
