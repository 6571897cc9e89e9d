import { createPrivateKey, createPublicKey } from "node:crypto";
import { APPLE_KEY, type KindName } from "../../idps/provider-requests.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { call } from "../../support/browsers/visitor.ts";
import {
  type BrandedProviders,
  type BrandedUser,
  CLIENT,
  objectIdOf,
  startBrandedProviders,
  TENANT,
} from "../../support/oidc/branded-providers.ts";
import { chooseIdp, passProvider } from "../../support/oidc/other-provider.ts";
import { PERSISTENT, type SamlProvider, startSamlProvider } from "../../support/saml/saml-provider.ts";
import type { TestService } from "../../support/servers/service.ts";

/** A kind of provider as it is tested. */
export interface Kind {
  /** The part of the names of its RPCs. */
  readonly kind: KindName;
  readonly settings?: object | ((places: KindProviders) => object);
  /** How the provider differs (branded-providers.ts). */
  readonly quirks: string;
  /** Whether addresses count as verified, whatever the provider says about them. By default, what it says counts. */
  readonly counts?: boolean;
  /** Whether the provider sends no user name. */
  readonly isNameless?: boolean;
  /** The id by which a user is linked, if it is not the user's id. */
  readonly linkedAs?: (user: BrandedUser) => string;
}

/** The local providers, which behave as the real ones are documented to. */
export interface KindProviders {
  readonly branded: BrandedProviders;
  readonly saml: SamlProvider;
  close(): Promise<void>;
}

export async function startKindProviders(): Promise<KindProviders> {
  const publicKey = createPublicKey(createPrivateKey(APPLE_KEY)).export({ format: "pem", type: "spki" });
  const branded = await startBrandedProviders(String(publicKey));
  const saml = await startSamlProvider();
  return {
    branded,
    saml,
    async close() {
      await branded.close();
      await saml.close();
    },
  };
}

const endpoints = (base: string) => ({
  authorizationEndpoint: `${base}/authorize`,
  tokenEndpoint: `${base}/access_token`,
  userEndpoint: `${base}/api/v3/user`,
});
const toXml = ({ saml }: KindProviders) => Buffer.from(saml.metadata()).toString("base64");

/** The id by which a new provider links a user of Microsoft. */
export function toMicrosoftId(user: BrandedUser): string {
  return `${objectIdOf(user)}.${TENANT}`;
}

export const KINDS: readonly Kind[] = [
  {
    kind: "GenericOIDC",
    settings: ({ branded }) => ({ issuer: `${branded.origin}/oidc`, usePkce: true }),
    quirks: "all claims in the ID token",
  },
  { kind: "Google", quirks: "the header Basic is compared undecoded; no preferred_username", isNameless: true },
  { kind: "AzureAD", quirks: "an issuer with {tenantid}; no email_verified", counts: false, linkedAs: toMicrosoftId },
  {
    kind: "AzureAD",
    settings: { tenant: { tenantId: TENANT }, emailVerified: true, userIdAttribute: "AZURE_AD_USER_ID_ATTRIBUTE_SUB" },
    quirks: "one tenant, whose addresses count as verified",
    counts: true,
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
    isNameless: true,
  },
  { kind: "GitLab", quirks: "claims in userinfo alone; a full name and a nickname" },
  {
    kind: "GitLabSelfHosted",
    settings: ({ branded }) => ({ issuer: `${branded.origin}/gitlabs` }),
    quirks: "the same",
  },
  { kind: "GitHub", quirks: "no ID token; the id is a number; addresses elsewhere; errors with status 200" },
  {
    kind: "GitHubEnterpriseServer",
    settings: ({ branded }) => endpoints(`${branded.origin}/githubes`),
    quirks: "the same",
  },
  {
    kind: "GenericOAuth",
    settings: ({ branded }) => ({ ...endpoints(`${branded.origin}/oauth`), idAttribute: "user_id", usePkce: true }),
    quirks: "another name of the id",
    isNameless: true,
  },
  {
    kind: "GenericOAuth",
    settings: ({ branded }) => ({ ...endpoints(`${branded.origin}/x`), idAttribute: "data.id", usePkce: true }),
    quirks: "as at X: the user is in a member; the secret in the header Basic alone, compared undecoded",
    isNameless: true,
  },
  {
    kind: "SAML",
    settings: (places) => ({ metadataXml: toXml(places), binding: "SAML_BINDING_REDIRECT" }),
    quirks: "a form of another site; no word about the address",
    counts: false,
  },
  {
    kind: "SAML",
    settings: (places) => ({ metadataXml: toXml(places), binding: "SAML_BINDING_POST", withSignedRequest: true }),
    quirks: "a signed request by a form",
    counts: false,
  },
];

let ids = 4_000;

/** Adds a provider to the instance, and sets the user who signs in there next. */
export async function newKindProvider(
  service: TestService,
  places: KindProviders,
  { kind, settings = {} }: Kind,
  providerOptions: object,
): Promise<{ readonly id: string; readonly name: string; readonly user: BrandedUser }> {
  const own = typeof settings === "function" ? settings(places) : settings;
  const client = kind === "SAML" ? {} : CLIENT;
  // The page offers 50 providers by name: the newest must be among them.
  const name = `${9_999 - ++ids} ${kind}`;
  const request = { name, ...client, ...own, providerOptions };
  const { id } = await call(service, `AdminService.Add${kind}Provider`, JSON.parse(JSON.stringify(request)));
  return { id: String(id), name, user: nextUser(places) };
}

/** Sets another user of the providers, whom nobody knows. */
export function nextUser(places: KindProviders, changes: Partial<BrandedUser> = {}): BrandedUser {
  const id = String(++ids);
  const user = { id, email: `grace-${id}@example.com`, verified: true, login: `grace-${id}`, ...changes };
  const { email, login = "", verified } = user;
  places.branded.user = user;
  const attributes = {
    ...{ mail: email, givenName: "Grace", "urn:oid:2.5.4.4": "Hopper", uid: login },
    ...(verified !== undefined && { email_verified: String(verified) }),
  };
  places.saml.user = { nameId: id, format: PERSISTENT, attributes };
  return user;
}

/** Chooses the provider on the sign-in page, and signs in there. */
export async function signInAtKind(
  service: TestService,
  places: KindProviders,
  person: Person,
  page: Page,
  idp: { readonly id: string },
): Promise<Page> {
  return await passKind(service, places, person, await chooseIdp(person, page, idp));
}

/** Signs in at the provider as a browser does: the pages of Apple and of SAML providers post a form to Signet. */
export async function passKind(
  service: TestService,
  { branded, saml }: KindProviders,
  person: Person,
  atProvider: Page,
): Promise<Page> {
  const isSaml = atProvider.url.href.startsWith(saml.origin) || atProvider.text.includes("SAMLRequest");
  const isApple = atProvider.url.href.startsWith(branded.hosts.apple);
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
