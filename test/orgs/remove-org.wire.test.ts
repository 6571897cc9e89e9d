import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { readSchema } from "../../src/database/copy/read-schema.ts";
import { OTHER_OWNED_ROWS, OWNED_ROWS_OF_USERS } from "../../src/instance/org-removal/owned-rows.ts";
import { updateOrg } from "../../src/orgs/change-org.ts";
import { fillEveryTable } from "../cli/every-table.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { type OtherProviders, startOtherProviders } from "../support/oidc/other-provider.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** Longer than a call may run that was authorized before the removal. */
const LATER_MS = 60_000;

const messageOf = (outcome: Outcome): JsonObject => {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};

let service: TestService;
let caller: Caller;
let count = 0;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

/** An organization with a token of an owner, and the ids of two human users. */
async function newOrg() {
  const name = `Org ${++count}`;
  const orgId = await service.createOrg(name);
  const owner = await service.createToken({ orgId, role: "ORG_OWNER" });
  const humans = [await importUser(orgId, "ada"), await importUser(orgId, "bob")];
  return { name, orgId, owner, humans };
}

async function importUser(orgId: string, userName: string): Promise<string> {
  const outcome = await caller.call("ImportHumanUser", { userName, ...HUMAN }, { "x-service-orgid": orgId });
  return String(messageOf(outcome).userId);
}

const removedColumnsOf = (orgId: string) =>
  service.db.selectFrom("orgs").select(["removed_at", "erased_at"]).where("id", "=", orgId).execute();

async function typesOf(orgId: string, aggregateId: string) {
  return await service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id", "sequence"])
    .where("owner_id", "=", orgId)
    .where("aggregate_id", "=", aggregateId)
    .orderBy("sequence")
    .execute();
}

test("an organization ceases to exist at once, and its data is then erased", async () => {
  const { name, orgId, owner, humans } = await newOrg();
  const of = { "x-service-orgid": orgId };
  const remove = (confirmName: string) => caller.call("AdminService.RemoveOrg", { orgId, confirmName });
  const wrong = () => remove(name.toUpperCase());
  await expectError(service.db, "grpc", wrong, "INVALID_ARGUMENT", ["confirmName"]);
  await expectError(service.db, "grpc", () => remove(""), "INVALID_ARGUMENT", ["confirmName"]);

  const details = { sequence: "3", resourceOwner: orgId };
  expect(messageOf(await remove(name))).toEqual({ details: expect.objectContaining(details) });
  const queries = [{ idQuery: { id: orgId } }];
  expect(messageOf(await caller.call("ListOrgs", { queries })).result ?? []).toEqual([]);
  await expectError(service.db, "grpc", () => caller.call("GetOrgByID", { id: orgId }), "ORG_NOT_FOUND");
  for (const rpc of ["GetMyOrg", "ListUsers", "ReactivateOrg"] as const) {
    await expectError(service.db, "grpc", () => caller.call(rpc, {}, of), "ORG_NOT_FOUND");
  }
  const authorization = `Bearer ${owner.token}`;
  await expectError(service.db, "grpc", () => caller.call("GetMyOrg", {}, { authorization }), "TOKEN_INVALID");
  expect(messageOf(await caller.call("IsOrgUnique", { name }))).toEqual({ isUnique: true });
  const successor = messageOf(await caller.call("AddOrg", { name }));

  expect(messageOf(await remove("anything"))).toEqual({ details: expect.objectContaining(details) });
  await service.orgRemoval.removeDue();
  expect(messageOf(await remove(name))).toMatchObject({ details, erasedUsers: "3", isComplete: true });
  for (const id of humans) {
    const events = await typesOf(orgId, id);
    expect(events.slice(0, -1).map(({ payload }) => payload)).toEqual(events.slice(1).map(() => null));
    expect(events.at(-1)).toMatchObject({ type: "user.removed", payload: {}, editor_id: service.adminId });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => BigInt(index + 1)));
  }
  expect((await typesOf(orgId, orgId)).map(({ type, payload }) => [type, payload])).toEqual([
    ["org.added", null],
    ["org.member.added", null],
    ["org.removed", {}],
  ]);

  service.clockOffsetMs += LATER_MS;
  await service.orgRemoval.removeDue();
  expect(await removedColumnsOf(orgId)).toEqual([]);
  await expectError(service.db, "grpc", () => remove(name), "ORG_NOT_FOUND");
  expect(messageOf(await caller.call("GetOrgByID", { id: successor.id ?? "" }))).toMatchObject({ org: { name } });
});

test("its owner removes it, and cannot call any more", async () => {
  const { name, orgId, owner } = await newOrg();
  const headers = { authorization: `Bearer ${owner.token}` };
  const remove = (confirmName: string) => caller.call("RemoveOrg", { confirmName }, headers);
  await expectError(service.db, "grpc", () => remove(`${name}!`), "INVALID_ARGUMENT", ["confirmName"]);
  expect(messageOf(await remove(name))).toMatchObject({ details: { sequence: "3", resourceOwner: orgId } });
  await expectError(service.db, "grpc", () => remove(name), "TOKEN_INVALID");
  await service.orgRemoval.removeDue();
  expect(await removedColumnsOf(orgId)).toEqual([{ removed_at: expect.any(Date), erased_at: expect.any(Date) }]);
  expect((await typesOf(orgId, owner.userId)).at(-1)).toMatchObject({
    type: "user.removed",
    editor_id: owner.userId,
  });
});

test("an id that is not that of an organization is not found", async () => {
  for (const orgId of ["x", service.instanceId, service.adminId]) {
    const remove = () => caller.call("AdminService.RemoveOrg", { orgId, confirmName: "default" });
    await expectError(service.db, "grpc", remove, "ORG_NOT_FOUND");
  }
});

test("the default organization cannot be removed, nor one with all owners of the instance", async () => {
  const ofDefault = () => caller.call("AdminService.RemoveOrg", { orgId: service.orgId, confirmName: "default" });
  await expectError(service.db, "grpc", ofDefault, "ORG_PROTECTED");
  const { orgId, name } = await newOrg();
  const owner = await service.createToken({ orgId, role: "INSTANCE_OWNER" });
  const setAdmin = (state: "active" | "inactive") =>
    service.db.updateTable("users").set({ state }).where("id", "=", service.adminId).execute();
  await setAdmin("inactive");
  const headers = { authorization: `Bearer ${owner.token}` };
  const remove = (rpc: Rpc) => () =>
    caller.call(rpc, { confirmName: name, ...(rpc !== "RemoveOrg" && { orgId }) }, headers);
  for (const rpc of ["RemoveOrg", "AdminService.RemoveOrg"] as const) {
    await expectError(service.db, "grpc", remove(rpc), "LAST_OWNER");
  }
  await setAdmin("active");
  expect(messageOf(await remove("RemoveOrg")())).toMatchObject({ details: { resourceOwner: orgId } });
});

test("only an owner of the instance removes an organization whose user has a role outside of it", async () => {
  const { orgId, name, owner } = await newOrg();
  await service.createToken({ orgId, role: "ORG_VIEWER", scopeId: service.orgId });
  const asOwner = () => caller.call("RemoveOrg", { confirmName: name }, { authorization: `Bearer ${owner.token}` });
  await expectError(service.db, "grpc", asOwner, "PERMISSION_DENIED");
  messageOf(await caller.call("RemoveOrg", { confirmName: name }, { "x-service-orgid": orgId }));
});

test("calls that began before add nothing, and neither does a caller who is remembered", async () => {
  const { orgId, name } = await newOrg();
  const headers = { "x-service-orgid": orgId };
  const add = () => caller.call("ImportHumanUser", { userName: `user-${++count}`, ...HUMAN }, headers);
  expect([await add(), await add()]).toMatchObject([{ ok: true }, { ok: true }]);
  messageOf(await caller.call("RemoveOrg", { confirmName: name }, headers));
  await expectError(service.db, "grpc", add, "ORG_NOT_FOUND");
  const before = await typesOf(orgId, orgId);
  const notFound = { reason: "ORG_NOT_FOUND" };
  await expect(createTestApp(service, orgId)).rejects.toMatchObject(notFound);
  const { db, clock } = service;
  const call = createPrincipalCall({ orgId });
  await expect(updateOrg({ db, clock }, { name: "Back again" }, call)).rejects.toMatchObject(notFound);
  expect(await typesOf(orgId, orgId)).toEqual(before);
  // A user that was added at the last moment is erased with the others.
  await service.createToken({ orgId });
  await service.orgRemoval.removeDue();
  service.clockOffsetMs += LATER_MS;
  await service.createToken({ orgId });
  await service.orgRemoval.removeDue();
  expect(await removedColumnsOf(orgId)).toEqual([]);
});

test("processes that remove at once erase each user once", async () => {
  const [first, second] = [await newOrg(), await newOrg()];
  for (const { orgId, name } of [first, second]) {
    messageOf(await caller.call("AdminService.RemoveOrg", { orgId, confirmName: name }));
  }
  await Promise.all([service.orgRemoval.removeDue(), service.orgRemoval.removeDue()]);
  for (const { orgId, humans } of [first, second]) {
    for (const id of humans) {
      expect((await typesOf(orgId, id)).filter(({ type }) => type === "user.removed")).toHaveLength(1);
    }
    expect(await removedColumnsOf(orgId)).toMatchObject([{ erased_at: expect.any(Date) }]);
  }
});

test("of two owners of the instance whose organizations are removed at once, one stays", async () => {
  const [first, second] = [await newOrg(), await newOrg()];
  for (const { orgId } of [first, second]) await service.createToken({ orgId, role: "INSTANCE_OWNER" });
  const setAdmin = (state: "active" | "inactive") =>
    service.db.updateTable("users").set({ state }).where("id", "=", service.adminId).execute();
  const owner = await service.createToken({ orgId: second.orgId, role: "INSTANCE_OWNER" });
  await setAdmin("inactive");
  const headers = { authorization: `Bearer ${owner.token}` };
  let other: Promise<Outcome> | undefined;
  await service.db.transaction().execute(async (transaction) => {
    await transaction.updateTable("orgs").set({ state: "inactive" }).where("id", "=", first.orgId).execute();
    // Its snapshot still contains the first organization as active; it waits for this transaction.
    other = caller.call("RemoveOrg", { confirmName: second.name }, headers);
    await Promise.race([other, untilBlocked(service.db)]);
  });
  await expectError(service.db, "grpc", async () => (await other) as Outcome, "LAST_OWNER");
  await setAdmin("active");
});

test("every column with the id of an organization is covered", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid' and column_name ~ '(^|_)(org|owner|scope)_id$'
    order by 1`.execute(service.db);
  const deleted = [...OWNED_ROWS_OF_USERS, ...OTHER_OWNED_ROWS].map(({ table, owner }) => `${table}.${owner}`);
  // They have steps of their own.
  const others = ["apps.owner_id", "events.owner_id", "messages.org_id", "users.org_id"];
  const ofInstance = ["instance.default_org_id"];
  expect(rows.map(({ name }) => name)).toEqual([...deleted, ...others, ...ofInstance].sort());
});

describe("an organization with rows in every table", () => {
  let providers: OtherProviders;
  let service: TestService;
  beforeAll(async () => {
    providers = await startOtherProviders();
    service = await startService("postgres", VISITED);
  });
  afterAll(async () => {
    await service?.close();
    await providers?.close();
  });

  /** The rows of all tables as text, by table. */
  async function rowsOf(): Promise<Map<string, string[]>> {
    const texts = new Map<string, string[]>();
    for (const { name } of await readSchema(service.db)) {
      const { rows } = await sql<{ text: string }>`
        select to_jsonb(row)::text as text from ${sql.table(name)} as row`.execute(service.db);
      texts.set(
        name,
        rows.map(({ text }) => text),
      );
    }
    return texts;
  }

  const including = (texts: Map<string, string[]>, ...words: string[]) =>
    [...texts].flatMap(([table, rows]) =>
      rows.filter((row) => words.some((word) => row.includes(word))).map((row) => `${table}: ${row}`),
    );

  test("leaves nothing but events without personal data, and the rows of others", async () => {
    await fillEveryTable(service, providers);
    const otherId = await service.createOrg("Other");
    const owner = await service.createToken({ orgId: otherId, role: "INSTANCE_OWNER" });
    await service.createToken({ orgId: otherId, role: "ORG_OWNER", scopeId: service.orgId });
    await createTestApp(service, otherId);
    await service.db.updateTable("instance").set({ default_org_id: otherId }).execute();
    const people = ["ada@example.com", "erin@example.com", "grace@other", "+41791234568", "Lovelace"];
    const before = await rowsOf();
    for (const word of people) expect([word, including(before, word).length > 0]).toEqual([word, true]);
    const ofOther = including(before, otherId).filter((row) => !row.includes(service.orgId));
    expect(ofOther.length).toBeGreaterThan(5);

    const caller = createCaller("rest", service, owner.token);
    messageOf(await caller.call("AdminService.RemoveOrg", { orgId: service.orgId, confirmName: "default" }));
    await service.orgRemoval.removeDue();
    service.clockOffsetMs += LATER_MS;
    await service.orgRemoval.removeDue();
    caller.close();

    const after = await rowsOf();
    expect(including(after, ...people)).toEqual([]);
    const left = including(after, service.orgId).filter((row) => !row.startsWith("events: "));
    // Sign-ins in which nobody has authenticated expire after an hour.
    expect(left.filter((row) => !/^oidc_artifacts: .*"kind": "Interaction"/.test(row))).toEqual([]);
    const events = await service.db
      .selectFrom("events")
      .select("payload")
      .distinct()
      .where("owner_id", "=", service.orgId)
      .execute();
    expect(events.filter(({ payload }) => JSON.stringify(payload ?? {}) !== "{}")).toEqual([]);
    expect(ofOther.filter((row) => !including(after, otherId).includes(row))).toEqual([]);
  });
});
