import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import type { JsonObject } from "@bufbuild/protobuf";
import { LIMITS } from "../../src/limits.ts";
import { createCaller, PROTOCOLS, type Rpc, type TestProtocol } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { CLIENT_SECRET } from "../support/clients/requests.ts";
import { type Issuer, startIssuer } from "../support/oidc/issuer.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { OWNERS, type Owner } from "./change-idp.cases.ts";
import { PROVIDERS } from "./provider-requests.ts";

const PRIVATE = { IDP_ALLOW_PRIVATE_NETWORKS: "true" };

let service: TestService;
let provider: Issuer;
beforeAll(async () => {
  provider = await startIssuer();
  service = await startService("postgres", PRIVATE);
  service.secret(CLIENT_SECRET);
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});
beforeEach(() => provider.publish());

const rpcOf = (name: string, owner: Owner) => `${owner === "org" ? "" : "AdminService."}${name}` as Rpc;

async function send(rpc: Rpc, request: JsonObject, orgId = service.orgId, protocol: TestProtocol = "grpc") {
  const caller = createCaller(protocol, service, service.adminToken);
  const outcome = await caller.call(rpc, request, { "x-service-orgid": orgId });
  caller.close();
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}
const add = async (changes: JsonObject = {}, owner: Owner = "instance") => {
  const request = { ...PROVIDERS.GenericOIDC, issuer: provider.issuer, ...changes };
  return String((await send(rpcOf("AddGenericOIDCProvider", owner), request)).id);
};
const check = (id: string, owner: Owner = "instance") => send(rpcOf("CheckProvider", owner), { id });
const eventsOf = (id: string) =>
  service.db.selectFrom("events").select("type").where("aggregate_id", "=", id).execute();

test.each(OWNERS)("a provider of the %s is checked like a sign-in, and nothing changes", async (owner) => {
  const id = await add({ scopes: ["openid", "groups"] }, owner);
  const checked = await check(id, owner);
  const { issuer } = provider;
  expect(checked).toMatchObject({
    warnings: ["scopes: the provider does not list groups", "issuer: is not encrypted"],
    metadata: [
      { name: "issuer", value: issuer },
      { name: "authorization_endpoint", value: `${issuer}/authorize` },
      { name: "token_endpoint", value: `${issuer}/token` },
      { name: "jwks_uri", value: `${issuer}/keys` },
      { name: "userinfo_endpoint", value: `${issuer}/me` },
    ],
    supportedScopes: ["openid", "email"],
    isComplete: true,
    callbackUrl: `${service.config.publicUrl}/ui/idps/${id}/callback`,
  });
  expect(checked.problems ?? []).toEqual([]);
  expect(provider.requested).toEqual(["/.well-known/openid-configuration", "/keys"]);
  expect(await eventsOf(id)).toHaveLength(1);
});

test("what a sign-in would fail of is a problem", async () => {
  const id = await add();
  provider.publish({ issuer: `${provider.issuer}/` });
  expect((await check(id)).problems).toEqual([expect.stringMatching(/^issuer: the metadata has the issuer /)]);
  provider.publish({}, { keys: [] });
  expect((await check(id)).problems).toEqual([`jwks_uri: ${provider.issuer}/keys has no keys`]);
  provider.answers.delete("/keys");
  expect((await check(id)).problems).toEqual([
    `jwks_uri: ${provider.issuer}/keys responds with status 404 instead of 200`,
  ]);
  provider.publish();
  await send("DeactivateIDP", { idpId: id });
  expect((await check(id)).problems).toEqual(["the provider is deactivated"]);
});

test("what is not checked of other kinds is said, and nothing is requested", async () => {
  const github = String((await send("AddGitHubProvider", PROVIDERS.GitHub)).id);
  expect(await check(github, "org")).toMatchObject({
    warnings: [expect.stringContaining("publishes no metadata")],
    callbackUrl: `${service.config.publicUrl}/ui/idps/${github}/callback`,
  });
  const saml = String((await send("AddSAMLProvider", PROVIDERS.SAML)).id);
  expect(await check(saml, "org")).toMatchObject({
    metadata: expect.arrayContaining([{ name: "certificates", value: "1" }]),
    callbackUrl: `${service.config.publicUrl}/ui/idps/${saml}/saml/acs`,
  });
  expect(provider.requested).toEqual([]);
});

test("an organization checks its own providers only", async () => {
  const [own, ofInstance] = [await add({}, "org"), await add()];
  const other = await service.createOrg("Other");
  const caller = createCaller("rest", service, service.adminToken);
  const cases = [
    ["CheckProvider", ofInstance, service.orgId],
    ["CheckProvider", own, other],
    ["AdminService.CheckProvider", own, service.orgId],
    ["CheckProvider", "no id", service.orgId],
  ] as const;
  for (const [rpc, id, orgId] of cases) {
    const call = () => caller.call(rpc, { id }, { "x-service-orgid": orgId });
    await expectError(service.db, "rest", call, "IDP_NOT_FOUND");
  }
  expect(provider.requested).toEqual([]);
  caller.close();
});

test("an owner can check its providers a limited number of times per hour", async () => {
  service.stopClock();
  const orgId = await service.createOrg("Impatient");
  const caller = createCaller("rest", service, service.adminToken);
  const add = async (owner: string) => {
    const added = await send("AddGitHubProvider", PROVIDERS.GitHub, owner);
    return () => caller.call("CheckProvider", { id: String(added.id) }, { "x-service-orgid": owner });
  };
  const [first, second] = [await add(orgId), await add(orgId)];
  for (let number = 0; number < LIMITS.providerChecks.most; number++) {
    expect(await (number % 2 === 0 ? first() : second())).toMatchObject({ ok: true });
  }
  await expectError(service.db, "rest", first, "TOO_MANY_PROVIDER_CHECKS");
  // Other owners have their own limit.
  expect(await (await add(await service.createOrg("Patient")))()).toMatchObject({ ok: true });
  service.clockOffsetMs += 3_600_000;
  expect(await first()).toMatchObject({ ok: true });
  caller.close();
});

test("no more than a hundred scopes are returned, and text that messages cannot contain is replaced", async () => {
  const id = await add();
  const scopes = Array.from({ length: 1_000 }, (_, number) => `scope-${number}`);
  provider.publish({ scopes_supported: ["\ud800", ...scopes], userinfo_endpoint: `${provider.issuer}/\udc00` });
  for (const protocol of PROTOCOLS) {
    const checked = await send("AdminService.CheckProvider", { id }, service.orgId, protocol);
    expect(checked.supportedScopes).toEqual(["\ufffd", ...scopes.slice(0, 99)]);
    expect(checked.metadata).toContainEqual({ name: "userinfo_endpoint", value: `${provider.issuer}/\ufffd` });
  }
});

test.each(["/.well-known/openid-configuration", "/keys"])(
  "a response at %s that is not JSON is not returned",
  async (path) => {
    const id = await add();
    provider.serve(path, "internal page of a printer");
    const checked = await check(id);
    expect(checked.problems).toEqual([expect.stringMatching(/ is not (JSON|a JSON Web Key Set)$/)]);
    expect(JSON.stringify(checked)).not.toContain("internal");
  },
);

test("the requests end with the call", async () => {
  const id = await add();
  const asked = Promise.withResolvers<IncomingMessage>();
  provider.answers.set("/.well-known/openid-configuration", (_response, request) => asked.resolve(request));
  const request = sendRequest(`${service.origin}/admin/v1/idps/${id}/_check`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
  });
  request.on("error", () => {});
  request.end("{}");
  const { socket } = await asked.promise;
  const closed = once(socket, "close");
  request.destroy();
  await closed;
});

test("without IDP_ALLOW_PRIVATE_NETWORKS, a provider of an organization is reached at public addresses only", async () => {
  const provider = await startIssuer();
  provider.publish();
  const service = await startService("postgres");
  const caller = createCaller("rest", service, service.adminToken);
  const request = { ...PROVIDERS.GenericOIDC, issuer: provider.issuer };
  const problemsOf = async (owner: Owner) => {
    const of = owner === "org" ? "" : ("AdminService." as const);
    const added = await caller.call(`${of}AddGenericOIDCProvider` as Rpc, request);
    const id = added.ok ? String(added.message.id) : "";
    const checked = await caller.call(`${of}CheckProvider` as Rpc, { id });
    return checked.ok ? (checked.message.problems ?? []) : checked;
  };
  expect(await problemsOf("org")).toEqual([expect.stringMatching(/127\.0\.0\.1 has an address that is not public$/)]);
  expect(provider.requested).toEqual([]);
  // The operator chooses those of the instance.
  expect(await problemsOf("instance")).toEqual([]);
  caller.close();
  await service.close();
  await provider.close();
});
