import { decodeJwt } from "jose/jwt/decode";
import * as client from "openid-client";
import { createCaller } from "../support/clients/callers.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const ORIGIN = "https://app.example.com";
const ROLES = ["editor", "viewer", "admin"];

describe("the claim `roles`", () => {
  let service: TestService;
  let plain: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app: plain, userId } = await startProvider("postgres"));
  });
  afterAll(() => service?.close());

  async function change(
    rpc: "AddUserAppRoles" | "RemoveUserAppRoles",
    party: RelyingParty,
    roles: string[],
    id = userId,
  ) {
    const caller = createCaller("rest", service, service.adminToken);
    const outcome = await caller.call(rpc, { userId: id, appId: party.id, roles });
    caller.close();
    expect(outcome).toMatchObject({ ok: true });
  }

  const signInTo = (party: RelyingParty, scope = "openid") =>
    signInAndRedeem(service, newBrowser(service), party, userId, { scope });

  /** The roles in the responses to an access token; those of oidc-provider are the same. */
  async function rolesOf(token: string, party: RelyingParty): Promise<{ userinfo: unknown; introspection: unknown }> {
    const ask = async (path: string, init: RequestInit) => {
      const both = [{}, { origin: ORIGIN }].map(async (origin) => {
        const headers = { ...(init.headers as Record<string, string>), ...origin };
        return await (await fetch(service.origin + path, { ...init, headers })).json();
      });
      const [direct, provider] = await Promise.all(both);
      expect(direct).toEqual(provider);
      return direct.roles;
    };
    const basic = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString("base64")}`;
    return {
      userinfo: await ask("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${token}` } }),
      introspection: await ask("/oauth/v2/introspect", {
        method: "POST",
        headers: { authorization: basic },
        body: new URLSearchParams({ token }),
      }),
    };
  }

  test.each(["opaque", "jwt"] as const)("has the user's roles in the application: %s", async (access_token_type) => {
    const party = await createRelyingParty(service, { access_token_type, roles: ROLES });
    const other = await createRelyingParty(service, { roles: ["root"] });
    await change("AddUserAppRoles", party, ["viewer", "editor"]);
    await change("AddUserAppRoles", other, ["root"]);
    const roles = ["editor", "viewer"];

    const tokens = await signInTo(party, "openid offline_access");
    expect(tokens.claims()).toMatchObject({ sub: userId, roles });
    expect(await rolesOf(tokens.access_token, party)).toEqual({ userinfo: roles, introspection: roles });
    if (access_token_type === "jwt") expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: userId, roles });
    const elsewhere = await signInTo(other);
    expect(elsewhere.claims()).toMatchObject({ roles: ["root"] });
    expect(await rolesOf(elsewhere.access_token, party)).toEqual({ userinfo: ["root"], introspection: ["root"] });

    // Effective with the next request, and in the next tokens.
    await change("RemoveUserAppRoles", party, ["editor"]);
    expect(await rolesOf(tokens.access_token, party)).toEqual({ userinfo: ["viewer"], introspection: ["viewer"] });
    await change("RemoveUserAppRoles", party, ["viewer"]);
    expect(await rolesOf(tokens.access_token, party)).toEqual({ userinfo: [], introspection: [] });
    await change("AddUserAppRoles", party, ["admin"]);
    const refreshed = await client.refreshTokenGrant(party.configuration, tokens.refresh_token ?? "");
    service.secret(refreshed.access_token);
    service.secret(refreshed.refresh_token ?? "");
    expect(refreshed.claims()).toMatchObject({ roles: ["admin"] });
    const introspected = await client.tokenIntrospection(party.configuration, refreshed.refresh_token ?? "");
    expect(introspected).toMatchObject({ active: true });
    expect(introspected).not.toHaveProperty("roles");
  });

  test("does not make an access token too long for the RPCs", async () => {
    const roles = Array.from({ length: 50 }, (_, number) => String(number).padStart(100, "r"));
    const party = await createRelyingParty(service, { access_token_type: "jwt", api_access: true, roles });
    await change("AddUserAppRoles", party, roles);
    const { access_token } = await signInTo(party, "openid profile email phone urn:signet:api");
    expect(decodeJwt(access_token)).toMatchObject({ roles: expect.arrayContaining(roles) });
    const caller = createCaller("rest", service, access_token);
    expect(await caller.call("GetMyUser", {})).toMatchObject({ ok: true, message: { user: { id: userId } } });
    caller.close();
  });

  test("is absent if the application has no roles", async () => {
    const tokens = await signInTo(plain);
    expect(tokens.claims()).not.toHaveProperty("roles");
    expect(await rolesOf(tokens.access_token, plain)).toEqual({ userinfo: undefined, introspection: undefined });
  });

  test("leaves out a role that the application no longer has", async () => {
    const party = await createRelyingParty(service, { access_token_type: "jwt", roles: ROLES });
    await change("AddUserAppRoles", party, ["viewer", "admin"]);
    const { access_token } = await signInTo(party);
    await service.db
      .updateTable("apps")
      .set({ roles: ["viewer"] })
      .where("id", "=", party.id)
      .execute();
    expect(await rolesOf(access_token, party)).toEqual({ userinfo: ["viewer"], introspection: ["viewer"] });
    await service.db.updateTable("apps").set({ roles: [] }).where("id", "=", party.id).execute();
    expect(await rolesOf(access_token, party)).toEqual({ userinfo: undefined, introspection: undefined });
    expect(decodeJwt(access_token)).toMatchObject({ roles: ["admin", "viewer"] });
  });

  test.each(["opaque", "jwt"] as const)(
    "has the roles of the machine user of a service: %s",
    async (access_token_type) => {
      const { userId: machineId } = await service.createToken({ orgId: service.orgId });
      const settings = { type: "service" as const, grant_types: ["client_credentials"], redirect_uris: [] };
      const party = await createRelyingParty(service, {
        ...{ ...settings, service_user_id: machineId, access_token_type, roles: ROLES },
      });
      await change("AddUserAppRoles", party, ["editor"], machineId);
      const { access_token: token } = await client.clientCredentialsGrant(party.configuration);
      service.secret(token);
      expect(await client.tokenIntrospection(party.configuration, token)).toMatchObject({
        sub: machineId,
        roles: ["editor"],
      });
      if (access_token_type === "jwt") expect(decodeJwt(token)).toMatchObject({ sub: machineId, roles: ["editor"] });
    },
  );
});
