import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { customFetch } from "openid-client";
import { discoverProvider, ProviderError } from "../../src/idps/discover-provider.ts";
import { createOutboundFetch } from "../../src/outbound/outbound-fetch.ts";
import { readExternalUser, redeemCode } from "../../src/sign-in/provider/external-user.ts";
import { createConfigurations, type IdpClient } from "../../src/sign-in/provider/idp-clients.ts";
import { oidc } from "../../src/sign-in/provider/kinds/oidc.ts";
import { createProviderKeys } from "../../src/sign-in/provider/provider-keys.ts";

const ISSUER = "https://idp.example.com";
const IDP = { clientId: "signet", issuer: ISSUER };
const VALUES = { address: "192.0.2.1", state: "state", nonce: "nonce", codeVerifier: "v".repeat(43) };
const CALLBACK = new URL("https://id.example.com/callback?code=code&state=state");

let server: Server;
let inside: string;
let connections = 0;
beforeAll(async () => {
  server = createServer((_, response) => response.end("secret")).on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  inside = `https://127.0.0.1:${(server.address() as AddressInfo).port}/inside`;
});
afterAll(() => void server.close());

/** A client of an organization's provider at a public address, which serves these metadata. Everything else is real. */
async function createClient(changes: object): Promise<IdpClient> {
  const outbound = createOutboundFetch({ allowsPrivate: false, timeoutMs: 1_000, maxBodyBytes: 65_536 });
  const endpoints = { authorization_endpoint: `${ISSUER}/auth`, token_endpoint: `${ISSUER}/token` };
  const metadata = { issuer: ISSUER, ...endpoints, jwks_uri: `${ISSUER}/keys`, ...changes };
  const token = { access_token: "a", token_type: "bearer", id_token: idToken() };
  const fetch: typeof outbound = async (url, init) => {
    if (url === `${ISSUER}/.well-known/openid-configuration`) return Response.json(metadata);
    if (url === `${ISSUER}/token`) return Response.json(token);
    return await outbound(url, init);
  };
  const discovered = await discoverProvider(fetch, ISSUER);
  const keys = { fetch, jwksUri: discovered.jwks_uri, clock: () => new Date(), mayReload: () => true };
  const tokenConfigurations = await createConfigurations(IDP, "secret", discovered, fetch);
  return {
    kind: oidc,
    idp: { ...IDP, scopes: [], settings: { usePkce: true } },
    configuration: tokenConfigurations[0],
    tokenConfigurations,
    keys: createProviderKeys(keys),
  };
}

function idToken(): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, aud: "signet", sub: "1", nonce: "nonce", iat: now, exp: now + 60 };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "RS256" })}.${encode(claims)}.${Buffer.alloc(256).toString("base64url")}`;
}

const refusal = expect.objectContaining({
  cause: expect.objectContaining({
    cause: expect.objectContaining({ message: "127.0.0.1 has an address that is not public" }),
  }),
});

test.each(["token_endpoint", "jwks_uri"])("metadata cannot send a request to a private address by %s", async (name) => {
  const client = await createClient({ [name]: inside });
  await expect(redeemCode(client, CALLBACK, VALUES, new Date())).rejects.toEqual(refusal);
  expect(connections).toBe(0);
});

test("metadata cannot send a request to a private address by userinfo_endpoint", async () => {
  const client = await createClient({ userinfo_endpoint: inside });
  const redeemed = { externalUserId: "1", authTime: undefined, claims: {}, accessToken: "a" };
  await expect(readExternalUser(client, redeemed)).rejects.toEqual(refusal);
  expect(connections).toBe(0);
});

test.each(["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])(
  "%s must have https",
  async (name) => {
    await expect(createClient({ [name]: "http://idp.example.com/" })).rejects.toThrow(
      new ProviderError(`${name}: "http://idp.example.com/" is not an https URL`),
    );
  },
);

const readWith = async (claims: object, info?: object) => {
  const client = await createClient(info === undefined ? {} : { userinfo_endpoint: `${ISSUER}/me` });
  const fetched = info === undefined ? undefined : { sub: "1", ...info };
  if (!("configuration" in client)) throw new Error("the client gets no tokens");
  client.configuration[customFetch] = async () => Response.json(fetched);
  return await readExternalUser(client, {
    externalUserId: "1",
    authTime: undefined,
    claims: { sub: "1", ...claims },
    accessToken: "a",
  });
};

test("an address counts as verified only if its own source says so", async () => {
  const email = "a@example.com";
  for (const email_verified of [true, "true"]) {
    expect(await readWith({ email, email_verified })).toMatchObject({ email, emailVerified: true });
  }
  for (const email_verified of [false, "false", "True", 1, null, undefined]) {
    expect(await readWith({ email, email_verified })).toMatchObject({ email, emailVerified: false });
  }
  // Another source may refer to another address.
  expect(await readWith({ email_verified: true }, { email })).toMatchObject({ email, emailVerified: false });
  expect(await readWith({ email }, { email: "b@example.com", email_verified: true })).toMatchObject({
    email,
    emailVerified: false,
  });
  expect(await readWith({}, { email, email_verified: true })).toMatchObject({ email, emailVerified: true });
});

test("claims that are not texts, or that cannot be stored, are omitted", async () => {
  const claims = { name: 1, given_name: ["Ada"], family_name: "a\0b", nickname: "\ud800", locale: "x".repeat(1_001) };
  expect(await readWith(claims)).toMatchObject({ name: "", givenName: "", familyName: "", nickname: "", locale: "" });
  expect(await readWith({ name: "  Ada " }, { name: "Eve", locale: "de_AT" })).toMatchObject({
    name: "Ada",
    locale: "de-AT",
  });
});
