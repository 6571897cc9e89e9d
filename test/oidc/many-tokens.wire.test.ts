import { sql } from "kysely";
import * as client from "openid-client";
import { MAX_ENDED_TOKENS } from "../../src/apps/hold-app.ts";
import { call, importAda } from "../support/browsers/visitor.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SCOPE = "openid offline_access urn:signet:api";
const MORE = 50;

describe("an application with more tokens than one statement deletes", () => {
  let service: TestService;
  let other: RelyingParty;
  let userId: string;
  beforeAll(async () => {
    service = await startService("postgres");
    other = await createRelyingParty(service, { api_access: true });
    userId = await importAda(service, { email: { email: "ada@example.com", isEmailVerified: true } });
  });
  afterAll(() => service?.close());

  const artifactsOf = (app: RelyingParty) =>
    service.db.selectFrom("oidc_artifacts").selectAll().where("client_id", "=", app.id);

  async function countTokens(app: RelyingParty): Promise<number> {
    return (await artifactsOf(app).execute()).length;
  }

  /** An application with tokens of a user, and rows that represent other users' tokens. */
  async function newApp() {
    const app = await createRelyingParty(service, { api_access: true });
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: SCOPE });
    const own = await artifactsOf(app).execute();
    await sql`
      insert into oidc_artifacts (kind, key, payload, client_id, created_at, expires_at)
      select 'Grant', decode(md5(${app.id} || number), 'hex'), '{}', ${app.id}, now(), now() + interval '1 day'
      from generate_series(1, ${MAX_ENDED_TOKENS + MORE}::int) as number`.execute(service.db);
    /** Puts the user's rows among the rows left by the statement. */
    const keepOwn = () =>
      service.db
        .insertInto("oidc_artifacts")
        .values(own.map((row) => ({ ...row, payload: JSON.stringify(row.payload) })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return { app, tokens, keepOwn };
  }

  /** What the tokens can still be used for. */
  async function usesOf(app: RelyingParty, { access_token, refresh_token = "" }: client.TokenEndpointResponse) {
    const bearer = { headers: { authorization: `Bearer ${access_token}` } };
    const introspected = await client.tokenIntrospection(other.configuration, access_token);
    return {
      rpc: (await fetch(`${service.origin}/management/v1/orgs/me`, bearer)).status,
      userinfo: (await fetch(`${service.origin}/oidc/v1/userinfo`, bearer)).status,
      introspection: introspected.active,
      refresh: await client.refreshTokenGrant(app.configuration, refresh_token).then(
        ({ access_token: refreshed }) => service.secret(refreshed) && "ok",
        ({ error, status }) => error ?? status,
      ),
    };
  }

  const INVALID = { rpc: 401, userinfo: 401, introspection: false };

  test("is deactivated, and its tokens stay invalid after it is reactivated", async () => {
    const { app, tokens, keepOwn } = await newApp();
    await call(service, "DeactivateApp", { appId: app.id });
    expect(await countTokens(app)).toBeGreaterThanOrEqual(MORE);
    await keepOwn();
    expect(await usesOf(app, tokens)).toEqual({ ...INVALID, refresh: 401 });
    await call(service, "ReactivateApp", { appId: app.id });
    expect(await countTokens(app)).toBe(0);
    expect(await usesOf(app, tokens)).toEqual({ ...INVALID, refresh: "invalid_grant" });
  });

  test("is removed, and its tokens are invalid", async () => {
    const { app, tokens, keepOwn } = await newApp();
    await call(service, "RemoveApp", { appId: app.id });
    expect(await countTokens(app)).toBeGreaterThanOrEqual(MORE);
    await keepOwn();
    expect(await usesOf(app, tokens)).toEqual({ ...INVALID, refresh: 401 });
  });
});
