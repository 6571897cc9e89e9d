import * as client from "openid-client";
import { grantRole } from "../../src/access/grant-role.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createCaller, PROTOCOLS, type TestProtocol } from "../support/clients/callers.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const SCOPE = "openid urn:signet:api";

describe("an access token for the RPCs", () => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres", { app: { api_access: true } }));
    const user = { id: userId, orgId: service.orgId };
    await grantRole({ db: service.db, clock: () => new Date() }, { user, role: "ORG_OWNER", scopeId: service.orgId });
  });
  afterAll(() => service.close());

  const call = async (token: string, protocol: TestProtocol = "rest", request = { phone: "+41791234567" }) => {
    const caller = createCaller(protocol, service, token);
    const outcome = await caller.call("UpdateHumanPhone", { userId, ...request });
    caller.close();
    return outcome.ok ? "ok" : outcome.reason;
  };

  test.each(PROTOCOLS)("carries the roles of its user over %s", async (protocol) => {
    const { access_token } = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: SCOPE });
    expect(await call(access_token, protocol)).toBe("ok");
    const [event] = await service.db
      .selectFrom("events")
      .select("editor_id")
      .where("aggregate_id", "=", userId)
      .where("type", "=", "user.human.phone.changed")
      .orderBy("sequence", "desc")
      .execute();
    expect(event?.editor_id).toBe(userId);
  });

  test("may be a JSON Web Token", async () => {
    const jwtApp = await createRelyingParty(service, { access_token_type: "jwt", api_access: true });
    const { access_token } = await signInAndRedeem(service, newBrowser(service), jwtApp, userId, { scope: SCOPE });
    expect(access_token.split(".")).toHaveLength(3);
    expect(await call(access_token)).toBe("ok");
    expect(await call(`${access_token.slice(0, -4)}AAAA`)).toBe("TOKEN_INVALID");
  });

  test("needs the scope, and its user the permission", async () => {
    const { access_token } = await signInAndRedeem(service, newBrowser(service), app, userId);
    expect(await call(access_token)).toBe("TOKEN_INVALID");
    const other = await importAda(service, VERIFIED);
    const tokens = await signInAndRedeem(service, newBrowser(service), app, other, { scope: SCOPE });
    expect(await call(tokens.access_token)).toBe("PERMISSION_DENIED");
    const line = service.logs.findLast(({ msg }) => msg === "call");
    expect(line).toMatchObject({ reason: "PERMISSION_DENIED", userId: other });
    expect(line).not.toHaveProperty("tokenId");
  });

  test("of an application of an organization carries no roles outside of it", async () => {
    const [id, otherOrgId] = [await importAda(service, VERIFIED), await service.createOrg("other")];
    const user = { id, orgId: service.orgId };
    const parts = { db: service.db, clock: () => new Date() };
    await grantRole(parts, { user, role: "INSTANCE_OWNER", scopeId: service.instanceId });
    await grantRole(parts, { user, role: "ORG_OWNER", scopeId: otherOrgId });
    await grantRole(parts, { user, role: "ORG_USER_MANAGER", scopeId: service.orgId });
    const ofInstance = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
    const list = async (party: RelyingParty) => {
      const { access_token } = await signInAndRedeem(service, newBrowser(service), party, id, { scope: SCOPE });
      const caller = createCaller("rest", service, access_token);
      const outcomes = [
        await caller.call("ListUsers", {}),
        await caller.call("ListUsers", {}, { "x-service-orgid": otherOrgId }),
        await caller.call("ListOrgMembers", {}),
      ];
      caller.close();
      return outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.reason));
    };
    expect(await list(app)).toEqual(["ok", "PERMISSION_DENIED", "PERMISSION_DENIED"]);
    expect(await list(ofInstance)).toEqual(["ok", "ok", "ok"]);
  });

  test("is not an ID token, refresh token or code", async () => {
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, {
      scope: `${SCOPE} offline_access`,
    });
    expect(await call(String(tokens.refresh_token))).toBe("TOKEN_INVALID");
    expect(await call(String(tokens.id_token))).toBe("TOKEN_INVALID");
  });

  const ends: Record<
    string,
    (tokens: client.TokenEndpointResponse, browser: ReturnType<typeof newBrowser>) => unknown
  > = {
    "it is revoked": ({ access_token }) => client.tokenRevocation(app.configuration, access_token),
    "its refresh token is revoked": (tokens) => client.tokenRevocation(app.configuration, String(tokens.refresh_token)),
    "the user signs out": ({ id_token }, browser) =>
      browser.open(`${service.config.publicUrl}/oidc/v1/end_session?id_token_hint=${id_token}`),
    "the user's sessions are ended": async () => {
      const { sessions } = await service.sessions.list(userId);
      await service.sessions.end(
        userId,
        sessions.map(({ id }) => id),
      );
    },
    "the user is locked": () => setState("locked"),
    "the user is deactivated": () => setState("inactive"),
    "the application is switched off": () =>
      service.db.updateTable("apps").set({ state: "inactive" }).where("id", "=", app.id).execute(),
    "an hour has passed": () => {
      service.clockOffsetMs = 3_601_000;
    },
  };
  const setState = (state: "active" | "inactive" | "locked") =>
    service.db.updateTable("users").set({ state }).where("id", "=", userId).execute();

  test.each(Object.keys(ends))("is invalid immediately when %s", async (what) => {
    const browser = newBrowser(service);
    const tokens = await signInAndRedeem(service, browser, app, userId, { scope: `${SCOPE} offline_access` });
    expect(await call(tokens.access_token)).toBe("ok");
    await ends[what]?.(tokens, browser);
    expect(await call(tokens.access_token)).toBe("TOKEN_INVALID");
    service.clockOffsetMs = 0;
    await setState("active");
    await service.db.updateTable("apps").set({ state: "active" }).where("id", "=", app.id).execute();
  });
});
