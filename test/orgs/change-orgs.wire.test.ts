import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  await service.createOrg("Zürich");
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const send = async (rpc: Rpc, request: JsonObject, headers = {}): Promise<JsonObject> => {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};

test("AddOrg adds an organization, once for each idempotency key", async () => {
  const name = "Acme";
  const headers = { "idempotency-key": "add" };
  const first = await send("AddOrg", { name: ` ${name} ` }, headers);
  const { id } = first as { id: string };
  expect(first).toMatchObject({ details: { sequence: "1", resourceOwner: id } });
  expect(await send("AddOrg", { name: ` ${name} ` }, headers)).toEqual(first);
  expect(await send("GetMyOrg", {}, { "x-service-orgid": id })).toMatchObject({ org: { id, name } });
  expect(await eventsOf(id)).toEqual([["org.added", { name }]]);
});

test("UpdateOrg renames the organization of the call", async () => {
  const { id } = (await send("AddOrg", { name: "Before" })) as { id: string };
  const headers = { "x-service-orgid": id };
  const name = "After";
  for (const _attempt of [1, 2]) {
    const details = { sequence: "2", resourceOwner: id };
    expect(await send("UpdateOrg", { name }, headers)).toMatchObject({ details });
  }
  expect(await send("GetMyOrg", {}, headers)).toMatchObject({ org: { name, details: { sequence: "2" } } });
  expect((await eventsOf(id)).at(-1)).toEqual(["org.changed", { name }]);
  // Only the case differs, so it is still its own name.
  expect(await send("UpdateOrg", { name: name.toUpperCase() }, headers)).toMatchObject({
    details: { sequence: "3" },
  });
});

test("a name must be unique ignoring case, and must follow the rules", async () => {
  for (const rpc of ["AddOrg", "UpdateOrg"] as const) {
    const taken = () => caller.call(rpc, { name: "zÜRICH" });
    await expectError(service.db, "grpc", taken, "ORG_NAME_TAKEN");
    for (const name of ["", "   ", "a".repeat(201), "a\u200bb", randomUUID()]) {
      await expectError(service.db, "grpc", () => caller.call(rpc, { name }), "INVALID_ARGUMENT", ["name"]);
    }
  }
});

test("IsOrgUnique tells whether a name is unused", async () => {
  expect(await send("IsOrgUnique", { name: " ZÜRICH " })).toEqual({});
  expect(await send("IsOrgUnique", { name: "Nobody's" })).toEqual({ isUnique: true });
  await expectError(service.db, "grpc", () => caller.call("IsOrgUnique", { name: "" }), "INVALID_ARGUMENT", ["name"]);
});

async function eventsOf(id: string) {
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("aggregate_id", "=", id)
    .orderBy("sequence")
    .execute();
  return events.map(({ type, payload }) => [type, payload]);
}
