import { exportJWK, generateKeyPair } from "jose";
import { decodeJwt } from "jose/jwt/decode";
import * as client from "openid-client";
import { createCaller, PROTOCOLS, type TestProtocol } from "../support/clients/callers.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import {
  connectRelyingParty,
  createRelyingParty,
  REDIRECT_URI,
  type RelyingParty,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const ORIGIN = "https://app.example.com";
const API = "urn:signet:api";

describe("client credentials", () => {
  let service: TestService;
  let userId: string;
  let app: RelyingParty;

  beforeAll(async () => {
    service = await startService("postgres");
    ({ userId } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" }));
    app = await createServiceParty();
  });
  beforeEach(() => {
    service.clockOffsetMs = 0;
  });
  afterAll(() => service?.close());

  /** An application for the machine user, with API access. */
  async function createServiceParty(
    changes: Parameters<typeof createRelyingParty>[1] = {},
    authentication?: Parameters<typeof createRelyingParty>[2],
  ): Promise<RelyingParty> {
    const settings = {
      additional_origins: [ORIGIN],
      type: "service" as const,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      api_access: true,
    };
    return await createRelyingParty(service, { ...settings, service_user_id: userId, ...changes }, authentication);
  }

  async function getToken(party = app, parameters: Record<string, string> = {}): Promise<string> {
    const tokens = await client.clientCredentialsGrant(party.configuration, parameters);
    service.secret(tokens.access_token);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3_600 });
    expect(tokens.refresh_token ?? tokens.id_token).toBeUndefined();
    return tokens.access_token;
  }

  /** The error of a request for a token. */
  async function errorOf(party: RelyingParty, parameters: Record<string, string> = {}) {
    const failed = await client.clientCredentialsGrant(party.configuration, parameters).catch((error) => error);
    return { status: failed.status, error: failed.error, description: failed.error_description };
  }

  async function introspect(token: string, party = app, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.origin}/oauth/v2/introspect`, {
      method: "POST",
      headers: { authorization: basic(party), ...headers },
      body: new URLSearchParams({ token }),
    });
    return await response.json();
  }

  const basic = ({ id, secret }: RelyingParty) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

  /** The response of introspection, which is the same from oidc-provider. */
  async function introspectBoth(token: string, party = app) {
    const direct = await introspect(token, party);
    expect(await introspect(token, party, { origin: ORIGIN })).toEqual(direct);
    return direct;
  }

  async function callApi(token: string, protocol: TestProtocol = "rest", orgId?: string) {
    const caller = createCaller(protocol, service, token);
    const outcome = await caller.call("ListApps", {}, orgId ? { "x-service-orgid": orgId } : {});
    caller.close();
    return outcome.ok ? "ok" : outcome.reason;
  }

  test.each(PROTOCOLS)("give a token with the machine user's roles over %s", async (protocol) => {
    expect(await callApi(await getToken(app, { scope: API }), protocol)).toBe("ok");
  });

  test.each(["opaque", "jwt"] as const)("give a token of the machine user: %s", async (access_token_type) => {
    const party = await createServiceParty({ access_token_type });
    const token = await getToken(party, { scope: API });
    expect(token.includes(".")).toBe(access_token_type === "jwt");
    const claims = { sub: userId, client_id: party.id, scope: API, iss: service.config.publicUrl };
    expect(await introspectBoth(token, party)).toMatchObject({ active: true, ...claims, token_type: "Bearer" });
    // Another application of the organization, with a secret.
    expect(await introspectBoth(token)).toMatchObject({ active: true, ...claims });
    if (access_token_type === "jwt") expect(decodeJwt(token)).toMatchObject({ ...claims, aud: party.id });
    expect(await callApi(token)).toBe("ok");
    await client.tokenRevocation(app.configuration, token);
    expect(await introspectBoth(token, party)).toMatchObject({ active: true });
    await client.tokenRevocation(party.configuration, token);
    expect(await introspectBoth(token, party)).toEqual({ active: false });
    expect(await callApi(token)).toBe("TOKEN_INVALID");
  });

  test("take the secret in the form, or a signed assertion", async () => {
    const posting = await createServiceParty({ auth_method: "post" }, client.ClientSecretPost);
    expect(await introspectBoth(await getToken(posting))).toMatchObject({ active: true, sub: userId });

    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const { appId } = await createTestApp(service, service.orgId, {
      ...{
        type: "service",
        grantTypes: ["client_credentials"],
        redirectUris: [],
        serviceUserId: userId,
        additionalOrigins: [ORIGIN],
      },
      ...{ authMethod: "private_key_jwt", jwks: JSON.stringify({ keys: [await exportJWK(publicKey)] }) },
    });
    const signing = await connectRelyingParty(service, { id: appId, secret: "unused", redirectUri: REDIRECT_URI }, () =>
      client.PrivateKeyJwt(privateKey),
    );
    expect(await introspectBoth(await getToken(signing))).toMatchObject({ active: true, client_id: appId });
  });

  test("give no token to other applications, or with a wrong secret", async () => {
    const web = await createRelyingParty(service);
    expect(await errorOf(web)).toMatchObject({ status: 400, error: "invalid_request" });
    const wrong = await connectRelyingParty(service, { ...app, secret: "wrong" });
    expect(await errorOf(wrong)).toMatchObject({ status: 401 });
  });

  test("give no token for people, nor for what only people have", async () => {
    const url = new URL(`${service.origin}/oauth/v2/authorize`);
    const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    url.search = String(
      new URLSearchParams({
        client_id: app.id,
        response_type: "code",
        redirect_uri: REDIRECT_URI,
        scope: "openid",
        ...challenge,
      }),
    );
    expect((await fetch(url, { redirect: "manual" })).status).toBe(400);
    const userinfo = await fetch(`${service.origin}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${await getToken(app, { scope: "openid" })}` },
    });
    expect(userinfo.status).toBe(401);
  });

  test("need API access for the scope of the RPCs", async () => {
    const party = await createServiceParty({ api_access: false });
    expect(await errorOf(party, { scope: API })).toMatchObject({ status: 400, error: "invalid_scope" });
    const token = await getToken(party);
    expect(await introspectBoth(token, party)).toMatchObject({ active: true });
    expect(await callApi(token)).toBe("TOKEN_INVALID");
  });

  test("give no roles outside of the application's organization", async () => {
    const other = await service.createOrg("other");
    const roles = ["INSTANCE_OWNER"];
    const admin = createCaller("rest", service, service.adminToken);
    expect(await admin.call("AddIAMMember", { userId, roles })).toMatchObject({ ok: true });
    const token = await getToken(app, { scope: API });
    expect([await callApi(token), await callApi(token, "rest", other)]).toEqual(["ok", "PERMISSION_DENIED"]);
    expect(await admin.call("RemoveIAMMember", { userId })).toMatchObject({ ok: true });
    admin.close();
  });

  interface Ended {
    readonly party: RelyingParty;
    readonly userId: string;
    readonly orgId: string;
  }
  const setUser = ({ userId: id }: Ended, state: "inactive" | "locked") =>
    service.db.updateTable("users").set({ state }).where("id", "=", id).execute();
  const setApp = ({ party }: Ended, values: Parameters<typeof createRelyingParty>[1] & object) =>
    service.db.updateTable("apps").set(values).where("id", "=", party.id).execute();

  /** What ends a token. */
  const ENDS: Readonly<Record<string, (ended: Ended) => Promise<unknown>>> = {
    "an hour has passed": async () => {
      service.clockOffsetMs = 3_601_000;
    },
    "the user is deactivated": (ended) => setUser(ended, "inactive"),
    "the user is locked": (ended) => setUser(ended, "locked"),
    "the organization is deactivated": ({ orgId }) =>
      service.db.updateTable("orgs").set({ state: "inactive" }).where("id", "=", orgId).execute(),
    "the application is deactivated": (ended) => setApp(ended, { state: "inactive" }),
    "the application has another user": async (ended) =>
      setApp(ended, { service_user_id: (await service.createToken(ended)).userId }),
    "the application has another type": (ended) => setApp(ended, { type: "web", service_user_id: null }),
  };

  test.each(Object.keys(ENDS))("give a token that ends when %s", async (what) => {
    const orgId = await service.createOrg(`${what}`);
    const { userId: id } = await service.createToken({ orgId, role: "ORG_OWNER" });
    const party = await createServiceParty({ owner_id: orgId, service_user_id: id });
    const asking = await createRelyingParty(service, { owner_id: orgId });
    const token = await getToken(party, { scope: API });
    expect([await callApi(token), (await introspectBoth(token, asking)).active]).toEqual(["ok", true]);
    await ENDS[what]?.({ party, userId: id, orgId });
    expect(await callApi(token)).toBe("TOKEN_INVALID");
    // Without its organization, the other application cannot authenticate itself either.
    const inactive = what === "the organization is deactivated" ? { error: "invalid_client" } : { active: false };
    expect(await introspectBoth(token, asking)).toMatchObject(inactive);
  });

  test("give no token while the user is not active, and none of the user after its removal", async () => {
    const admin = createCaller("rest", service, service.adminToken);
    const { userId: id } = await service.createToken({ orgId: service.orgId });
    const party = await createServiceParty({ service_user_id: id });
    const token = await getToken(party);
    expect(await admin.call("DeactivateUser", { id })).toMatchObject({ ok: true });
    const refused = { status: 400, error: "unauthorized_client" };
    expect(await errorOf(party)).toMatchObject(refused);
    expect(await admin.call("ReactivateUser", { id })).toMatchObject({ ok: true });
    // Deactivating the user has deleted it.
    expect(await introspectBoth(token)).toEqual({ active: false });
    const next = await getToken(party);
    expect(await introspectBoth(next)).toMatchObject({ active: true, sub: id });
    expect(await admin.call("RemoveUser", { id })).toMatchObject({ ok: true });
    expect(await introspectBoth(next)).toEqual({ active: false });
    expect(await errorOf(party)).toMatchObject(refused);
    const rows = await service.db.selectFrom("oidc_artifacts").select("kind").where("user_id", "=", id).execute();
    expect(rows).toEqual([]);
    admin.close();
  });

  test("cannot be exchanged (RFC 8693), which the error says", async () => {
    const grant = "urn:ietf:params:oauth:grant-type:token-exchange";
    const exchange = client.genericGrantRequest(app.configuration, grant, { subject_token: await getToken() });
    expect(await exchange.catch((error) => error)).toMatchObject({
      status: 400,
      error: "unsupported_grant_type",
      error_description: "token exchange (RFC 8693) is not supported",
    });
  });
});
