import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let count = 0;
const newIdentifier = () => `https://api.example.com/${++count}`;

describe("APIs", () => {
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

  const eventsOf = async (id: unknown) =>
    await service.db
      .selectFrom("events")
      .select(["type", "payload"])
      .where("aggregate_id", "=", String(id))
      .orderBy("sequence")
      .execute();

  test("are added, read, changed and removed", async () => {
    const { appId } = await createTestApp(service, service.orgId);
    const identifier = newIdentifier();
    const lists = { scopes: ["orders:read", "orders:write"], introspectorAppIds: [appId] };
    const settings = { name: "Orders", ...lists, allowsUnregisteredClients: true };
    const { id, details } = await send("AddAPI", { ...settings, identifier });
    expect(details).toMatchObject({ sequence: "1", resourceOwner: service.orgId });
    expect(await send("GetAPIByID", { id: String(id) })).toEqual({ api: { id, details, identifier, ...settings } });

    const changed = { id: String(id), name: "Bestellungen", scopes: ["orders:read"] };
    const updated = await send("UpdateAPI", changed);
    expect(updated.details).toMatchObject({ sequence: "2" });
    expect(await send("UpdateAPI", changed)).toEqual(updated);
    const { result } = await send("ListAPIs", { query: { asc: true } });
    const listed = (result as JsonObject[]).find((api) => api.id === id);
    expect(listed).toMatchObject({ ...changed, identifier });
    expect(listed?.introspectorAppIds ?? []).toEqual([]);
    expect(listed?.allowsUnregisteredClients ?? false).toBe(false);

    expect(await send("RemoveAPI", { id: String(id) })).toMatchObject({ details: { sequence: "3" } });
    for (const rpc of ["GetAPIByID", "RemoveAPI"] as const) await fail(rpc, { id: String(id) }, "API_NOT_FOUND");
    await fail("UpdateAPI", changed, "API_NOT_FOUND");
    expect(await eventsOf(id)).toEqual([
      { type: "org.api.added", payload: { identifier, ...settings } },
      {
        type: "org.api.changed",
        payload: {
          ...{ name: "Bestellungen", scopes: ["orders:read"], introspectorAppIds: [] },
          allowsUnregisteredClients: false,
        },
      },
      { type: "org.api.removed", payload: {} },
    ]);
    // The identifier is free again.
    await send("AddAPI", { name: "Orders", identifier });
  });

  test("have an identifier that is unique in the instance", async () => {
    const identifier = newIdentifier();
    await send("AddAPI", { name: "Orders", identifier }, { "x-service-orgid": other });
    await fail("AddAPI", { name: "Orders", identifier }, "API_IDENTIFIER_TAKEN");
    // Compared character by character.
    await send("AddAPI", { name: "Orders", identifier: `${identifier}/` });
  });

  test("are those of the organization", async () => {
    const { id } = await send("AddAPI", { name: "Orders", identifier: newIdentifier() }, { "x-service-orgid": other });
    for (const unknown of [String(id), randomUUID(), "orders"]) {
      for (const rpc of ["GetAPIByID", "RemoveAPI"] as const) await fail(rpc, { id: unknown }, "API_NOT_FOUND");
      await fail("UpdateAPI", { id: unknown, name: "Orders" }, "API_NOT_FOUND");
    }
    const { result = [] } = await send("ListAPIs", { query: { limit: 1000 } });
    expect((result as JsonObject[]).map((api) => api.id)).not.toContain(id);
  });

  test("are introspected by applications of the organization", async () => {
    const [own, foreign] = [await createTestApp(service, service.orgId), await createTestApp(service, other)];
    const { id } = await send("AddAPI", { name: "Orders", identifier: newIdentifier() });
    for (const unknown of [foreign.appId, randomUUID()]) {
      const introspectorAppIds = [own.appId, unknown];
      const added = { name: "Orders", identifier: newIdentifier(), introspectorAppIds };
      await fail("AddAPI", added, "INVALID_ARGUMENT", ["introspectorAppIds"]);
      const changed = { id: String(id), name: "Orders", introspectorAppIds };
      await fail("UpdateAPI", changed, "INVALID_ARGUMENT", ["introspectorAppIds"]);
    }
  });

  test("follow the rules", async () => {
    const scopes = ["orders:read", "a b", "openid", "urn:signet:api", 'say"so', "a".repeat(101), ""];
    const fields = [1, 2, 3, 4, 5, 6].map((n) => `scopes[${n}]`);
    const introspectorAppIds = ["shop"];
    const name = "a\u200b";
    const rules = { name, scopes, introspectorAppIds };
    const violated = ["name", "introspectorAppIds[0]", ...fields];
    await fail("AddAPI", { ...rules, identifier: newIdentifier() }, "INVALID_ARGUMENT", violated);
    const { id } = await send("AddAPI", { name: "Orders", identifier: newIdentifier() });
    await fail("UpdateAPI", { ...rules, id: String(id) }, "INVALID_ARGUMENT", violated);
    for (const identifier of ["orders", "https://a.example/#b", "https://ü.example", "https://me@a.example/", ""]) {
      await fail("AddAPI", { name: "Orders", identifier }, "INVALID_ARGUMENT", ["identifier"]);
    }
    await send("AddAPI", { name: "Orders", identifier: `urn:example:orders-${++count}` });
  });

  test("are added once for an idempotency key", async () => {
    const request = { name: "Orders", identifier: newIdentifier() };
    const headers = { "idempotency-key": "api" };
    expect(await send("AddAPI", request, headers)).toEqual(await send("AddAPI", request, headers));
  });
});
