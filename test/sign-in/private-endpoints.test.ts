import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SignInIdp } from "../../src/idps/find-sign-in-idp.ts";
import { IDP_SEALED } from "../../src/idps/insert-idp.ts";
import type { IdpKind } from "../../src/idps/kinds.ts";
import { createSamlThread } from "../../src/idps/saml/saml-thread.ts";
import { redeemCode } from "../../src/sign-in/provider/external-user.ts";
import {
  createConfigurations,
  createIdpClients,
  createIdpFetch,
  type OpenIdClient,
} from "../../src/sign-in/provider/idp-clients.ts";
import { oidc } from "../../src/sign-in/provider/kinds/oidc.ts";
import { createProviderKeys } from "../../src/sign-in/provider/provider-keys.ts";
import { loadBelow, readUserEndpoint, readUserInfo } from "../../src/sign-in/provider/read-user.ts";

const keyring = createKeyring([randomBytes(32)]);
const CALLBACK = new URL("https://id.example.com/callback?code=code&state=state");
const ATTEMPT = { address: "192.0.2.1", state: "state", nonce: "nonce", codeVerifier: "v".repeat(43) };
const ID = "01a20053-7411-7dd2-820d-13541da552a0";

let server: Server;
let inside: string;
let connections = 0;
beforeAll(async () => {
  server = createServer((_, response) => response.end("{}")).on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  inside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** The client of a provider of an organization, all of whose URLs are inside. */
function findClient(kind: IdpKind) {
  const sealed = keyring.seal({ ...IDP_SEALED, rowId: ID }, "secret");
  const endpoints = { authorizationEndpoint: inside, tokenEndpoint: `${inside}/token`, userEndpoint: `${inside}/user` };
  const idp: SignInIdp = {
    ...{ id: ID, name: "Example", kind, issuer: inside, ownerId: ID, isOfInstance: false, sequence: 1n, scopes: [] },
    ...{ clientId: "signet", clientSecret: sealed.ciphertext, clientSecretKey: sealed.keyId },
    ...{ stylingType: 0, displayNameMapping: 0, usernameMapping: 0, autoRegister: false, isAutoUpdate: false },
    ...{ isLinkingAllowed: true, isCreationAllowed: true, autoLinking: 0, federatedLogoutEnabled: false },
    settings: { ...endpoints, idAttribute: "id" },
  };
  return createIdpClients({
    config: { idpAllowPrivateNetworks: false, publicUrl: "https://signet.example.com" },
    keyring,
    clock: () => new Date(),
    saml: createSamlThread(),
  }).find(idp);
}

const refusal = (error: unknown): string => {
  const messages: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) messages.push(current.message);
  return messages.join(": ");
};
const REFUSED = "127.0.0.1 has an address that is not public";

test.each(["oidc", "gitlab_self_hosted"] as const)(
  "the issuer of an organization's %s cannot be private",
  async (kind) => {
    const outcome = await findClient(kind).catch(refusal);
    expect(outcome).toContain(REFUSED);
    expect(connections).toBe(0);
  },
);

describe.each(["oauth", "github_es"] as const)("an organization's %s", (kind) => {
  test.each([
    ["token endpoint", (client) => redeemCode(client, new URL(CALLBACK), ATTEMPT, new Date())],
    ["user endpoint", (client) => readUserEndpoint(client, "token")],
    ["list of addresses", (client) => loadBelow(client, "token", "/emails")],
  ] satisfies [string, (client: never) => Promise<unknown>][])("cannot have a private %s", async (_, send) => {
    const client = await findClient(kind);
    const outcome = await send(client as never).then(() => "sent", refusal);
    expect(outcome).toContain(REFUSED);
    expect(connections).toBe(0);
  });
});

/** A public issuer, whose metadata have private URLs. */
async function connect(): Promise<OpenIdClient> {
  const fetch = createIdpFetch({ idpAllowPrivateNetworks: false }, { isOfInstance: false });
  const base = inside.replace("http:", "https:");
  const metadata = {
    ...{ issuer: "https://idp.example.com", authorization_endpoint: `${base}/authorize` },
    ...{ token_endpoint: `${base}/token`, jwks_uri: `${base}/jwks`, userinfo_endpoint: `${base}/me` },
  };
  const idp = { clientId: "signet", issuer: metadata.issuer, settings: {}, scopes: [] };
  const tokenConfigurations = await createConfigurations(idp, "secret", metadata, fetch);
  const keys = createProviderKeys({
    fetch,
    jwksUri: metadata.jwks_uri,
    clock: () => new Date(),
    mayReload: () => true,
  });
  return { kind: oidc, idp, configuration: tokenConfigurations[0], tokenConfigurations, keys };
}

const toPart = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");

test.each([
  ["token_endpoint", (client) => redeemCode(client, new URL(CALLBACK), ATTEMPT, new Date())],
  ["jwks_uri", ({ keys }) => keys.verify(`${toPart({ alg: "RS256", kid: "k" })}.${toPart({})}.AAAA`)],
  ["userinfo_endpoint", (client) => readUserInfo(client, { sub: "1", accessToken: "token" })],
] satisfies [string, (client: OpenIdClient) => Promise<unknown>][])(
  "the metadata of an organization's provider cannot have a private %s",
  async (_, send) => {
    const outcome = await send(await connect()).then(() => "sent", refusal);
    expect(outcome).toContain(REFUSED);
    expect(connections).toBe(0);
  },
);
