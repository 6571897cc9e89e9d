import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type ReadRpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { CLIENT_SECRET, IDP } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
let otherOrg: Record<string, string>;
/** By name, in order of creation. */
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startService("postgres");
  service.secret(CLIENT_SECRET);
  caller = createCaller("grpc", service, service.adminToken);
  otherOrg = { "x-service-orgid": await service.createOrg("Other") };
  ids = {};
  const add = async (rpc: "AddOIDCIDP" | "AddOrgOIDCIDP", name: string, more = {}, headers = {}) => {
    service.clockOffsetMs += 10;
    const outcome = await caller.call(rpc, { ...IDP, name, ...more }, headers);
    if (!outcome.ok) throw new Error(outcome.message);
    ids[name] = String(outcome.message.idpId);
  };
  await add("AddOIDCIDP", "Social");
  await add("AddOrgOIDCIDP", "workforce_1", {
    stylingType: "STYLING_TYPE_GOOGLE",
    scopes: ["openid", "email"],
    displayNameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    usernameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
    autoRegister: true,
  });
  await add("AddOrgOIDCIDP", "foreign", {}, otherOrg);
  await add("AddOIDCIDP", "Customers");
  await add("AddOrgOIDCIDP", "Partners");
  await caller.call("DeactivateOrgIDP", { idpId: ids.Partners ?? "" });
  await caller.call("UpdateIDP", { idpId: ids.Customers ?? "", name: "Customers", federatedLogoutEnabled: true });
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const read = async (rpc: ReadRpc, request: JsonObject, headers = {}): Promise<JsonObject> => {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const namesOf = async (rpc: "ListIDPs" | "ListOrgIDPs", request: JsonObject, headers = {}) =>
  (((await read(rpc, request, headers)).result ?? []) as { name: string }[]).map(({ name }) => name);

test("GetOrgIDPByID returns all settings except the secret", async () => {
  const { idp } = await read("GetOrgIDPByID", { id: String(ids.workforce_1).toUpperCase() });
  const { details, config: _, ...rest } = idp as { details: JsonObject; config?: unknown };
  expect(details).toMatchObject({ sequence: "1", resourceOwner: service.orgId });
  expect(rest).toEqual({
    id: ids.workforce_1,
    state: "IDP_STATE_ACTIVE",
    name: "workforce_1",
    stylingType: "STYLING_TYPE_GOOGLE",
    owner: "IDP_OWNER_TYPE_ORG",
    oidcConfig: {
      clientId: IDP.clientId,
      issuer: IDP.issuer,
      scopes: ["openid", "email"],
      displayNameMapping: "OIDC_MAPPING_FIELD_EMAIL",
      usernameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
    },
    autoRegister: true,
  });
  const { idp: customers } = await read("GetOrgIDPByID", { id: ids.Customers ?? "" });
  expect(customers).toMatchObject({ name: "Customers", federatedLogoutEnabled: true });
  const { idp: inactive } = await read("GetOrgIDPByID", { id: ids.Partners ?? "" });
  expect(inactive).toMatchObject({ state: "IDP_STATE_INACTIVE", details: { sequence: "2" } });
});

test("an organization reads the providers of the instance, and none of another organization", async () => {
  const { idp } = await read("GetOrgIDPByID", { id: ids.Social ?? "" });
  expect(idp).toMatchObject({ owner: "IDP_OWNER_TYPE_SYSTEM", details: { resourceOwner: service.instanceId } });
  expect(await read("GetIDPByID", { id: ids.Social ?? "" })).toEqual({ idp });
  for (const id of [ids.foreign ?? "", randomUUID(), "no id"]) {
    await expectError(service.db, "grpc", () => caller.call("GetOrgIDPByID", { id }), "IDP_NOT_FOUND");
  }
  await expectError(service.db, "grpc", () => caller.call("GetIDPByID", { id: ids.Partners ?? "" }), "IDP_NOT_FOUND");
});

test("the lists contain the providers of the owner, sorted by creation or by name", async () => {
  const asc = { query: { asc: true } };
  const sortingColumn = "IDP_FIELD_NAME_NAME";
  expect(await namesOf("ListIDPs", {})).toEqual(["Customers", "Social"]);
  expect(await namesOf("ListOrgIDPs", asc)).toEqual(["Social", "workforce_1", "Customers", "Partners"]);
  expect(await namesOf("ListOrgIDPs", asc, otherOrg)).toEqual(["Social", "foreign", "Customers"]);
  const sorted = ["workforce_1", "Social", "Partners", "Customers"];
  expect(await namesOf("ListOrgIDPs", { sortingColumn })).toEqual(sorted);
  const { details } = (await read("ListOrgIDPs", { sortingColumn, query: { limit: 3 } })) as {
    details: Record<string, string>;
  };
  expect(details).toMatchObject({ totalResult: "4", processedSequence: "2" });
  const pageToken = details.nextPageToken ?? "";
  expect(await namesOf("ListOrgIDPs", { sortingColumn, query: { pageToken } })).toEqual(["Customers"]);
  const elsewhere = () => caller.call("ListOrgIDPs", { sortingColumn, query: { pageToken } }, otherOrg);
  await expectError(service.db, "grpc", elsewhere, "INVALID_ARGUMENT", ["query.pageToken"]);
});

test("the lists find by id, name and kind of owner", async () => {
  const queries = (...conditions: JsonObject[]) => ({ queries: conditions, query: { asc: true } });
  const name = (text: string, method: string) => ({
    idpNameQuery: { name: text, method: `TEXT_QUERY_METHOD_${method}` },
  });
  const system = { ownerTypeQuery: { ownerType: "IDP_OWNER_TYPE_SYSTEM" } };
  const org = { ownerTypeQuery: { ownerType: "IDP_OWNER_TYPE_ORG" } };
  const byId = (id = "") => ({ idpIdQuery: { id } });
  expect(await namesOf("ListOrgIDPs", queries(name("WORK", "STARTS_WITH_IGNORE_CASE")))).toEqual(["workforce_1"]);
  expect(await namesOf("ListOrgIDPs", queries(name("s_1", "CONTAINS")))).toEqual([]);
  expect(await namesOf("ListOrgIDPs", queries(name("e_1", "ENDS_WITH")))).toEqual(["workforce_1"]);
  expect(await namesOf("ListOrgIDPs", queries(name("Social", "EQUALS"), system))).toEqual(["Social"]);
  expect(await namesOf("ListOrgIDPs", queries(system))).toEqual(["Social", "Customers"]);
  expect(await namesOf("ListOrgIDPs", queries(org))).toEqual(["workforce_1", "Partners"]);
  expect(await namesOf("ListOrgIDPs", queries(byId(ids.Partners)))).toEqual(["Partners"]);
  expect(await namesOf("ListOrgIDPs", queries(byId(ids.foreign)))).toEqual([]);
  expect(await namesOf("ListIDPs", queries(byId(ids.Partners)))).toEqual([]);
  expect(await namesOf("ListIDPs", queries(name("c", "STARTS_WITH_IGNORE_CASE")))).toEqual(["Customers"]);
  const rejected = () => caller.call("ListOrgIDPs", { queries: [{}, { ownerTypeQuery: {} }] });
  const fields = ["queries[0]", "queries[1].ownerTypeQuery.ownerType"];
  await expectError(service.db, "grpc", rejected, "INVALID_ARGUMENT", fields);
});
