import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import * as client from "openid-client";
import type { AppConfig } from "../../src/database/app-config.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  connectRelyingParty,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

type Service = TestService;

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

async function createKey(alg: string, kid: string = alg): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

const toSet = (...keys: Key[]) => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

/** Registers an application with keys, and connects openid-client, which signs with the first one. */
async function createSigningParty(
  service: Service,
  key: Key,
  config: Partial<AppConfig> = {},
  ownerId = service.orgId,
): Promise<RelyingParty> {
  const keys = config.jwksUri === undefined ? { jwks: toSet(key) } : {};
  const redirectUris = [REDIRECT_URI];
  const app = { authMethod: "private_key_jwt", redirectUris, ...keys, ...config } as const;
  const { appId, clientSecret } = await createTestApp(service, ownerId, app);
  expect(clientSecret).toBe("");
  return connectSigning(service, appId, key);
}

function connectSigning(service: Service, id: string, { privateKey, kid }: Key): Promise<RelyingParty> {
  const party = { id, secret: "unused", redirectUri: REDIRECT_URI };
  return connectRelyingParty(service, party, () => client.PrivateKeyJwt({ key: privateKey, kid }));
}

/** Authenticates the application for the introspection of an unknown token. */
async function authenticate(party: RelyingParty): Promise<"accepted" | string> {
  try {
    expect(await client.tokenIntrospection(party.configuration, "unknown")).toMatchObject({ active: false });
    return "accepted";
  } catch (error) {
    return String((error as client.ResponseBodyError).error);
  }
}

let service: Service;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

describe("an application with keys", () => {
  let key: Key;
  let party: RelyingParty;

  beforeAll(async () => {
    key = await createKey("ES256");
    party = await createSigningParty(service, key);
  });

  /** Posts an assertion to the introspection endpoint. */
  async function post(assertion: string, fields: Record<string, string> = {}) {
    const response = await fetch(`${service.origin}/oauth/v2/introspect`, {
      method: "POST",
      body: new URLSearchParams({
        token: "unknown",
        client_assertion: assertion,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ...fields,
      }),
    });
    return { status: response.status, body: await response.json() };
  }

  let count = 0;
  /** An assertion that is valid without changes. */
  function sign(claims: Record<string, unknown> = {}, { privateKey, alg, kid } = key, keyId: string | undefined = kid) {
    const now = Math.floor(Date.now() / 1_000);
    const aud = `${service.config.publicUrl}/oauth/v2/token`;
    const valid = { iss: party.id, sub: party.id, aud, jti: `jti ${count++}`, iat: now, exp: now + 60 };
    return new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg, kid: keyId }).sign(privateKey);
  }

  test.each(["RS256", "PS256", "ES256", "Ed25519", "EdDSA"])("signs in with %s", async (alg) => {
    const signing = await createSigningParty(service, await createKey(alg), {
      grantTypes: ["authorization_code", "refresh_token"],
    });
    const userId = (await importedUser()) ?? "";
    const scope = "openid offline_access";
    const tokens = await signInAndRedeem(service, newBrowser(service), signing, userId, { scope });
    expect(tokens.claims()).toMatchObject({ sub: userId, aud: signing.id });
    const refreshed = await client.refreshTokenGrant(signing.configuration, String(tokens.refresh_token));
    service.secret(refreshed.access_token);
    service.secret(String(refreshed.refresh_token));
    const introspected = await client.tokenIntrospection(signing.configuration, refreshed.access_token);
    expect(introspected).toMatchObject({ active: true, sub: userId });
    await client.tokenRevocation(signing.configuration, refreshed.access_token);
  });

  let imported: Promise<string> | undefined;
  function importedUser(): Promise<string> {
    imported ??= importAda(service, VERIFIED);
    return imported;
  }

  test("an assertion works once, also in parallel", async () => {
    const assertion = await sign();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(assertion)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await post(assertion)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    // Each has an id of its own.
    expect(await post(await sign())).toMatchObject({ status: 200 });
  });

  test("the audience is the issuer, the token endpoint or the endpoint itself", async () => {
    const { publicUrl } = service.config;
    for (const aud of [publicUrl, `${publicUrl}/oauth/v2/token`, [`${publicUrl}/oauth/v2/introspect`, "other"]]) {
      expect(await post(await sign({ aud }))).toMatchObject({ status: 200 });
    }
    for (const aud of ["https://other.example", `${publicUrl}/`, `${publicUrl}/oauth/v2/revoke`, []]) {
      expect([aud, await post(await sign({ aud }))]).toMatchObject([aud, { status: 401 }]);
    }
  });

  test("an assertion is refused if it has expired, is not valid yet, or expires too late", async () => {
    const now = Math.floor(Date.now() / 1_000);
    expect(await post(await sign({ exp: now - 60 }))).toMatchObject({ status: 401 });
    expect(await post(await sign({ nbf: now + 60 }))).toMatchObject({ status: 401 });
    // The clocks of applications differ.
    expect(await post(await sign({ nbf: now + 5, iat: now + 5 }))).toMatchObject({ status: 200 });
    expect(await post(await sign({ exp: now + 3_600 }))).toMatchObject({ status: 200 });
    for (const exp of [now + 4_000, 1e18, Number.MAX_VALUE]) {
      expect(await post(await sign({ exp }))).toMatchObject({
        status: 401,
        body: { error: "invalid_client", error_description: "the client assertion must expire within one hour" },
      });
    }
  });

  test("an assertion is refused without an id, of another application, and with another key", async () => {
    const stranger = await createKey("ES256");
    const other = await createSigningParty(service, stranger);
    for (const assertion of [
      await sign({ jti: undefined }),
      await sign({ exp: undefined }),
      await sign({ iss: other.id }),
      await sign({ sub: other.id }),
      await sign({}, stranger),
      await sign({}, stranger, undefined),
      await sign({}, await createKey("ES384")),
      await sign({}, key, "another key id"),
    ]) {
      expect(await post(assertion)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    }
    expect(await post("no token")).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("neither an unsigned assertion nor one signed with the public key as a secret is accepted", async () => {
    const [, payload = ""] = (await sign()).split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    expect(await post(`${none}.${payload}.`)).toMatchObject({ status: 401 });
    const secret = new TextEncoder().encode(JSON.stringify(key.jwk));
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const hmac = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await post(hmac)).toMatchObject({ status: 401 });
  });

  test("an application uses its own method only", async () => {
    const withSecret = await createTestApp(service, service.orgId);
    const ids = { iss: withSecret.appId, sub: withSecret.appId };
    expect(await post(await sign(ids))).toMatchObject({ status: 401 });
    const authorization = `Basic ${Buffer.from(`${party.id}:x`).toString("base64")}`;
    const bodies = [{ client_id: party.id }, { client_id: party.id, client_secret: "x" }, {}];
    for (const [index, fields] of bodies.entries()) {
      const headers = index === 2 ? { authorization } : {};
      const body = new URLSearchParams({ token: "unknown", ...(fields as Record<string, string>) });
      const response = await fetch(`${service.origin}/oauth/v2/introspect`, { method: "POST", headers, body });
      expect(response.status).toBe(401);
    }
  });
});

describe("an application that publishes its keys", () => {
  let publisher: Server;
  let url: string;
  let requests: number;
  let respond: () => { status?: number; body?: string; location?: string };

  beforeAll(async () => {
    publisher = createServer((_request, response) => {
      requests++;
      const { status = 200, body = "", location } = respond();
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    });
    await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/keys`;
  });
  beforeEach(() => {
    requests = 0;
    service.logs.length = 0;
    // Only `clockOffsetMs` lets the five seconds and the minute pass.
    service.stopClock();
  });
  afterEach(() => {
    service.clockOffsetMs = 0;
  });
  afterAll(() => {
    publisher.close();
  });

  const publishing = (key: Key, ownerId = service.instanceId) =>
    createSigningParty(service, key, { jwksUri: url }, ownerId);
  const failures = () =>
    service.logs
      .filter(({ msg }) => msg === "the keys of an application could not be fetched")
      .map((log) => JSON.stringify(log));

  test("authenticates with a new key at once, and with a removed one for a minute at most", async () => {
    const [old, next] = [await createKey("ES256", "old"), await createKey("ES256", "next")];
    const party = await publishing(old);
    respond = () => ({ body: toSet(old) });
    expect(await authenticate(party)).toBe("accepted");
    expect(await authenticate(party)).toBe("accepted");
    expect(requests).toBe(1);

    respond = () => ({ body: toSet(next) });
    const renewed = await connectSigning(service, party.id, next);
    // Within five seconds of a request for the keys, there is no other.
    expect(await authenticate(renewed)).toBe("invalid_client");
    service.clockOffsetMs = 6_000;
    expect(await authenticate(renewed)).toBe("accepted");
    expect(requests).toBe(2);
    expect(await authenticate(party)).toBe("invalid_client");

    respond = () => ({ body: toSet(old) });
    service.clockOffsetMs = 30_000;
    expect(await authenticate(renewed)).toBe("accepted");
    service.clockOffsetMs = 67_000;
    expect(await authenticate(renewed)).toBe("invalid_client");
    expect(requests).toBe(3);
  });

  test("parallel requests fetch the keys once", async () => {
    const key = await createKey("ES256");
    const party = await publishing(key);
    respond = () => ({ body: toSet(key) });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => authenticate(party)));
    expect(outcomes).toEqual(Array<string>(10).fill("accepted"));
    expect(requests).toBe(1);
  });

  test("keys are fetched only for an assertion of the application itself", async () => {
    const party = await publishing(await createKey("ES256"));
    respond = () => ({ status: 500 });
    await newBrowser(service).open(`/oauth/v2/authorize?client_id=${party.id}`);
    const body = new URLSearchParams({ client_id: party.id, token: "unknown", client_secret: "x" });
    expect((await fetch(`${service.origin}/oauth/v2/introspect`, { method: "POST", body })).status).toBe(401);
    expect(requests).toBe(0);
  });

  test.each<[string, () => ReturnType<typeof respond>, RegExp]>([
    ["redirects", () => ({ status: 302, location: "/other" }), /has the status 302/],
    ["fails", () => ({ status: 500 }), /has the status 500/],
    ["sends a page", () => ({ body: "<html>" }), /not a JSON Web Key Set/],
    ["sends too much", () => ({ body: `{"keys":[],"x":"${"x".repeat(64 * 1_024)}"}` }), /more than 65536 bytes/],
  ])("a publisher that %s is not asked again for five seconds, and is logged", async (_title, answer, message) => {
    const key = await createKey("ES256");
    const party = await publishing(key);
    respond = answer;
    for (let attempt = 0; attempt < 3; attempt++) expect(await authenticate(party)).toBe("invalid_client");
    expect(requests).toBe(1);
    expect(failures()).toEqual([expect.stringMatching(message)]);
    expect(failures()[0]).toContain(party.id);
    respond = () => ({ body: toSet(key) });
    service.clockOffsetMs = 6_000;
    expect(await authenticate(party)).toBe("accepted");
  });

  test("keys of an organization's application are not fetched from a private address", async () => {
    const key = await createKey("ES256");
    const party = await publishing(key, service.orgId);
    respond = () => ({ body: toSet(key) });
    expect(await authenticate(party)).toBe("invalid_client");
    expect(requests).toBe(0);
    expect(failures()).toEqual([expect.stringContaining("has an address that is not public")]);
  });
});

test("with IDP_ALLOW_PRIVATE_NETWORKS, keys of an organization's application are fetched from a private address", async () => {
  const service = await startService("postgres", { IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  const key = await createKey("ES256");
  const publisher = createServer((_request, response) => response.end(toSet(key)));
  await new Promise<void>((resolve) => publisher.listen(0, "127.0.0.1", resolve));
  try {
    const jwksUri = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/`;
    expect(await authenticate(await createSigningParty(service, key, { jwksUri }))).toBe("accepted");
  } finally {
    publisher.close();
    await service.close();
  }
});
