import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { CLIENT_SECRET } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import type { Owner } from "./change-idp.cases.ts";
import {
  APPLE_KEY,
  CLIENT_KINDS as KINDS,
  type ClientKind as KindName,
  PROVIDERS,
  TYPES,
} from "./provider-requests.ts";
import { EDITED, READ, REJECTED, REPLACED } from "./providers.cases.ts";

/** Two kinds, with a choice and with bytes, and a request of each that is rejected. */
const SOME = {
  kinds: ["AzureAD", "Apple"] as const,
  rejected: REJECTED.filter(({ kind }, index) => kind !== REJECTED[index - 1]?.kind).slice(0, 2),
};

/** Every kind over gRPC on PostgreSQL, and two on another protocol and on the embedded database. */
const SETTINGS = [
  {
    database: "postgres",
    runs: [
      { protocol: "grpc", owner: "org", kinds: KINDS, rejected: REJECTED },
      { protocol: "grpc", owner: "instance", ...SOME, kinds: KINDS },
      { protocol: "rest", owner: "org", ...SOME },
    ],
  },
  { database: "embedded", runs: [{ protocol: "grpc", owner: "instance", ...SOME }] },
] as const;

describe.each(SETTINGS)("on $database", ({ database, runs }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(database);
    for (const secret of [CLIENT_SECRET, EDITED.clientSecret, APPLE_KEY]) service.secret(secret);
  });
  afterAll(() => service?.close());

  describe.each([...runs])("of the $owner over $protocol", ({ protocol, owner, kinds, rejected }) => {
    let caller: Caller;
    beforeAll(() => {
      caller = createCaller(protocol, service, service.adminToken);
    });
    afterAll(() => caller?.close());

    const rpcOf = (name: string, of: Owner = owner) => `${of === "org" ? "" : "AdminService."}${name}` as Rpc;
    const ownerId = () => (owner === "org" ? service.orgId : service.instanceId);
    const messageOf = (outcome: Outcome): JsonObject => {
      if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
      return outcome.message;
    };
    const add = async (kind: KindName, changes = {}) =>
      String(messageOf(await caller.call(rpcOf(`Add${kind}Provider`), { ...PROVIDERS[kind], ...changes })).id);
    /** The provider as a client sees it: gRPC and REST leave out defaults differently. */
    const read = async (id: string) => {
      const { idp } = messageOf(await caller.call(rpcOf("GetProviderByID"), { id }));
      return idp as JsonObject & { config: JsonObject };
    };
    const rowOf = (id: string) =>
      service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const secretOf = async (id: string) => {
      const { client_secret: ciphertext, client_secret_key: keyId } = await rowOf(id);
      return service.keyring.open({ table: "idps", column: "client_secret", rowId: id }, { keyId, ciphertext });
    };
    const lastEventOf = (id: string) =>
      service.db
        .selectFrom("events")
        .select(["type", "payload", "sequence", "owner_id", "editor_id"])
        .where("aggregate_id", "=", id)
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();

    test.each([...kinds])("%s is added, replaced and deleted", async (kind) => {
      const id = await add(kind);
      const added = await lastEventOf(id);
      expect(added).toMatchObject({ type: `${owner}.idp.provider.added`, sequence: 1n, owner_id: ownerId() });
      expect(added.editor_id).toBe(service.adminId);
      const ownerType = owner === "org" ? "IDP_OWNER_TYPE_ORG" : "IDP_OWNER_TYPE_SYSTEM";
      const common = { id, owner: ownerType, state: "IDP_STATE_ACTIVE", type: TYPES[kind] };
      expect(await read(id)).toMatchObject({ ...common, name: "Example", config: READ[kind].added });
      expect(await secretOf(id)).toBe(kind === "Apple" ? APPLE_KEY : CLIENT_SECRET);

      const { clientSecret: _, privateKey: __, ...kept } = { ...PROVIDERS[kind], ...REPLACED, ...READ[kind].update };
      const update = (fields: JsonObject) => caller.call(rpcOf(`Update${kind}Provider`), { id, ...fields });
      expect(messageOf(await update(kept)).details).toMatchObject({ sequence: "2", resourceOwner: ownerId() });
      expect(await read(id)).toMatchObject({ ...common, name: "Renamed", config: READ[kind].replaced });
      expect(await lastEventOf(id)).toMatchObject({
        type: `${owner}.idp.provider.changed`,
        payload: { name: "Renamed", scopes: ["openid", "email"], options: ALL_OPTIONS, secretChanged: false },
      });
      expect(messageOf(await update(kept)).details).toMatchObject({ sequence: "2" });
      if (kind !== "Apple") {
        expect(messageOf(await update({ ...kept, clientSecret: EDITED.clientSecret })).details).toMatchObject({
          sequence: "3",
        });
        expect(await secretOf(id)).toBe(EDITED.clientSecret);
      }

      const deleted = messageOf(await caller.call(rpcOf("DeleteProvider"), { id: id.toUpperCase() }));
      expect(deleted.details).toMatchObject({ resourceOwner: ownerId() });
      expect(await lastEventOf(id)).toMatchObject({ type: `${owner}.idp.removed` });
      await expectError(service.db, protocol, () => caller.call(rpcOf("GetProviderByID"), { id }), "IDP_NOT_FOUND");
    });

    test.each([...kinds])(
      "%s begins as a draft, which has its URLs, and is offered once it has settings",
      async (kind) => {
        const send = (name: string, fields: JsonObject) => caller.call(rpcOf(name), fields);
        const reactivate = owner === "org" ? "ReactivateOrgIDP" : "ReactivateIDP";
        const id = String(messageOf(await send("AddProviderDraft", { name: " Example ", type: TYPES[kind] })).id);
        const draft = { id, name: "Example", state: "IDP_STATE_INACTIVE", type: TYPES[kind] };
        expect(await read(id)).toMatchObject(draft);
        const events = service.db
          .selectFrom("events")
          .select("type")
          .where("aggregate_id", "=", id)
          .orderBy("sequence");
        expect(await events.execute()).toEqual([
          { type: `${owner}.idp.provider.added` },
          { type: `${owner}.idp.deactivated` },
        ]);
        expect(messageOf(await send("CheckProvider", { id })).problems).toContain("the provider has no settings yet");
        const offer = () => caller.call(reactivate as Rpc, { idpId: id });
        await expectError(service.db, protocol, offer, "IDP_STATE");
        const { clientSecret, privateKey, ...settings } = PROVIDERS[kind] as JsonObject;
        const fill = (secret: JsonObject) =>
          caller.call(rpcOf(`Update${kind}Provider`), { id, ...settings, ...secret });
        const field = kind === "Apple" ? "privateKey" : "clientSecret";
        await expectError(service.db, protocol, () => fill({}), "INVALID_ARGUMENT", [field]);
        messageOf(await fill({ ...(privateKey === undefined ? { clientSecret } : { privateKey }) } as JsonObject));
        messageOf(await offer());
        expect(await read(id)).toMatchObject({ ...draft, state: "IDP_STATE_ACTIVE" });
      },
    );

    test("a draft without a kind is rejected", async () => {
      const send = () => caller.call(rpcOf("AddProviderDraft"), { name: "Example", type: 0 });
      await expectError(service.db, protocol, send, "INVALID_ARGUMENT", ["type"]);
    });

    const ALL_OPTIONS = {
      ...{ isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true },
      autoLinking: 2,
    };

    test.each([...rejected])("$kind is rejected with $title", async ({ kind, changes, fields }) => {
      const request = { ...PROVIDERS[kind], ...changes };
      const send = () => caller.call(rpcOf(`Add${kind}Provider`), JSON.parse(JSON.stringify(request)));
      await expectError(service.db, protocol, send, "INVALID_ARGUMENT", fields);
      const change = () =>
        caller.call(rpcOf(`Update${kind}Provider`), JSON.parse(JSON.stringify({ id: "x", ...request })));
      await expectError(service.db, protocol, change, "INVALID_ARGUMENT", fields);
    });

    test("a provider is not found by the calls of another kind or owner", async () => {
      const id = await add("Apple");
      const update = () => caller.call(rpcOf("UpdateAzureADProvider"), { id, ...PROVIDERS.AzureAD });
      await expectError(service.db, protocol, update, "IDP_NOT_FOUND");
      expect(await update()).toMatchObject({ metadata: { field: "id", idpId: id } });
      const other = owner === "org" ? "instance" : "org";
      for (const unknown of [id, randomUUID(), "no id"]) {
        const remove = () => caller.call(rpcOf("DeleteProvider", other), { id: unknown });
        await expectError(service.db, protocol, remove, "IDP_NOT_FOUND");
      }
      expect(await rowOf(id)).toMatchObject({ sequence: 1n });
    });

    test("the list has all kinds, the newest first, also those of the deprecated call, and finds by id and name", async () => {
      const name = `list ${randomUUID()}`;
      const ids = [];
      for (const kind of kinds) ids.push(await add(kind, { name }));
      const fields = { name, clientId: "signet", clientSecret: CLIENT_SECRET, issuer: "https://accounts.example.com" };
      const deprecated = messageOf(await caller.call(owner === "org" ? "AddOrgOIDCIDP" : "AddOIDCIDP", fields));
      ids.push(String(deprecated.idpId));
      const list = async (...queries: JsonObject[]) => {
        const { result = [], details } = messageOf(await caller.call(rpcOf("ListProviders"), { queries }));
        return { details, result: result as (JsonObject & { config: JsonObject })[] };
      };
      const { result, details } = await list({ idpNameQuery: { name } });
      expect(result.map(({ id }) => id)).toEqual([...ids].reverse());
      expect(details).toMatchObject({ totalResult: String(ids.length) });
      expect(result[0]).toMatchObject({
        type: "PROVIDER_TYPE_OIDC",
        config: {
          options: { isLinkingAllowed: true, isCreationAllowed: true },
          oidc: { issuer: "https://accounts.example.com", clientId: "signet", usePkce: true },
        },
      });
      expect((await list({ idpIdQuery: { id: String(ids[0]) } })).result).toHaveLength(1);
      const ofType = (ownerType: string) => list({ idpNameQuery: { name } }, { ownerTypeQuery: { ownerType } });
      expect((await ofType("IDP_OWNER_TYPE_ORG")).result).toHaveLength(owner === "org" ? ids.length : 0);
      expect((await ofType("IDP_OWNER_TYPE_SYSTEM")).result).toHaveLength(owner === "org" ? 0 : ids.length);
      // The deprecated list has them too, but describes only OpenID Connect providers.
      const old = messageOf(
        await caller.call(owner === "org" ? "ListOrgIDPs" : "ListIDPs", { queries: [{ idpNameQuery: { name } }] }),
      );
      const configs = (old.result as JsonObject[]).map(
        ({ oidcConfig }) => oidcConfig !== undefined && oidcConfig !== null,
      );
      expect(configs).toEqual([...kinds.map((kind) => kind === "GenericOIDC"), true].reverse());
    });
  });
});
