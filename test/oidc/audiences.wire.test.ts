import { decodeJwt } from "jose/jwt/decode";
import * as client from "openid-client";
import { createCaller } from "../support/clients/callers.ts";
import {
  createRelyingParty,
  createRequest,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const ORIGIN = "https://app.example.com";
const ORDERS = "https://api.example.com/orders";
const STOCK = "urn:example:stock";
const FOREIGN = "https://api.example.org/";
const SCOPE = "openid offline_access orders:read orders:write unknown";

describe("APIs as audiences", () => {
  let service: TestService;
  let app: RelyingParty;
  let introspector: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres"));
    introspector = await createRelyingParty(service);
    await addApi({
      identifier: ORDERS,
      scopes: ["orders:read", "orders:write"],
      introspectorAppIds: [introspector.id],
    });
    await addApi({ identifier: STOCK, scopes: [] });
    await addApi({ identifier: FOREIGN }, await service.createOrg("other"));
  });
  afterAll(() => service?.close());

  async function addApi(
    api: { identifier: string; scopes?: string[]; introspectorAppIds?: string[] },
    orgId = service.orgId,
  ) {
    const caller = createCaller("rest", service, service.adminToken);
    const outcome = await caller.call("AddAPI", { name: "API", ...api }, { "x-service-orgid": orgId });
    caller.close();
    if (!outcome.ok) throw new Error(outcome.message);
    return String(outcome.message.id);
  }

  /** Adds a parameter that may occur several times. */
  function requestFor(party: RelyingParty, resources: string[], scope = SCOPE) {
    const request = createRequest(party, { scope });
    for (const resource of resources) request.url.searchParams.append("resource", resource);
    return request;
  }

  async function signInFor(party: RelyingParty, resources: string[], scope?: string) {
    const request = requestFor(party, resources, scope);
    return await redeem(service, party, await signIn(service, newBrowser(service), request.url, userId), request);
  }

  /** The response of introspection, which is the same from oidc-provider. */
  async function introspect(token: string, { id, secret }: RelyingParty) {
    const ask = async (origin: Record<string, string>) => {
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
      const body = new URLSearchParams({ token });
      const init = { method: "POST", headers: { authorization, ...origin }, body };
      return await (await fetch(`${service.origin}/oauth/v2/introspect`, init)).json();
    };
    const [direct, provider] = [await ask({}), await ask({ origin: ORIGIN })];
    expect(direct).toEqual(provider);
    return direct;
  }

  async function userinfoStatus(token: string): Promise<number> {
    const ask = async (origin: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}`, ...origin };
      return (await fetch(`${service.origin}/oidc/v1/userinfo`, { headers })).status;
    };
    const [direct, provider] = [await ask({}), await ask({ origin: ORIGIN })];
    expect(direct).toBe(provider);
    return direct;
  }

  test.each(["opaque", "jwt"] as const)(
    "a token for an API has its audience and scopes: %s",
    async (access_token_type) => {
      const party = await createRelyingParty(service, { access_token_type });
      const tokens = await signInFor(party, [ORDERS]);
      const claims = { sub: userId, client_id: party.id, aud: ORDERS, scope: "orders:read orders:write" };
      expect(tokens.scope).toBe(claims.scope);
      expect(tokens.claims()).toMatchObject({ sub: userId, aud: party.id });
      if (access_token_type === "jwt") expect(decodeJwt(tokens.access_token)).toMatchObject(claims);
      for (const allowed of [party, introspector]) {
        expect(await introspect(tokens.access_token, allowed)).toMatchObject({ active: true, ...claims });
      }
      // Another application of the organization, which the API does not list.
      expect(await introspect(tokens.access_token, app)).toEqual({ active: false });
      expect(await userinfoStatus(tokens.access_token)).toBe(403);

      const refreshed = await client.refreshTokenGrant(party.configuration, tokens.refresh_token ?? "", {
        scope: "openid orders:read",
      });
      service.secret(refreshed.access_token);
      service.secret(refreshed.refresh_token ?? "");
      expect(await introspect(refreshed.access_token, party)).toMatchObject({ aud: ORDERS, scope: "orders:read" });
    },
  );

  test("a token without an API has the application as its audience, and no scope of an API", async () => {
    const party = await createRelyingParty(service, { access_token_type: "jwt" });
    const tokens = await signInFor(party, []);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: party.id, scope: "openid offline_access" });
    expect(await userinfoStatus(tokens.access_token)).toBe(200);
    expect(await introspect(tokens.access_token, introspector)).toMatchObject({ active: true, aud: party.id });
  });

  test("of several APIs, the request for the token names one", async () => {
    const both = async (parameters: Record<string, string> = {}) => {
      const request = requestFor(app, [ORDERS, STOCK]);
      const callback = await signIn(service, newBrowser(service), request.url, userId);
      service.secret(callback.searchParams.get("code") ?? "");
      const checks = { ...request.checks, idTokenExpected: true };
      return await client.authorizationCodeGrant(app.configuration, callback, checks, parameters).then(
        ({ access_token }) => {
          service.secret(access_token);
          return introspect(access_token, app);
        },
        ({ status, error }) => ({ status, error }),
      );
    };
    expect(await both({ resource: STOCK })).toMatchObject({ active: true, aud: STOCK });
    expect(await both({ resource: ORDERS })).toMatchObject({ active: true, aud: ORDERS });
    expect(await both()).toEqual({ status: 400, error: "invalid_target" });
    expect(await both({ resource: FOREIGN })).toEqual({ status: 400, error: "invalid_target" });
  });

  test.each([
    ["unknown", ["https://api.example.com/unknown"]],
    ["of another organization", [FOREIGN]],
    ["no URI", ["orders"]],
    ["one too many", Array.from({ length: 6 }, () => ORDERS)],
  ])("a resource that is %s is an invalid target", async (_, resources) => {
    const callback = await signIn(service, newBrowser(service), requestFor(app, resources).url, userId);
    expect(callback.searchParams.get("error")).toBe("invalid_target");
  });

  test("an application of the instance has no APIs", async () => {
    const party = await createRelyingParty(service, { owner_id: service.instanceId });
    const callback = await signIn(service, newBrowser(service), requestFor(party, [ORDERS]).url, userId);
    expect(callback.searchParams.get("error")).toBe("invalid_target");
  });

  test.each(["opaque", "jwt"] as const)("a service gets a token for an API: %s", async (access_token_type) => {
    const { userId: machineId } = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const party = await createRelyingParty(service, {
      ...{ type: "service", grant_types: ["client_credentials"], redirect_uris: [], api_access: true },
      ...{ service_user_id: machineId, access_token_type, additional_origins: [ORIGIN] },
    });
    const scope = "orders:read urn:signet:api";
    const tokens = await client.clientCredentialsGrant(party.configuration, { resource: ORDERS, scope });
    service.secret(tokens.access_token);
    const claims = { sub: machineId, client_id: party.id, aud: ORDERS, scope: "orders:read" };
    expect(await introspect(tokens.access_token, party)).toMatchObject({ active: true, ...claims });
    expect(await introspect(tokens.access_token, introspector)).toMatchObject({ active: true, ...claims });
    expect(await introspect(tokens.access_token, app)).toEqual({ active: false });
    if (access_token_type === "jwt") expect(decodeJwt(tokens.access_token)).toMatchObject(claims);
    // It is no token for the RPCs.
    const caller = createCaller("rest", service, tokens.access_token);
    expect(await caller.call("ListApps", {})).toMatchObject({ ok: false, reason: "TOKEN_INVALID" });
    caller.close();
    const failed = client.clientCredentialsGrant(party.configuration, { resource: FOREIGN });
    expect(await failed.catch(({ status, error }) => ({ status, error }))).toEqual({
      status: 400,
      error: "invalid_target",
    });
  });

  test("after an API is removed, its tokens are introspected only by their own application", async () => {
    const identifier = "https://api.example.com/old";
    const id = await addApi({ identifier, scopes: ["old"], introspectorAppIds: [introspector.id] });
    const { access_token } = await signInFor(app, [identifier], "openid old");
    expect(await introspect(access_token, introspector)).toMatchObject({ active: true, scope: "old" });
    const caller = createCaller("rest", service, service.adminToken);
    expect(await caller.call("RemoveAPI", { id })).toMatchObject({ ok: true });
    caller.close();
    expect(await introspect(access_token, introspector)).toEqual({ active: false });
    const callback = await signIn(service, newBrowser(service), requestFor(app, [identifier]).url, userId);
    expect(callback.searchParams.get("error")).toBe("invalid_target");
  });

  test.each([
    ["deactivated", (id: string) => service.db.updateTable("apps").set({ state: "inactive" }).where("id", "=", id)],
    ["removed", (id: string) => service.db.deleteFrom("apps").where("id", "=", id)],
  ])("a token for an API that is left of an application that is %s is not active", async (_, end) => {
    for (const access_token_type of ["opaque", "jwt"] as const) {
      const party = await createRelyingParty(service, { access_token_type });
      const { access_token } = await signInFor(party, [ORDERS]);
      expect(await introspect(access_token, introspector)).toMatchObject({ active: true });
      // Of more tokens than one statement deletes, some are left.
      await end(party.id).execute();
      expect(await introspect(access_token, introspector)).toEqual({ active: false });
    }
  });

  test("an organization that adds an API which another one has removed cannot introspect the tokens for the earlier one", async () => {
    const identifier = "https://api.example.com/moved";
    const id = await addApi({ identifier, scopes: ["moved"], introspectorAppIds: [introspector.id] });
    const { access_token } = await signInFor(app, [identifier], "openid moved");
    const caller = createCaller("rest", service, service.adminToken);
    expect(await caller.call("RemoveAPI", { id })).toMatchObject({ ok: true });
    caller.close();
    const ownerId = await service.createOrg("next");
    const foreign = await createRelyingParty(service, { owner_id: ownerId });
    await addApi({ identifier, scopes: ["moved"], introspectorAppIds: [foreign.id] }, ownerId);
    expect(await introspect(access_token, foreign)).toEqual({ active: false });
  });

  test("a refresh for an API that the token is not for fails, and does not use up the refresh token", async () => {
    const gone = "https://api.example.com/gone";
    const id = await addApi({ identifier: gone, scopes: [] });
    const request = requestFor(app, [ORDERS, STOCK, gone]);
    const callback = await signIn(service, newBrowser(service), request.url, userId);
    service.secret(callback.searchParams.get("code") ?? "");
    const checks = { ...request.checks, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(app.configuration, callback, checks, { resource: ORDERS });
    for (const secret of [tokens.access_token, tokens.refresh_token ?? ""]) service.secret(secret);
    const refresh = (parameters: Record<string, string>) =>
      client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? "", parameters).then(
        ({ access_token, refresh_token = "" }) => {
          for (const secret of [access_token, refresh_token]) service.secret(secret);
          return introspect(access_token, app);
        },
        ({ status, error }) => ({ status, error }),
      );
    const caller = createCaller("rest", service, service.adminToken);
    expect(await caller.call("RemoveAPI", { id })).toMatchObject({ ok: true });
    caller.close();
    for (const parameters of [{}, { resource: FOREIGN }, { resource: gone }] as Record<string, string>[]) {
      expect([parameters, await refresh(parameters)]).toEqual([parameters, { status: 400, error: "invalid_target" }]);
    }
    expect(await refresh({ resource: STOCK })).toMatchObject({ active: true, aud: STOCK });
  });
});
