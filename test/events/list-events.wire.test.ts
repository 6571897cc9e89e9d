import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type ReadRpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

interface ListedEvent {
  readonly editor?: { readonly userId: string; readonly displayName?: string };
  readonly aggregate: { readonly id: string; readonly type: { readonly type: string }; readonly resourceOwner: string };
  readonly sequence: string;
  readonly creationDate: string;
  readonly payload?: JsonObject;
  readonly names?: Readonly<Record<string, string>>;
  readonly type: { readonly type: string; readonly localized: JsonObject };
}

describe("ListEvents", () => {
  let service: TestService;
  let caller: Caller;
  let otherId: string;
  let other: Record<string, string>;
  let userIds: { own: string; other: string };
  /** The editor of the events of the other organization. */
  let editor: { token: string; userId: string };

  beforeAll(async () => {
    service = await startService("postgres");
    caller = createCaller("grpc", service, service.adminToken);
    otherId = await service.createOrg("Other");
    other = { "x-service-orgid": otherId };
    editor = await service.createToken({ orgId: otherId, role: "ORG_OWNER" });
    const importWith = async (userName: string, headers: Record<string, string>) => {
      const outcome = await caller.call("ImportHumanUser", { userName, ...HUMAN }, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    };
    userIds = {
      own: await importWith("ada", {}),
      other: await importWith("ada", { authorization: `Bearer ${editor.token}` }),
    };
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  async function list(rpc: ReadRpc, request: JsonObject, headers = {}) {
    const outcome = await caller.call(rpc, request, headers);
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
    const { events = [], nextSequence } = outcome.message as { events?: ListedEvent[]; nextSequence?: string };
    return { events, next: Number(nextSequence ?? 0), types: events.map(({ type }) => type.type) };
  }

  test("returns an event with its editor, object, time and payload", async () => {
    const { events } = await list("ListEvents", { aggregateId: userIds.other, asc: true }, other);
    expect(events[0]).toMatchObject({
      editor: { userId: editor.userId, displayName: expect.stringMatching(/^machine-/) },
      aggregate: { id: userIds.other, type: { type: "user" }, resourceOwner: otherId },
      sequence: expect.stringMatching(/^\d+$/),
      creationDate: expect.stringMatching(/^20/),
      type: {
        type: "user.human.added",
        localized: { key: "user.human.added", localizedMessage: "User created" },
      },
    });
  });

  test("returns the names of the object and of those in the payload, as far as the caller may read them", async () => {
    const request = { userId: userIds.other, roles: ["ORG_VIEWER"] };
    expect(await caller.call("AddOrgMember", request, other)).toMatchObject({ ok: true });
    const { events } = await list("ListEvents", { eventTypes: ["org.member.added"] }, other);
    const names = { [otherId]: "Other", [userIds.other]: "Ada Lovelace" };
    expect(events[0]?.names).toEqual(names);
    const app = await caller.call(
      "AddOIDCApp",
      { name: "Shop", redirectUris: ["https://shop.example.com"], roles: ["editor"] },
      other,
    );
    const appId = app.ok ? String(app.message.appId) : "";
    const added = { eventTypes: ["user.app.roles.added"], aggregateId: userIds.other };
    const roles = { userId: userIds.other, appId, roles: ["editor"] };
    expect(await caller.call("AddUserAppRoles", roles, other)).toMatchObject({ ok: true });
    const shop = await list("AdminService.ListEvents", added);
    expect(shop.events[0]?.names).toEqual({ ...names, [appId]: "Shop" });
    const manager = await service.createToken({ orgId: otherId, role: "ORG_USER_MANAGER" });
    const seen = await list("ListEvents", added, { authorization: `Bearer ${manager.token}` });
    expect(seen.events[0]?.names).toEqual(names);
  });

  test("returns the payload as a structure, over REST as a JSON object", async () => {
    const request = { eventTypes: ["user.human.added"] };
    const { events } = await list("ListEvents", request, other);
    // proto-loader keeps the form of google.protobuf.Struct on the wire.
    const fields = { userName: { stringValue: "ada" }, phone: { nullValue: "NULL_VALUE" } };
    expect(events[0]?.payload).toMatchObject({ fields });
    const rest = createCaller("rest", service, service.adminToken);
    const message = { events: [{ payload: { userName: "ada", phone: null, hasPassword: true } }] };
    expect(await rest.call("ListEvents", request, other)).toMatchObject({ message });
    rest.close();
  });

  test("the organization sees its own events only, the instance those of all", async () => {
    const own = await list("ListEvents", {}, other);
    expect(new Set(own.events.map(({ aggregate }) => aggregate.resourceOwner))).toEqual(new Set([otherId]));
    const foreign = { resourceOwner: service.orgId };
    expect(await list("ListEvents", foreign, other)).toMatchObject({ events: [], next: 0 });
    expect(await list("ListEvents", { aggregateId: userIds.own }, other)).toMatchObject({ events: [], next: 0 });
    const all = await list("AdminService.ListEvents", {}, other);
    const owners = new Set(all.events.map(({ aggregate }) => aggregate.resourceOwner));
    expect(owners).toEqual(new Set([service.instanceId, service.orgId, otherId]));
  });

  test("an editor of another organization has a name for the instance only", async () => {
    const search = { aggregateId: userIds.own };
    const headers = { "x-service-orgid": service.orgId };
    const foreign = await caller.call("UpdateUserName", { userId: userIds.other, userName: "ada-2" }, other);
    expect(foreign.ok).toBe(true);
    const inOrg = await list("ListEvents", { aggregateId: userIds.other, editorUserId: service.adminId }, other);
    expect(inOrg.events[0]?.editor).toMatchObject({ userId: service.adminId });
    expect(inOrg.events[0]?.editor?.displayName ?? "").toBe("");
    const inInstance = await list("AdminService.ListEvents", { aggregateId: userIds.other, limit: 1 });
    expect(inInstance.events[0]?.editor).toMatchObject({ userId: service.adminId, displayName: "admin" });
    expect((await list("ListEvents", search, headers)).events[0]?.editor?.displayName).toBe("admin");
  });

  test("pages in both directions", async () => {
    const all = await list("AdminService.ListEvents", { asc: true, limit: 1_000 });
    const positions = all.events.map(({ sequence }) => Number(sequence));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(all.next).toBe(0);
    for (const asc of [true, false]) {
      const found: number[] = [];
      let sequence = 0;
      do {
        const page = await list("AdminService.ListEvents", { asc, limit: 7, sequence: String(sequence) });
        found.push(...page.events.map((event) => Number(event.sequence)));
        sequence = page.next;
      } while (sequence !== 0);
      expect(asc ? found : found.reverse()).toEqual(positions);
    }
  });

  test("filters by type, kind of object, owner, editor and time", async () => {
    const named = async (request: JsonObject) => new Set((await list("AdminService.ListEvents", request)).types);
    expect(await named({ eventTypes: ["org.added", "instance.added"] })).toEqual(
      new Set(["org.added", "instance.added"]),
    );
    expect(await named({ aggregateTypes: ["org"], resourceOwner: otherId })).toEqual(
      new Set(["org.added", "org.member.added"]),
    );
    expect(await named({ aggregateTypes: ["org", "user"], eventTypes: ["org.added"] })).toEqual(new Set(["org.added"]));
    expect(await named({ aggregateTypes: ["something"] })).toEqual(new Set());
    const edited = await list("AdminService.ListEvents", { editorUserId: editor.userId });
    expect(new Set(edited.events.map(({ aggregate }) => aggregate.id))).toEqual(new Set([userIds.other]));
    const { events } = await list("AdminService.ListEvents", { asc: true });
    const times = events.map(({ creationDate }) => creationDate);
    const middle = times[Math.floor(times.length / 2)] ?? "";
    const timesOf = async (request: JsonObject) =>
      (await list("AdminService.ListEvents", { asc: true, ...request })).events.map((event) => event.creationDate);
    expect(await timesOf({ range: { since: middle, until: middle } })).toEqual(times.filter((time) => time === middle));
    expect(await timesOf({ from: middle })).toEqual(times.filter((time) => time >= middle));
    const before = await list("AdminService.ListEvents", { from: middle });
    expect(before.events.every(({ creationDate }) => creationDate <= middle)).toBe(true);
    expect(before.events.length).toBe(times.filter((time) => time <= middle).length);
  });

  test("an id that does not exist has no events", async () => {
    for (const id of [randomUUID(), "default"]) {
      for (const field of ["aggregateId", "editorUserId", "resourceOwner"]) {
        expect(await list("AdminService.ListEvents", { [field]: id })).toMatchObject({ events: [], next: 0 });
      }
    }
  });

  test("rejects a position and a limit that are too large", async () => {
    const call = (request: JsonObject) => () => caller.call("ListEvents", request);
    const sequence = String(2n ** 63n);
    await expectError(service.db, "grpc", call({ sequence }), "INVALID_ARGUMENT", ["sequence"]);
    await expectError(service.db, "grpc", call({ limit: 1_001 }), "INVALID_ARGUMENT", ["limit"]);
  });

  test("the events of a removed user have no payload", async () => {
    const headers = { "x-service-orgid": service.orgId };
    const added = await caller.call("ImportHumanUser", { userName: "grace", ...HUMAN }, headers);
    if (!added.ok) throw new Error(added.message);
    const aggregateId = String(added.message.userId);
    expect((await caller.call("RemoveUser", { id: aggregateId }, headers)).ok).toBe(true);
    const rest = createCaller("rest", service, service.adminToken);
    const outcome = await rest.call("ListEvents", { aggregateId, asc: true }, headers);
    rest.close();
    if (!outcome.ok) throw new Error(outcome.message);
    const events = outcome.message.events as unknown as ListedEvent[];
    expect(events.map(({ payload }) => payload)).toEqual([...Array(events.length - 1).fill(undefined), {}]);
    expect(events.at(-1)?.type.type).toBe("user.removed");
  });
});
