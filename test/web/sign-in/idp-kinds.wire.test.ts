import { createPrivateKey, createPublicKey } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { APPLE_KEY } from "../../idps/provider-requests.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { call, eventsAfter, importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  type BrandedProviders,
  type BrandedUser,
  CLIENT,
  startBrandedProviders,
  TENANT,
} from "../../support/oidc/branded-providers.ts";
import { chooseIdp, passProvider } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { PERSISTENT, type SamlProvider, startSamlProvider } from "../../support/saml/saml-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

let providers: BrandedProviders;
let saml: SamlProvider;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  const publicKey = createPublicKey(createPrivateKey(APPLE_KEY)).export({ format: "pem", type: "spki" });
  providers = await startBrandedProviders(String(publicKey));
  service = await startService("postgres", VISITED, { providerHosts: providers.hosts });
  saml = await startSamlProvider();
  saml.now = () => service.clock();
  service.secret(CLIENT.clientSecret);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, { origin: "", async configure() {}, async close() {} });
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
  await saml?.close();
});

const endpoints = (base: string) => ({
  authorizationEndpoint: `${base}/authorize`,
  tokenEndpoint: `${base}/access_token`,
  userEndpoint: `${base}/api/v3/user`,
});

/** The kinds: the part of the names of their RPCs, the settings, and the quirks of the provider (branded-providers.ts). */
const KINDS = [
  { kind: "Google", quirks: "the header Basic is compared undecoded; no preferred_username" },
  { kind: "AzureAD", quirks: "an issuer with {tenantid}; no email_verified", saysVerified: false },
  {
    kind: "AzureAD",
    settings: { tenant: { tenantId: TENANT }, emailVerified: true },
    quirks: "one tenant, whose addresses count as verified",
  },
  {
    kind: "Apple",
    settings: {
      teamId: "ABCDE12345",
      keyId: "KEYID12345",
      privateKey: Buffer.from(APPLE_KEY).toString("base64"),
      clientSecret: undefined,
    },
    quirks: "the client secret is a JWT; a form of another site; the name once; email_verified is a text",
  },
  { kind: "GitLab", quirks: "claims in userinfo alone; a full name and a nickname" },
  { kind: "GitLabSelfHosted", settings: () => ({ issuer: `${providers.origin}/gitlabs` }), quirks: "the same" },
  { kind: "GitHub", quirks: "no ID token; the id is a number; addresses elsewhere; errors with status 200" },
  { kind: "GitHubEnterpriseServer", settings: () => endpoints(`${providers.origin}/githubes`), quirks: "the same" },
  {
    kind: "GenericOAuth",
    settings: () => ({ ...endpoints(`${providers.origin}/oauth`), idAttribute: "user_id", usePkce: true }),
    quirks: "another name of the id",
  },
  {
    kind: "SAML",
    settings: () => ({ metadataXml: toXml(), binding: "SAML_BINDING_REDIRECT" }),
    quirks: "a form of another site; no word about the address",
    saysVerified: false,
  },
  {
    kind: "SAML",
    settings: () => ({ metadataXml: toXml(), binding: "SAML_BINDING_POST", withSignedRequest: true }),
    quirks: "a signed request by a form",
    saysVerified: false,
  },
] as const;

const toXml = () => Buffer.from(saml.metadata()).toString("base64");

const ALL = { isLinkingAllowed: true, isCreationAllowed: true };
let ids = 4_000;

/** Adds a provider to the instance, and sets the user who signs in next. */
async function newProvider({ kind, settings = {} }: Pick<Kind, "kind" | "settings">, options: JsonObject) {
  const own = typeof settings === "function" ? settings() : settings;
  // The page offers 50 providers by name: the newest must be among them.
  const client = kind === "SAML" ? {} : CLIENT;
  const request = { name: `${9_999 - ++ids} ${kind}`, ...client, ...own, providerOptions: options };
  const added = await call(service, `AdminService.Add${kind}Provider`, JSON.parse(JSON.stringify(request)));
  const user: BrandedUser = {
    id: String(++ids),
    email: `grace-${ids}@example.com`,
    verified: true,
    login: `grace-${ids}`,
  };
  providers.user = user;
  const attributes = { mail: user.email, givenName: "Grace", "urn:oid:2.5.4.4": "Hopper", uid: user.login ?? "" };
  saml.user = { nameId: user.id, format: PERSISTENT, attributes };
  return { id: String(added.id), user };
}

interface Kind {
  readonly kind: (typeof KINDS)[number]["kind"];
  readonly settings?: object | (() => object);
  readonly quirks: string;
  readonly saysVerified?: boolean;
}

/** Signs in at the provider, as a browser does: the pages of Apple and of SAML providers post a form to Signet. */
async function signIn(person: Person, page: Page, idp: { id: string }): Promise<Page> {
  const atProvider = await chooseIdp(person, page, idp);
  const isSaml = atProvider.url.href.startsWith(saml.origin) || atProvider.text.includes("SAMLRequest");
  const isApple = atProvider.url.href.startsWith(providers.hosts.apple);
  if (!isSaml && !isApple) return person.open(await passProvider(atProvider));
  const html = atProvider.text.includes("SAMLRequest")
    ? await post(atProvider.text)
    : await (await fetch(atProvider.url)).text();
  const { action, fields } = readForm(html);
  const callback = new URL(action);
  // The cookies of the site are not sent with a form of another site.
  const response = await fetch(service.origin + callback.pathname, {
    method: "POST",
    redirect: "manual",
    headers: { origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site", "x-forwarded-for": "10.9.9.9" },
    body: fields,
  });
  expect([response.status, await response.text()]).toEqual([303, ""]);
  return person.open(new URL(response.headers.get("location") ?? "", callback));
}

/** Posts the form of a page to another site. */
async function post(html: string): Promise<string> {
  const { action, fields } = readForm(html);
  return (await fetch(action, { method: "POST", body: fields })).text();
}

function readForm(html: string) {
  const toPlain = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const [, action = ""] = /action="([^"]*)"/.exec(html) ?? [];
  const fields = [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, toPlain(value)] as const,
  );
  return { action: toPlain(action), fields: new URLSearchParams(Object.fromEntries(fields)) };
}

const userWith = async (idpId: string, externalId: string) => {
  const link = await service.db
    .selectFrom("user_idp_links")
    .selectAll()
    .where("idp_id", "=", idpId)
    .where("external_user_id", "=", externalId)
    .executeTakeFirst();
  return link && (await userOf(service, link.user_id));
};

describe.each<Kind>(KINDS)("$kind ($quirks)", (each) => {
  const { saysVerified = true } = each;

  test("registers an unknown user without a form, and signs in the same user again", async () => {
    const { id, user } = await newProvider(each, { ...ALL, isAutoCreation: true });
    const { person, request, page } = await scene.open();
    const first = await signIn(person, page, { id });
    // Microsoft's tokens name the user, but the other names come from userinfo.
    const registered = await userWith(id, user.id);
    expect(registered).toMatchObject({ email: user.email, email_verified: saysVerified });
    expect(registered).toMatchObject({ first_name: "Grace", last_name: "Hopper" });
    if (!saysVerified) {
      expect(first.title).toBe("Confirm your email address");
    } else {
      expect((await redeem(service, app, first.url, request)).claims()?.sub).toBe(registered?.id);
    }
    const again = await scene.open();
    const second = await signIn(again.person, again.page, { id });
    expect(isDone(second)).toBe(saysVerified);
    expect(providers.faults).toEqual([]);
    // Nothing of the provider's tokens is stored.
    const events = JSON.stringify(await eventsAfter(service, registered?.id ?? "", 0n), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(events).not.toMatch(/access_token|id_token/);
  });

  test.each([
    [{}, { link: false, register: false }],
    [{ isLinkingAllowed: true }, { link: true, register: false }],
    [{ isCreationAllowed: true }, { link: false, register: true }],
    [ALL, { link: true, register: true }],
  ])("with the options %j, an unknown user gets these buttons: %j", async (options, expected) => {
    const { id } = await newProvider(each, options);
    const { person, page } = await scene.open();
    const unknown = await signIn(person, page, { id });
    expect(unknown.title).toBe("Account not linked yet");
    const has = (action: string) => unknown.text.includes(`name="do" value="${action}"`);
    expect({ link: has("to-link"), register: has("to-register") }).toEqual(expected);
    const refused = await person.submit(unknown, { do: expected.link ? "register" : "to-link" });
    expect(isDone(refused)).toBe(false);
  });

  /** The local user has the address that the provider reports. */
  test.each(
    [true, false].flatMap((verified) =>
      [true, false].flatMap((local) => [true, false].map((auto) => [verified, local, auto] as const)),
    ),
  )("verified at the provider: %s, verified here: %s, autoLinking: %s", async (verified, isEmailVerified, auto) => {
    const options = { ...ALL, ...(auto && { autoLinking: "AUTO_LINKING_OPTION_EMAIL" }) };
    const { id, user } = await newProvider(each, options);
    providers.user = { ...user, verified };
    const userId = await importAda(service, { email: { email: user.email, isEmailVerified } });
    const { person, request, page } = await scene.open();
    const result = await signIn(person, page, { id });
    // A tenant whose addresses count as verified says so of all of them.
    const counts = each.settings && "emailVerified" in each.settings ? true : verified && saysVerified;
    if (!(auto && counts && isEmailVerified)) {
      expect(result.title).toBe("Account not linked yet");
      expect(await userWith(id, user.id)).toBeUndefined();
      return;
    }
    expect(result.title).toBe("Your accounts are linked now");
    expect(result.text).toContain(user.email);
    expect(await userWith(id, user.id)).toMatchObject({ id: userId });
    const notice = service.db.selectFrom("messages").select("recipient").where("user_id", "=", userId);
    expect(await notice.where("notice", "=", "provider-linked").execute()).toEqual([{ recipient: user.email }]);
    const done = await person.submit(result, { do: "skip" });
    expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
  });

  test("isAutoUpdate takes over changed names and the verified address at a sign-in", async () => {
    const { id, user } = await newProvider(each, { ...ALL, isAutoUpdate: true });
    const userId = await importAda(service, {
      email: { email: "before@example.com", isEmailVerified: true },
      idps: [{ configId: id, externalUserId: user.id, displayName: "" }],
    });
    const { person, page } = await scene.open();
    expect(isDone(await signIn(person, page, { id }))).toBe(true);
    const after = await userOf(service, userId);
    expect(after).toMatchObject({ first_name: "Grace", last_name: "Hopper" });
    expect(after.email).toBe(saysVerified ? user.email : "before@example.com");
    const again = await scene.open();
    expect(isDone(await signIn(again.person, again.page, { id }))).toBe(true);
    const events = (
      await service.db.selectFrom("events").select("type").where("aggregate_id", "=", userId).execute()
    ).map(({ type }) => type);
    expect(events.filter((type) => type === "user.human.profile.changed")).toHaveLength(1);
    expect(events.filter((type) => type === "user.human.email.changed")).toHaveLength(saysVerified ? 1 : 0);
  });
});
