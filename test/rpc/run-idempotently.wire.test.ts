import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { createRetention } from "../../src/instance/retention.ts";
import { ENDED_RESPONSES } from "../../src/server/delete-ended.ts";
import { createWriteRequests, detailsOf } from "../access/write-requests.ts";
import {
  type Caller,
  createCaller,
  PROTOCOLS,
  WRITE_RPCS as RPCS,
  type WriteRpc as Rpc,
} from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const HOUR_MS = 3_600_000;
/** Every visible ASCII character. */
const VISIBLE = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 0x21 + index));

/** RPCs of each kind: they create, change and remove, with and without secrets, one object and several. */
const REPRESENTATIVES: readonly Rpc[] = [
  ...(["ImportHumanUser", "BulkImportHumanUsers", "UpdateHumanPhone", "AddPersonalAccessToken"] as const),
  ...(["AddAppleProvider", "UpdateAzureADProvider", "RemoveWebhook", "AddIAMMember"] as const),
];

/** Every RPC that writes over REST, where each has a route of its own, on PostgreSQL. */
const SETTINGS = [
  { kind: "postgres", protocol: "rest", rpcs: RPCS, others: PROTOCOLS.filter((protocol) => protocol !== "rest") },
  { kind: "embedded", protocol: "grpc", rpcs: REPRESENTATIVES, others: [] },
] as const;

/** The name of the organization that is removed. */
const REMOVED = "Removed";

let count = 0;

describe.each(SETTINGS)("a call with idempotency-key over $protocol on $kind", ({ kind, protocol, rpcs, others }) => {
  let service: TestService;
  let caller: Caller;
  let createRequest: ReturnType<typeof createWriteRequests>;
  beforeAll(async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    for (const secret of [BCRYPT, CLIENT_SECRET, PASSWORD]) service.secret(secret);
    caller = createCaller(protocol, service, service.adminToken);
    const provider = await caller.call("AddOIDCIDP", IDP);
    if (!provider.ok) throw new Error(provider.message);
    createRequest = createWriteRequests(service, String(provider.message.idpId));
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const send = (rpc: Rpc, request: JsonObject, key: string, headers = {}, over = caller) =>
    over.call(rpc, request, { "idempotency-key": key, ...headers });

  async function importUser(fields: object = {}): Promise<string> {
    const outcome = await caller.call("ImportHumanUser", { userName: `grace-${++count}`, ...HUMAN, ...fields });
    if (!outcome.ok) throw new Error(outcome.message);
    service.clockOffsetMs += 120_000;
    return String(outcome.message.userId);
  }

  /** A request that succeeds, for a separate object. */
  async function requestOf(rpc: Rpc): Promise<JsonObject> {
    // `orgOf` prepares an organization: the own one has the only owner of the instance, so it stays active.
    if (rpc === "DeactivateOrg" || rpc === "ReactivateOrg") return {};
    if (rpc === "RemoveOrg") return { confirmName: REMOVED };
    const request = await createRequest(rpc, { orgId: service.orgId, humanId: await importUser(), succeeds: true });
    if (rpc !== "ImportHumanUser") return request;
    return { ...request, phone: { phone: "+41791234567" }, requestPasswordlessRegistration: true };
  }

  /** The caller's own organization cannot be deactivated. */
  async function orgOf(rpc: Rpc): Promise<Record<string, string>> {
    if (rpc === "RemoveOrg") return { "x-service-orgid": await service.createOrg(REMOVED) };
    if (rpc !== "DeactivateOrg" && rpc !== "ReactivateOrg") return {};
    const orgId = await service.createOrg(randomUUID().slice(1));
    await service.db.updateTable("orgs").set({ state: "active" }).execute();
    if (rpc === "ReactivateOrg") {
      await service.db.updateTable("orgs").set({ state: "inactive" }).where("id", "=", orgId).execute();
    }
    return { "x-service-orgid": orgId };
  }

  const countOf = async (table: "events" | "messages" | "codes") =>
    Number((await service.db.selectFrom(table).select(sql<string>`count(*)`.as("count")).executeTakeFirst())?.count);
  const countAll = async () => [await countOf("events"), await countOf("messages"), await countOf("codes")];
  const keysOf = () => service.db.selectFrom("idempotency_keys").selectAll().execute();

  async function expectOnce(rpc: Rpc, over = caller): Promise<void> {
    const [request, key] = [await requestOf(rpc), randomUUID()];
    const headers = await orgOf(rpc);
    const first = await send(rpc, request, key, headers, over);
    expect(first.ok && detailsOf(first.message)).toMatchObject({ sequence: expect.any(String) });
    const written = await countAll();
    service.clockOffsetMs += 24 * HOUR_MS - 60_000;
    const second = await send(rpc, request, key, headers, over);
    // The organization of the call does not exist any more (docs/api.md).
    if (rpc === "RemoveOrg") return expect(second).toMatchObject({ ok: false, reason: "ORG_NOT_FOUND" });
    expect(second).toMatchObject({ ok: true, message: (first as { message: JsonObject }).message });
    expect(await countAll()).toEqual(written);
  }

  test.each(rpcs)("%s runs once, and returns the same response for 24 hours", (rpc) => expectOnce(rpc));

  if (others.length > 0) {
    describe.each([...others])("and over %s", (other) => {
      test.each(REPRESENTATIVES)("%s runs once, and returns the same response for 24 hours", async (rpc) => {
        const own = createCaller(other, service, service.adminToken);
        await expectOnce(rpc, own);
        own.close();
      });
    });

    test("a stored response is returned over other protocols", async () => {
      const [request, key] = [await requestOf("AddOIDCIDP"), randomUUID()];
      const first = await send("AddOIDCIDP", request, key);
      if (!first.ok) throw new Error(first.message);
      for (const other of others) {
        const own = createCaller(other, service, service.adminToken);
        expect(await send("AddOIDCIDP", request, key, {}, own)).toMatchObject({ ok: true, message: first.message });
        own.close();
      }
    });
  }

  test("the same key with another call is rejected, and nothing is written", async () => {
    const key = `reused-${randomUUID()}`;
    const userId = await importUser();
    const request = { userId, password: PASSWORD };
    expect(await send("SetHumanPassword", request, key)).toMatchObject({ ok: true });
    const orgId = await service.createOrg(`Other ${protocol}`);
    for (const call of [
      () => send("SetHumanPassword", { ...request, noChangeRequired: true }, key),
      () => send("SetHumanPassword", { ...request, password: `${PASSWORD}!` }, key),
      () => send("SetHumanPassword", request, key, { "x-service-orgid": orgId }),
      () => send("AddOIDCIDP", IDP, key),
      () => send("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: true }, key),
    ]) {
      await expectError(service.db, protocol, call, "IDEMPOTENCY_KEY_REUSED");
    }
  });

  test("a key belongs to its caller", async () => {
    const key = `own-${randomUUID()}`;
    const { token } = await service.createToken({ orgId: service.orgId, role: "INSTANCE_OWNER" });
    const first = await send("AddOIDCIDP", IDP, key);
    const second = await send("AddOIDCIDP", IDP, key, { authorization: `Bearer ${token}` });
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({ ok: true });
    expect(first.ok && second.ok && first.message.idpId !== second.message.idpId).toBe(true);
  });

  test("a failed call is not stored, so that a corrected one can use the key", async () => {
    const key = `failed-${randomUUID()}`;
    const before = await keysOf();
    const unknown = { userId: randomUUID(), password: PASSWORD };
    await expectError(service.db, protocol, () => send("SetHumanPassword", unknown, key), "USER_NOT_FOUND");
    const invalid = { ...unknown, password: "" };
    await expectError(service.db, protocol, () => send("SetHumanPassword", invalid, key), "INVALID_ARGUMENT", [
      "password",
    ]);
    expect(await keysOf()).toEqual(before);
    const userId = await importUser();
    expect(await send("SetHumanPassword", { userId, password: PASSWORD }, key)).toMatchObject({ ok: true });
  });

  test("a rejected change is not stored", async () => {
    const key = `refused-${randomUUID()}`;
    const id = await importUser();
    await expectError(service.db, protocol, () => send("UnlockUser", { id }, key), "USER_STATE");
    expect(await caller.call("LockUser", { id })).toMatchObject({ ok: true });
    expect(await send("UnlockUser", { id }, key)).toMatchObject({ ok: true });
  });

  test("after 24 hours, the key can be reused", async () => {
    const key = `old-${randomUUID()}`;
    const first = await send("AddOIDCIDP", IDP, key);
    service.clockOffsetMs += 24 * HOUR_MS;
    const second = await send("AddOIDCIDP", IDP, key);
    expect(first.ok && second.ok && first.message.idpId !== second.message.idpId).toBe(true);
  });

  test("after 24 hours, the key can be reused for a call that runs before its response is looked up", async () => {
    const key = `old-${randomUUID()}`;
    const change = { userId: await importUser(), phone: "+41791234567", isPhoneVerified: true };
    expect(await send("UpdateHumanPhone", change, key)).toMatchObject({ ok: true });
    service.clockOffsetMs += 24 * HOUR_MS;
    const other = () => send("UpdateHumanPhone", { ...change, phone: "+41791234568" }, key);
    const second = await other();
    if (!second.ok) throw new Error(second.message);
    expect(await other()).toMatchObject({ ok: true, message: second.message });
  });

  test("a repeated call changes nothing, although the object has changed since", async () => {
    const key = `again-${randomUUID()}`;
    const userId = await importUser();
    const change = (phone: string, ownKey: string) =>
      send("UpdateHumanPhone", { userId, phone, isPhoneVerified: true }, ownKey);
    const first = await change("+41791234567", key);
    if (!first.ok) throw new Error(first.message);
    expect(await change("+41791234568", `other-${key}`)).toMatchObject({ ok: true });
    const before = await countAll();
    expect(await change("+41791234567", key)).toMatchObject({ ok: true, message: first.message });
    expect(await countAll()).toEqual(before);
    const { phone } = await service.db
      .selectFrom("users")
      .select("phone")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(phone).toBe("+41791234568");
  });

  test("of fifty such concurrent calls, one runs", async () => {
    const cases = [
      ["AddOIDCIDP", await requestOf("AddOIDCIDP")],
      ["ImportHumanUser", { ...(await requestOf("ImportHumanUser")), password: PASSWORD, hashedPassword: null }],
      ["UpdateHumanPhone", await requestOf("UpdateHumanPhone")],
    ] as const;
    for (const [rpc, { hashedPassword, ...rest }] of cases as readonly (readonly [Rpc, JsonObject])[]) {
      const request = hashedPassword ? { ...rest, hashedPassword } : rest;
      const key = `many-${randomUUID()}`;
      const before = await countOf("events");
      const responses = await Promise.all(Array.from({ length: 50 }, () => send(rpc, request, key)));
      const messages = new Set(responses.map((response) => JSON.stringify(response.ok ? response.message : response)));
      expect([...messages]).toHaveLength(1);
      expect(responses[0]).toMatchObject({ ok: true });
      const { sequence } = (responses[0] as unknown as { message: { details: { sequence: string } } }).message.details;
      const written = (await countOf("events")) - before;
      expect([rpc, written]).toEqual([rpc, rpc === "UpdateHumanPhone" ? 2 : Number(sequence)]);
    }
  });

  test.each([
    ["one character", "~", true],
    ["255 characters", VISIBLE.repeat(3).slice(0, 255), true],
    ["256 characters", "x".repeat(256), false],
    ["an empty value", "", false],
    ["a space", "a b", false],
    ["a letter beyond ASCII", "\u00e9", false],
    ["two values", "a, a", false],
  ])("a key of %s", async (_what, key, isValid) => {
    const call = () => send("AddOIDCIDP", IDP, key);
    // This client does not send non-ASCII bytes.
    if (protocol === "grpc" && /[^\x20-\x7e]/.test(key)) return;
    if (isValid) expect(await call()).toMatchObject({ ok: true });
    else await expectError(service.db, protocol, call, "INVALID_ARGUMENT", ["idempotency-key"]);
  });

  test("expired responses are deleted even if ended rows are kept forever", async () => {
    await send("AddOIDCIDP", IDP, `ended-${randomUUID()}`);
    const { db } = service;
    const parts = { db, days: 0, purges: [ENDED_RESPONSES], removeFiles: async () => {}, log: { info() {} } as never };
    const clockIn = (hours: number) => () => new Date(Date.now() + service.clockOffsetMs + hours * HOUR_MS);
    const kept = (await keysOf()).length;
    await createRetention({ ...parts, clock: clockIn(-10_000) }).deleteDue();
    expect(await keysOf()).toHaveLength(kept);
    await createRetention({ ...parts, clock: clockIn(24) }).deleteDue();
    expect(await keysOf()).toEqual([]);
  });
});
