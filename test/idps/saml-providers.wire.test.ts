import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@bufbuild/protobuf";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { bare, ENTITY_ID, OTHER_SAML_KEY, SAML_KEY, samlMetadata } from "../support/saml/metadata.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const toXml = (options = {}) => Buffer.from(samlMetadata(options)).toString("base64");

/** Requests that are rejected, and the violated fields. */
const REJECTED: readonly (readonly [string, object, string[]])[] = [
  ["no metadata", { name: "Corp" }, ["metadataXml"]],
  ["metadata that cannot be used", { metadataXml: Buffer.from("<a/>").toString("base64") }, ["metadataXml"]],
  ["a document type", { metadataXml: Buffer.from("<!DOCTYPE a><a/>").toString("base64") }, ["metadataXml"]],
  ["too much of it", { metadataXml: Buffer.alloc(500_001).toString("base64") }, ["metadataXml"]],
  ["a URL without https", { metadataUrl: "http://saml.example.com/" }, ["metadataUrl"]],
  ["a URL with a password", { metadataUrl: "https://a:b@saml.example.com/" }, ["metadataUrl"]],
  ["a file", { metadataUrl: "file:///etc/passwd" }, ["metadataUrl"]],
  ["a binding without URL", { metadataXml: toXml({ post: "" }), binding: "SAML_BINDING_POST" }, ["binding"]],
  ["an unknown binding", { metadataXml: toXml(), binding: 3 }, ["binding"]],
  ["an unknown format", { metadataXml: toXml(), nameIdFormat: 9 }, ["nameIdFormat"]],
  ["an invisible name", { name: "\u202e", metadataXml: toXml() }, ["name"]],
  [
    "a long attribute",
    { metadataXml: toXml(), transientMappingAttributeName: "x".repeat(201) },
    ["transientMappingAttributeName"],
  ],
  [
    "automatic creation that is not allowed",
    { metadataXml: toXml(), providerOptions: { isAutoCreation: true } },
    ["providerOptions.isAutoCreation"],
  ],
];

/** The whole table over gRPC on PostgreSQL, and one of its cases on another protocol and on the embedded database. */
const SETTINGS = [
  {
    database: "postgres",
    runs: [
      { protocol: "grpc", owner: "org", rejected: REJECTED },
      { protocol: "grpc", owner: "instance", rejected: REJECTED.slice(0, 1) },
      { protocol: "rest", owner: "org", rejected: REJECTED.slice(0, 1) },
    ],
  },
  { database: "embedded", runs: [{ protocol: "grpc", owner: "instance", rejected: REJECTED.slice(0, 1) }] },
] as const;

describe.each(SETTINGS)("on $database", ({ database, runs }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(database);
  });
  afterAll(() => service?.close());

  describe.each([...runs])("of the $owner over $protocol", ({ protocol, owner, rejected }) => {
    let caller: Caller;
    beforeAll(() => {
      caller = createCaller(protocol, service, service.adminToken);
    });
    afterAll(() => caller?.close());

    const rpcOf = (name: string) => `${owner === "org" ? "" : "AdminService."}${name}` as Rpc;
    const call = (name: string, request: object) => caller.call(rpcOf(name), JSON.parse(JSON.stringify(request)));
    const send = async (name: string, request: object): Promise<JsonObject> => {
      const outcome = await call(name, request);
      if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
      return outcome.message;
    };
    const read = async (id: string) => {
      const { saml, options } = ((await send("GetProviderByID", { id })).idp as { config: Record<string, JsonObject> })
        .config;
      const { metadataXml, ...rest } = saml ?? {};
      return { xml: Buffer.from(String(metadataXml), "base64").toString(), saml: rest, options };
    };
    const rowOf = (id: string) =>
      service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const eventOf = (id: string) =>
      service.db
        .selectFrom("events")
        .select(["type", "payload"])
        .where("aggregate_id", "=", id)
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();

    test("a provider is added, replaced and deleted, and keeps its key", async () => {
      const { id: added } = await send("AddSAMLProvider", { name: " Corp ", metadataXml: toXml() });
      const id = String(added);
      const { xml, saml } = await read(id);
      expect(xml).toContain(`entityID="${ENTITY_ID}"`);
      expect(xml).toContain(bare(SAML_KEY.certificate));
      expect(saml).toEqual({});
      const row = await rowOf(id);
      expect(row).toMatchObject({ kind: "saml", name: "Corp", issuer: ENTITY_ID, client_id: "", scopes: [] });
      const secret = service.keyring.open(
        { table: "idps", column: "client_secret", rowId: id },
        { keyId: row.client_secret_key, ciphertext: row.client_secret },
      );
      expect(secret).toMatch(/^-----BEGIN PRIVATE KEY-----[\s\S]*-----BEGIN CERTIFICATE-----/);
      service.secret(secret.slice(40, 90));
      const added1 = await eventOf(id);
      expect(added1).toMatchObject({
        type: `${owner}.idp.provider.added`,
        payload: { kind: "saml", issuer: ENTITY_ID },
      });
      expect(JSON.stringify(added1.payload)).not.toContain("PRIVATE");

      const settings = {
        ...{ binding: "SAML_BINDING_POST", withSignedRequest: true, nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT" },
        ...{ transientMappingAttributeName: "uid", allowIdpInitiated: true },
      };
      const request = {
        id,
        name: "Renamed",
        metadataXml: toXml(),
        ...settings,
        providerOptions: { isAutoUpdate: true, trustEmail: true },
      };
      expect((await send("UpdateSAMLProvider", request)).details).toMatchObject({ sequence: "2" });
      expect(await read(id)).toMatchObject({ saml: settings, options: { isAutoUpdate: true, trustEmail: true } });
      expect((await rowOf(id)).client_secret).toEqual(row.client_secret);
      expect((await send("UpdateSAMLProvider", request)).details).toMatchObject({ sequence: "2" });
      await send("DeleteProvider", { id });
      await expectError(service.db, protocol, () => call("GetProviderByID", { id }), "IDP_NOT_FOUND");
    });

    test("requests are signed if the metadata require it", async () => {
      const metadataXml = toXml({ attributes: ' WantAuthnRequestsSigned="1"' });
      const { id } = await send("AddSAMLProvider", { name: "Corp", metadataXml });
      expect((await read(String(id))).saml).toEqual({ withSignedRequest: true });
    });

    test.each([...rejected])("a provider is rejected with %s", async (_title, fields, violated) => {
      const add = () => call("AddSAMLProvider", { name: "Corp", ...fields });
      await expectError(service.db, protocol, add, "INVALID_ARGUMENT", violated);
      // Nothing has been requested from a URL that is not allowed.
      expect(await add()).toMatchObject({ message: expect.not.stringContaining("cannot be loaded") });
      const update = () => call("UpdateSAMLProvider", { id: service.orgId, name: "Corp", ...fields });
      await expectError(service.db, protocol, update, "INVALID_ARGUMENT", violated);
    });

    test("while users are linked, the entity stays the same, and its keys and URLs can be replaced", async () => {
      const { id: added } = await send("AddSAMLProvider", { name: "Corp", metadataXml: toXml() });
      const id = String(added);
      await importAda(service, { ...VERIFIED, idps: [{ configId: id, externalUserId: `ada ${protocol}` }] });
      const update =
        (options: object, more = {}) =>
        () =>
          call("UpdateSAMLProvider", { id, name: "Corp", metadataXml: toXml(options), ...more });
      const before = await rowOf(id);
      await expectError(service.db, protocol, update({ entityId: "https://other.example.com" }), "IDP_HAS_LINKS");
      const transient = { nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT", transientMappingAttributeName: "nickname" };
      await expectError(service.db, protocol, update({}, transient), "IDP_HAS_LINKS");
      expect(await rowOf(id)).toEqual(before);
      const rotated = { certificates: [OTHER_SAML_KEY.certificate], redirect: "https://new.example.com/sso" };
      expect(await update(rotated)()).toMatchObject({ ok: true });
      expect((await read(id)).xml).toContain(bare(OTHER_SAML_KEY.certificate));
    });
  });
});

describe("metadata at a URL", () => {
  let service: TestService;
  let caller: Caller;
  let url: string;
  let requests = 0;
  let answer = { status: 200, body: samlMetadata() as string | Buffer, headers: {} };
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  beforeAll(async () => {
    service = await startService("postgres");
    caller = createCaller("rest", service, service.adminToken);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
    server.close();
  });
  const add =
    (rpc: Rpc, metadataUrl = url) =>
    () =>
      caller.call(rpc, { name: "Corp", metadataUrl });

  test("are loaded once, for the instance", async () => {
    const outcome = await add("AdminService.AddSAMLProvider")();
    if (!outcome.ok) throw new Error(outcome.message);
    const { issuer } = await service.db
      .selectFrom("idps")
      .select("issuer")
      .where("id", "=", String(outcome.message.id))
      .executeTakeFirstOrThrow();
    expect([issuer, requests]).toEqual([ENTITY_ID, 1]);
  });

  test("are not loaded for an organization from an address that is not public", async () => {
    const before = requests;
    const port = new URL(url).port;
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const send = add("AddSAMLProvider", `http://${host}:${port}/metadata`);
      await expectError(service.db, "rest", send, "INVALID_ARGUMENT", ["metadataUrl"]);
    }
    for (const host of ["10.0.0.1", "169.254.169.254", "[fd00::1]", "0x7f.1"]) {
      const send = add("AddSAMLProvider", `https://${host}/latest/meta-data`);
      await expectError(service.db, "rest", send, "INVALID_ARGUMENT", ["metadataUrl"]);
    }
    const update = () => caller.call("UpdateSAMLProvider", { id: service.orgId, name: "Corp", metadataUrl: url });
    await expectError(service.db, "rest", update, "INVALID_ARGUMENT", ["metadataUrl"]);
    expect(requests).toBe(before);
  });

  test.each([
    ["a redirect", { status: 302, body: "", headers: { location: "https://saml.example.com/" } }, /status 302/],
    ["another status", { status: 404, body: samlMetadata(), headers: {} }, /status 404/],
    ["too much of it", { status: 200, body: Buffer.alloc(500_001, 0x20), headers: {} }, /cannot be loaded/],
    ["a page", { status: 200, body: "<html></html>", headers: {} }, /EntityDescriptor/],
  ])("are rejected with %s", async (_title, next, problem) => {
    answer = next;
    const outcome = await add("AdminService.AddSAMLProvider")();
    expect(outcome).toMatchObject({ ok: false, reason: "INVALID_ARGUMENT", message: expect.stringMatching(problem) });
  });
});
