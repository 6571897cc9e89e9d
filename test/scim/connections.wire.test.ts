import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { PROVIDERS } from "../idps/provider-requests.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let other: string;
beforeAll(async () => {
  service = await startService("postgres");
  other = await service.createOrg("Other");
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function send(rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${rpc}: ${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const fail = (rpc: Rpc, request: JsonObject, reason: Parameters<typeof expectError>[3], fields: string[] = []) =>
  expectError(service.db, "grpc", () => caller.call(rpc, request), reason, fields);

test("connections are added, read, changed, rotated and removed", async () => {
  const { appId } = await createTestApp(service, service.orgId);
  const idpId = String((await send("AddGitHubProvider", PROVIDERS.GitHub)).id);
  const settings = {
    ...{ name: "Entra ID", addressRule: "SCIM_ADDRESS_RULE_SILENT", idpId, groupAppId: appId },
    linkAttribute: "SCIM_LINK_ATTRIBUTE_USER_NAME",
  };
  const { id, details, token } = await send("AddScimConnection", settings);
  expect(token).toMatch(/^signet_scim_[0-9A-Za-z]{43}$/);
  expect(details).toMatchObject({ sequence: "1", resourceOwner: service.orgId });
  expect(await send("GetScimConnection", { id: String(id) })).toEqual({ connection: { id, details, ...settings } });

  const changed = { id: String(id), name: "Okta" };
  const updated = await send("UpdateScimConnection", changed);
  expect(updated.details).toMatchObject({ sequence: "2" });
  expect(await send("UpdateScimConnection", changed)).toEqual(updated);
  const rotated = await send("RotateScimToken", { id: String(id) });
  expect(rotated.token).not.toBe(token);
  const { result } = await send("ListScimConnections", { query: { asc: true } });
  const defaults = {
    addressRule: "SCIM_ADDRESS_RULE_INVITE",
    linkAttribute: "SCIM_LINK_ATTRIBUTE_EXTERNAL_ID",
    previousTokenExpirationDate: expect.any(String),
  };
  expect(result).toEqual([{ ...changed, details: rotated.details, ...defaults }]);

  expect(await send("RemoveScimConnection", { id: String(id) })).toMatchObject({ details: { sequence: "4" } });
  const defaultPayload = { linkPath: null, isTrial: false };
  const events = service.db.selectFrom("events").select(["type", "payload"]).where("aggregate_id", "=", String(id));
  expect(await events.orderBy("sequence").execute()).toEqual([
    {
      type: "org.scim.connection.added",
      payload: { name: "Entra ID", addressRule: 2, linkAttribute: 2, idpId, groupAppId: appId, ...defaultPayload },
    },
    {
      type: "org.scim.connection.changed",
      payload: { name: "Okta", addressRule: 1, linkAttribute: 1, idpId: null, groupAppId: null, ...defaultPayload },
    },
    { type: "org.scim.connection.token.rotated", payload: {} },
    { type: "org.scim.connection.removed", payload: {} },
  ]);
});

test("connections are those of the organization", async () => {
  const { id } = await send("AddScimConnection", { name: "Okta" }, { "x-service-orgid": other });
  for (const unknown of [String(id), randomUUID(), "okta"]) {
    for (const rpc of ["GetScimConnection", "RotateScimToken", "RemoveScimConnection"] as const) {
      await fail(rpc, { id: unknown }, "SCIM_CONNECTION_NOT_FOUND");
    }
    await fail("UpdateScimConnection", { id: unknown, name: "Okta" }, "SCIM_CONNECTION_NOT_FOUND");
  }
  expect((await send("ListScimConnections", {})).result ?? []).toEqual([]);
});

test("a connection refers to a provider and an application that the organization has", async () => {
  const idp = await send("AddGitHubProvider", PROVIDERS.GitHub, { "x-service-orgid": other });
  const app = await createTestApp(service, other);
  const fields = ["idpId", "groupAppId"];
  const { id } = await send("AddScimConnection", { name: "Okta" });
  for (const [idpId, groupAppId] of [
    [String(idp.id), app.appId],
    [randomUUID(), randomUUID()],
    ["google", "shop"],
  ]) {
    const request = { name: "Okta", idpId: String(idpId), groupAppId: String(groupAppId) };
    await fail("AddScimConnection", request, "INVALID_ARGUMENT", fields);
    await fail("UpdateScimConnection", { ...request, id: String(id) }, "INVALID_ARGUMENT", fields);
  }
});

test("users are linked by an own attribute that has one text", async () => {
  const linkAttribute = "SCIM_LINK_ATTRIBUTE_CUSTOM";
  const URN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
  for (const [given, linkPath] of [
    ["nickname", "nickName"],
    ["urn:ietf:params:scim:schemas:core:2.0:User:name.givenname", "name.givenName"],
    [`${URN.toUpperCase()}:employeenumber`, `${URN}:employeeNumber`],
    [`${URN}:manager.value`, `${URN}:manager.value`],
  ]) {
    const { id } = await send("AddScimConnection", { name: "Okta", linkAttribute, linkPath: String(given) });
    const { connection } = await send("GetScimConnection", { id: String(id) });
    expect(connection).toMatchObject({ linkAttribute, linkPath });
    await send("UpdateScimConnection", { id: String(id), name: "Okta" });
    await send("UpdateScimConnection", { id: String(id), name: "Okta", linkAttribute, linkPath: String(given) });
    expect(await send("GetScimConnection", { id: String(id) })).toMatchObject({ connection: { linkPath } });
  }
  for (const linkPath of [
    "",
    "emails",
    "emails.value",
    "active",
    "groups",
    "name",
    "name.formatted",
    "constructor",
    "a.b.c",
    URN,
  ]) {
    await fail("AddScimConnection", { name: "Okta", linkAttribute, linkPath }, "INVALID_ARGUMENT", ["linkPath"]);
  }
  await fail("AddScimConnection", { name: "Okta", linkPath: "nickName" }, "INVALID_ARGUMENT", ["linkPath"]);
});

test("an organization has at most 20 connections, also if they are added at once", async () => {
  const orgId = await service.createOrg("Many");
  const add = () => caller.call("AddScimConnection", { name: "Okta" }, { "x-service-orgid": orgId });
  const outcomes = await Promise.all(Array.from({ length: 25 }, add));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(20);
  await expectError(service.db, "grpc", add, "TOO_MANY_SCIM_CONNECTIONS");
});
