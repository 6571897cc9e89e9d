import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import {
  CHANGE_RPCS,
  CHANGES,
  NEW_SECRET,
  type Owner,
  REJECTED,
  rpcOf,
  START,
  UNCHANGED,
  VALID,
} from "./change-idp.cases.ts";

const ALL = { changes: CHANGES, unchanged: UNCHANGED, rejected: REJECTED };
const SOME = { changes: CHANGES.slice(3, 4), unchanged: UNCHANGED.slice(3), rejected: REJECTED.slice(4, 5) };

/** The whole table over gRPC on PostgreSQL, one case of each kind on another protocol and on the embedded database. */
const SETTINGS = [
  {
    kind: "postgres",
    runs: [
      { protocol: "grpc", owner: "org", ...ALL },
      { protocol: "grpc", owner: "instance", ...ALL },
      { protocol: "rest", owner: "org", ...SOME },
    ],
  },
  { kind: "embedded", runs: [{ protocol: "grpc", owner: "instance", ...SOME }] },
] as const;

const HOUR_MS = 3_600_000;

describe.each(SETTINGS)("on $kind", ({ kind, runs }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind);
    for (const secret of [CLIENT_SECRET, NEW_SECRET, BCRYPT]) service.secret(secret);
  });
  afterAll(() => service?.close());

  describe.each([...runs])("of the $owner over $protocol", ({ protocol, owner, changes, unchanged, rejected }) => {
    let caller: Caller;
    beforeAll(() => {
      caller = createCaller(protocol, service, service.adminToken);
    });
    afterAll(() => caller?.close());

    const messageOf = (outcome: Outcome): JsonObject => {
      if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
      return outcome.message;
    };
    async function newIdp(isInactive = false, of: Owner = owner, headers = {}): Promise<string> {
      const rpc = of === "org" ? "AddOrgOIDCIDP" : "AddOIDCIDP";
      const idpId = String(messageOf(await caller.call(rpc, START, headers)).idpId);
      if (isInactive) await service.db.updateTable("idps").set({ state: "inactive" }).where("id", "=", idpId).execute();
      service.clockOffsetMs += HOUR_MS;
      return idpId;
    }
    const rowOf = (id: string) =>
      service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const eventsOf = (id: string) =>
      service.db.selectFrom("events").selectAll().where("aggregate_id", "=", id).orderBy("sequence").execute();
    const ownerId = () => (owner === "org" ? service.orgId : service.instanceId);
    const detailsOf = (outcome: Outcome) => {
      const details = messageOf(outcome).details as Record<string, string>;
      const { sequence, creationDate = "", changeDate = "", resourceOwner } = details;
      return { sequence, created: new Date(creationDate), changed: new Date(changeDate), resourceOwner };
    };

    test.each([...changes])("$rpc $title", async ({ rpc, isInactive, request, event, stored, secret }) => {
      const idpId = await newIdp(isInactive);
      const before = await rowOf(idpId);
      const outcome = await caller.call(rpcOf(rpc, owner), { idpId: idpId.toUpperCase(), ...request });
      const { client_secret: ciphertext, client_secret_key: keyId, ...after } = await rowOf(idpId);
      const { client_secret: _, client_secret_key: __, ...rest } = before;
      expect(after).toEqual({ ...rest, ...stored, sequence: 2n, changed_at: expect.any(Date) });
      expect(after.changed_at.getTime() - before.changed_at.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
      const details = {
        sequence: "2",
        created: before.created_at,
        changed: after.changed_at,
        resourceOwner: ownerId(),
      };
      expect(detailsOf(outcome)).toEqual(details);
      const place = { table: "idps", column: "client_secret", rowId: idpId };
      expect(service.keyring.open(place, { keyId, ciphertext })).toBe(secret ?? CLIENT_SECRET);
      const [type, payload] = event;
      expect((await eventsOf(idpId)).slice(1)).toEqual([
        {
          owner_id: ownerId(),
          aggregate_id: idpId,
          sequence: 2n,
          position: expect.anything(),
          type: `${owner}.idp.${type}`,
          editor_id: service.adminId,
          created_at: after.changed_at,
          payload,
        },
      ]);
    });

    test.each([...unchanged])("$rpc $title", async ({ rpc, isInactive, request, state }) => {
      const idpId = await newIdp(isInactive);
      const before = await rowOf(idpId);
      const send = () => caller.call(rpcOf(rpc, owner), { idpId, ...request });
      if (state !== undefined) {
        await expectError(service.db, protocol, send, "IDP_STATE");
        expect(await send()).toMatchObject({ metadata: { state } });
      } else {
        const at = before.created_at;
        expect(detailsOf(await send())).toEqual({
          sequence: "1",
          created: at,
          changed: at,
          resourceOwner: ownerId(),
        });
      }
      expect(await rowOf(idpId)).toEqual(before);
      expect(await eventsOf(idpId)).toHaveLength(1);
    });

    test.each([...rejected])("$rpc rejects $title", async ({ rpc, request, fields }) => {
      const idpId = await newIdp();
      await expectError(
        service.db,
        protocol,
        () => caller.call(rpcOf(rpc, owner), { idpId, ...request }),
        "INVALID_ARGUMENT",
        fields,
      );
    });

    test("an issuer of an organization may have 2,048 characters, one of the instance 200", async () => {
      const idpId = await newIdp();
      const most = owner === "org" ? 2_048 : 200;
      const send = (length: number) => () =>
        caller.call(rpcOf("UpdateIDPOIDCConfig", owner), {
          idpId,
          clientId: "c",
          issuer: "https://accounts.example.com/".padEnd(length, "x"),
        });
      expect(await send(most)()).toMatchObject({ ok: true });
      await expectError(service.db, protocol, send(most + 1), "INVALID_ARGUMENT", ["issuer"]);
    });

    test("RemoveIDP removes the provider and the links to it, and no events of users", async () => {
      const [idpId, keptId] = [await newIdp(), await newIdp()];
      const links = [idpId, keptId].map((configId) => ({ configId, externalUserId: "ext" }));
      const userName = `linked-${randomUUID()}`;
      const human = messageOf(await caller.call("ImportHumanUser", { userName, ...HUMAN, idps: links }));
      const before = await rowOf(idpId);
      service.clockOffsetMs += HOUR_MS;
      const outcome = await caller.call(rpcOf("RemoveIDP", owner), { idpId });
      expect(detailsOf(outcome)).toMatchObject({
        sequence: "2",
        created: before.created_at,
        resourceOwner: ownerId(),
      });
      expect((await eventsOf(idpId)).slice(1)).toMatchObject([
        { type: `${owner}.idp.removed`, payload: {}, editor_id: service.adminId },
      ]);
      const left = await service.db
        .selectFrom("user_idp_links")
        .select("idp_id")
        .where("user_id", "=", String(human.userId))
        .execute();
      expect(left).toEqual([{ idp_id: keptId }]);
      expect(await eventsOf(String(human.userId))).toHaveLength(4);
      const again = () => caller.call(rpcOf("RemoveIDP", owner), { idpId });
      await expectError(service.db, protocol, again, "IDP_NOT_FOUND");
      const relink = () =>
        caller.call("ImportHumanUser", { userName: `${userName}-2`, ...HUMAN, idps: links.slice(0, 1) });
      await expectError(service.db, protocol, relink, "IDP_NOT_FOUND");
    });

    test("a provider of another owner is not found", async () => {
      const orgId = await service.createOrg(`Other ${randomUUID()}`);
      const foreign = await newIdp(false, "org", { "x-service-orgid": orgId });
      const ids = [foreign, await newIdp(false, owner === "org" ? "instance" : "org"), randomUUID(), "no id"];
      for (const rpc of CHANGE_RPCS) {
        for (const idpId of protocol === "grpc" ? ids : ids.slice(0, 1)) {
          const send = () => caller.call(rpcOf(rpc, owner), { idpId, ...VALID[rpc] });
          await expectError(service.db, protocol, send, "IDP_NOT_FOUND");
          if (rpc === "RemoveIDP") expect(await send()).toMatchObject({ metadata: { field: "idpId", idpId } });
        }
      }
    });
  });
  if (kind === "postgres") {
    test("concurrent changes of one provider have sequences without a gap", async () => {
      const caller = createCaller("connect", service, service.adminToken);
      const added = await caller.call("AddOrgOIDCIDP", START);
      if (!added.ok) throw new Error(added.message);
      const idpId = String(added.message.idpId);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => caller.call("UpdateOrgIDP", { idpId, name: `Name ${n}` })),
      );
      const sequences = outcomes.map((outcome) => {
        if (!outcome.ok) throw new Error(outcome.message);
        return Number((outcome.message.details as { sequence: string }).sequence);
      });
      expect(sequences.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
      caller.close();
    });

    test("a link that is added while its provider is removed is removed or rejected", async () => {
      const caller = createCaller("connect", service, service.adminToken);
      for (let round = 0; round < 5; round++) {
        const added = await caller.call("AddOrgOIDCIDP", START);
        if (!added.ok) throw new Error(added.message);
        const configId = String(added.message.idpId);
        const [removed, ...imports] = await Promise.all([
          caller.call("RemoveOrgIDP", { idpId: configId }),
          ...Array.from({ length: 8 }, (_, n) =>
            caller.call("ImportHumanUser", {
              userName: `ada-${round}-${n}`,
              ...HUMAN,
              idps: [{ configId, externalUserId: `${n}` }],
            }),
          ),
        ]);
        expect(removed).toMatchObject({ ok: true });
        for (const outcome of imports) {
          if (!outcome.ok) expect(outcome.reason).toBe("IDP_NOT_FOUND");
        }
        const links = service.db.selectFrom("user_idp_links").select("user_id").where("idp_id", "=", configId);
        expect(await links.execute()).toEqual([]);
      }
      caller.close();
    });
  }
});
