import type { JsonObject } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { grantRole } from "../../src/access/grant-role.ts";
import type { Tables } from "../../src/database/tables.ts";
import type { Role } from "../../src/roles.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createCaller, type WriteRpc } from "../support/clients/callers.ts";
import { CLIENT_SECRET, IDP } from "../support/clients/requests.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** The provider of someone who wants to sign in as its linked users. */
const HOSTILE = "https://hostile.example.com";
const CONFIG = { clientId: IDP.clientId, issuer: IDP.issuer };

/** Every change of a provider of an organization. */
const CHANGES: readonly (readonly [WriteRpc, JsonObject])[] = [
  ["UpdateOrgIDPOIDCConfig", { ...CONFIG, issuer: HOSTILE }],
  ["UpdateOrgIDPOIDCConfig", { ...CONFIG, clientId: "client-of-the-caller" }],
  ["UpdateOrgIDPOIDCConfig", { ...CONFIG, clientSecret: CLIENT_SECRET }],
  ["UpdateOrgIDPOIDCConfig", { ...CONFIG, usernameMapping: "OIDC_MAPPING_FIELD_EMAIL" }],
  ["UpdateOrgIDP", { name: "Renamed", autoRegister: true }],
  ["DeactivateOrgIDP", {}],
  ["ReactivateOrgIDP", {}],
  ["RemoveOrgIDP", {}],
];

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(CLIENT_SECRET);
});
afterAll(() => service?.close());

const parts = () => ({ db: service.db, clock: service.clock });
const idpOf = (id: string) => service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirst();

async function callAs(role: Role, rpc: WriteRpc, request: JsonObject) {
  const { token } = await service.createToken({ orgId: service.orgId, role });
  const caller = createCaller("rest", service, token);
  const outcome = await caller.call(rpc, request);
  caller.close();
  return outcome;
}

async function newIdp(rpc: "AddOrgOIDCIDP" | "AddOIDCIDP" = "AddOrgOIDCIDP"): Promise<string> {
  const outcome = await callAs("INSTANCE_OWNER", rpc, IDP);
  if (!outcome.ok) throw new Error(outcome.message);
  return String(outcome.message.idpId);
}

/** A provider to which a user with these roles is linked. */
async function newLinkedIdp(...roles: Role[]): Promise<string> {
  const idpId = await newIdp();
  const id = await importAda(service, { ...VERIFIED, idps: [{ configId: idpId, externalUserId: "ada" }] });
  for (const role of roles) {
    const scopeId = role.startsWith("INSTANCE_") ? service.instanceId : service.orgId;
    await grantRole(parts(), { user: { id, orgId: service.orgId }, role, scopeId });
  }
  return idpId;
}

describe.each([
  ["ORG_SETTINGS_MANAGER", "ORG_OWNER"],
  ["ORG_SETTINGS_MANAGER", "INSTANCE_OWNER"],
  ["ORG_OWNER", "INSTANCE_OWNER"],
] as const)("%s cannot change a provider to which %s is linked:", (role, linked) => {
  test.each(CHANGES)("%s %j", async (rpc, request) => {
    const idpId = await newLinkedIdp(linked);
    if (rpc === "ReactivateOrgIDP") await callAs("INSTANCE_OWNER", "DeactivateOrgIDP", { idpId });
    const before = await idpOf(idpId);
    const outcome = await callAs(role, rpc, { idpId, ...request });
    expect(outcome).toMatchObject({ ok: false, reason: "PERMISSION_DENIED", http: 403 });
    expect(await idpOf(idpId)).toEqual(before);
  });
});

test("the issuer of a provider with links cannot be changed by anyone", async () => {
  for (const roles of [[], ["ORG_OWNER"]] as const) {
    const idpId = await newLinkedIdp(...roles);
    const before = await idpOf(idpId);
    for (const role of ["INSTANCE_OWNER", "ORG_OWNER"] as const) {
      const outcome = await callAs(role, "UpdateOrgIDPOIDCConfig", { idpId, ...CONFIG, issuer: HOSTILE });
      expect(outcome).toMatchObject({ ok: false, reason: "IDP_HAS_LINKS", code: 9, http: 400 });
      expect(outcome.ok ? "" : outcome.message).toContain("add a new provider");
    }
    expect(await idpOf(idpId)).toEqual(before);
  }
});

test("that of an instance's provider neither, in whichever organization the links are", async () => {
  const idpId = await newIdp("AddOIDCIDP");
  const request = { idpId, ...CONFIG, issuer: HOSTILE };
  await importAda(service, { idps: [{ configId: idpId, externalUserId: "ada" }] });
  expect(await callAs("INSTANCE_OWNER", "UpdateIDPOIDCConfig", request)).toMatchObject({ reason: "IDP_HAS_LINKS" });
});

test("ORG_SETTINGS_MANAGER changes what does not decide who is signed in, for users without a role", async () => {
  const idpId = await newLinkedIdp();
  const send = (rpc: WriteRpc, request: JsonObject) => callAs("ORG_SETTINGS_MANAGER", rpc, { idpId, ...request });
  const issuer = await send("UpdateOrgIDPOIDCConfig", { ...CONFIG, issuer: HOSTILE });
  expect(issuer).toMatchObject({ ok: false, reason: "IDP_HAS_LINKS" });
  // The issuer may name other users to another client (OpenID Connect Core 1.0, section 8.1).
  const client = await send("UpdateOrgIDPOIDCConfig", { ...CONFIG, clientId: "client-of-the-caller" });
  expect(client).toMatchObject({
    ok: false,
    reason: "PERMISSION_DENIED",
    metadata: { permission: "user.write" },
  });
  for (const [rpc, request] of CHANGES.slice(2)) {
    expect([rpc, (await send(rpc, request)).ok]).toEqual([rpc, true]);
  }
});

test("ORG_OWNER changes the client, also with a linked owner of the organization", async () => {
  const idpId = await newLinkedIdp("ORG_OWNER");
  const request = { idpId, ...CONFIG, clientId: "another-client" };
  expect(await callAs("ORG_OWNER", "UpdateOrgIDPOIDCConfig", request)).toMatchObject({ ok: true });
});

test("without links, ORG_SETTINGS_MANAGER changes issuer and client", async () => {
  const idpId = await newIdp();
  const request = { idpId, clientId: "another-client", issuer: HOSTILE };
  expect(await callAs("ORG_SETTINGS_MANAGER", "UpdateOrgIDPOIDCConfig", request)).toMatchObject({ ok: true });
});

describe("a link that is added at the same time", () => {
  const linkTo = (db: Kysely<Tables>, idpId: string, userId: string) =>
    db
      .insertInto("user_idp_links")
      .values({
        org_id: service.orgId,
        idp_id: idpId,
        external_user_id: "ada",
        idp_owner_id: service.orgId,
        user_id: userId,
        display_name: "",
        created_at: new Date(),
      })
      .execute();
  test.each(["", "ORG_OWNER"] as const)("keeps the issuer: %s", async (role) => {
    const [idpId, id] = [await newIdp(), await importAda(service)];
    if (role !== "") {
      await grantRole(parts(), { user: { id, orgId: service.orgId }, role, scopeId: service.orgId });
    }
    const changing = Promise.withResolvers<unknown>();
    await service.db.transaction().execute(async (transaction) => {
      await linkTo(transaction, idpId, id);
      const request = { idpId, ...CONFIG, issuer: HOSTILE };
      callAs("ORG_SETTINGS_MANAGER", "UpdateOrgIDPOIDCConfig", request).then(changing.resolve, changing.reject);
      await untilBlocked(service.db);
    });
    expect(await changing.promise).toMatchObject({ reason: role === "" ? "IDP_HAS_LINKS" : "PERMISSION_DENIED" });
    expect(await idpOf(idpId)).toMatchObject({ issuer: IDP.issuer });
  });
});
