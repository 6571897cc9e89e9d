import type { JsonObject } from "@bufbuild/protobuf";
import * as client from "openid-client";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import {
  connectRelyingParty,
  createRequest,
  keepSecret,
  newBrowser,
  REDIRECT_URI,
  type RelyingParty,
  type Request,
  signIn,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let userId: string;
let caller: Caller;
beforeAll(async () => {
  ({ service, userId } = await startProvider("postgres"));
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function call(rpc: Rpc, request: JsonObject): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

/** Adds an application by the API, and connects a client. */
async function addApp(config: JsonObject): Promise<RelyingParty> {
  const added = await call("AddOIDCApp", { name: "Wiki", redirectUris: [REDIRECT_URI], ...config });
  const secret = added.clientSecret === undefined ? undefined : String(added.clientSecret);
  return connectRelyingParty(service, { id: String(added.clientId), secret, redirectUri: REDIRECT_URI });
}

async function requiresPkce({ id }: RelyingParty): Promise<boolean> {
  const { app } = (await call("GetAppByID", { appId: id })) as { app: { oidcConfig: { requiresPkce?: boolean } } };
  return app.oidcConfig.requiresPkce ?? false;
}

function withoutChallenge(app: RelyingParty, parameters: Record<string, string> = {}): Request {
  const { url, checks } = createRequest(app, parameters);
  url.searchParams.delete("code_challenge");
  url.searchParams.delete("code_challenge_method");
  const { pkceCodeVerifier: _, ...rest } = checks;
  return { url, checks: rest };
}

async function errorOf({ url }: Request): Promise<string | null> {
  const { location } = await newBrowser(service).open(url.href);
  return new URL(location, service.config.publicUrl).searchParams.get("error");
}

/** Signs in with a request, and redeems the code with another verifier. */
async function redeemWith(app: RelyingParty, { url, checks }: Request, pkceCodeVerifier: string | undefined) {
  const callback = await signIn(service, newBrowser(service), url, userId);
  service.secret(callback.searchParams.get("code") ?? "");
  const { pkceCodeVerifier: _, ...rest } = checks;
  const given = { ...rest, idTokenExpected: true, ...(pkceCodeVerifier !== undefined && { pkceCodeVerifier }) };
  const tokens = await client.authorizationCodeGrant(app.configuration, callback, given);
  keepSecret(service, tokens);
  return tokens;
}

test("an application with a secret signs users in without PKCE", async () => {
  const app = await addApp({});
  expect(await requiresPkce(app)).toBe(false);
  const request = withoutChallenge(app);
  expect((await redeemWith(app, request, undefined)).claims()).toMatchObject({ sub: userId });
  // OpenID Connect Core 1.0, section 3.1.2.6.
  expect(await errorOf(withoutChallenge(app, { prompt: "none" }))).toBe("login_required");
});

test("an application that requires PKCE does not sign users in without it, until that changes", async () => {
  const app = await addApp({ requiresPkce: true });
  expect(await requiresPkce(app)).toBe(true);
  expect(await errorOf(withoutChallenge(app))).toBe("invalid_request");
  await call("PatchOIDCAppConfig", { appId: app.id, requiresPkce: false, updateMask: "requiresPkce" });
  const request = withoutChallenge(app);
  expect((await redeemWith(app, request, undefined)).claims()).toMatchObject({ sub: userId });
  await call("UpdateOIDCAppConfig", { appId: app.id, redirectUris: [REDIRECT_URI], requiresPkce: true });
  expect(await errorOf(withoutChallenge(app))).toBe("invalid_request");
  const events = await service.db
    .selectFrom("events")
    .select("payload")
    .where("aggregate_id", "=", app.id)
    .orderBy("sequence")
    .execute();
  expect(events.map(({ payload }) => payload)).toMatchObject(
    [true, false, true].map((value) => ({ requiresPkce: value })),
  );
});

/** RFC 9700, section 2.1.1. */
test("an application without a secret always requires PKCE", async () => {
  const config = { appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
  const app = await addApp({ ...config, requiresPkce: false });
  expect(await requiresPkce(app)).toBe(true);
  expect(await errorOf(withoutChallenge(app))).toBe("invalid_request");
  await call("PatchOIDCAppConfig", { appId: app.id, requiresPkce: false, updateMask: "requiresPkce" });
  expect(await errorOf(withoutChallenge(app))).toBe("invalid_request");
});

/** RFC 9700, section 4.8.2. */
test.each([
  ["a challenge and no verifier", createRequest, undefined],
  ["a verifier and no challenge", withoutChallenge, client.randomPKCECodeVerifier()],
])("a sign-in with %s fails", async (_title, create, verifier) => {
  const app = await addApp({});
  await expect(redeemWith(app, create(app), verifier)).rejects.toMatchObject({ error: "invalid_grant" });
});
