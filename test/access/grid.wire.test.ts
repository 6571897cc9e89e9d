import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { revokeToken } from "../../src/access/revoke-token.ts";
import {
  type Caller,
  createCaller,
  isAdmin,
  methodOf,
  type Outcome,
  restRequestOf,
} from "../support/clients/callers.ts";
import { type ErrorReason, expectError } from "../support/clients/errors.ts";
import { type Connections, frame, openConnections, rawRequest } from "../support/clients/raw-calls.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../support/clients/requests.ts";
import { createAccessToken, createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { cellsOf, ORGS, permissionOf, ROLE_HOLDERS } from "./documented-roles.ts";

/** The RPCs that are called by every caller. every-rpc.wire.test.ts calls the others. */
const RPCS = ["AddOIDCIDP", "AddOrgOIDCIDP", "ImportHumanUser", "UpdateHumanPhone"] as const;
type Rpc = (typeof RPCS)[number];

/** What each character of a row means; `+` is a success. */
const OUTCOMES: Readonly<Record<string, ErrorReason | undefined>> = {
  "+": undefined,
  p: "PERMISSION_DENIED",
  o: "ORG_NOT_FOUND",
  m: "TOKEN_MISSING",
  i: "TOKEN_INVALID",
};

/** The results for callers without a valid token. */
const INVALID: Readonly<Record<string, string>> = {
  "no token": "mmmmmm",
  "another scheme": "mmmmmm",
  "the scheme alone": "mmmmmm",
  "two tokens": "mmmmmm",
  "a text that is no token": "iiiiii",
  "an unknown token": "iiiiii",
  "an expired token": "iiiiii",
  "a revoked token": "iiiiii",
  "a token of a deactivated user": "iiiiii",
  "a token of a locked user": "iiiiii",
};

/** Each caller with each RPC, and its results in the order of `ORGS`. */
const rowsOf = (rpc: Rpc) => [
  ...Object.entries(ROLE_HOLDERS).map(([name, holder]) => ({ name, rpc, cells: cellsOf(holder, permissionOf(rpc)) })),
  ...Object.entries(INVALID).map(([name, cells]) => ({ name, rpc, cells })),
];

/** Callers of each kind, for the embedded database. */
const REPRESENTATIVES = [
  ...["INSTANCE_OWNER", "ORG_OWNER", "ORG_OWNER of the other organization"],
  ...["no token", "an expired token", "a revoked token"],
];

/** All rows over gRPC on PostgreSQL. test/rpc/every-protocol.wire.test.ts calls the RPCs over the other protocols. */
const SETTINGS = [
  {
    kind: "postgres",
    protocol: "grpc",
    rows: RPCS.flatMap(rowsOf),
    accessTokenRows: [...rowsOf("AddOIDCIDP"), ...rowsOf("ImportHumanUser")].filter(({ name }) => !(name in INVALID)),
  },
  {
    kind: "embedded",
    protocol: "rest",
    rows: rowsOf("ImportHumanUser").filter(({ name }) => REPRESENTATIVES.includes(name)),
    accessTokenRows: [],
  },
] as const;

describe.each(SETTINGS)("on $kind over $protocol", ({ kind, protocol, rows, accessTokenRows }) => {
  let service: TestService;
  let caller: Caller;
  let connections: Connections;
  let orgs: { own: string; other: string };
  /** The authorization header of each caller; undefined for none. */
  let authorizations: Record<string, string | undefined>;
  /** The headers of callers with an access token of a sign-in. */
  let accessTokens: Record<string, string>;
  /** The human user of each organization whose phone is changed. */
  let humans: { own: string; other: string };
  let userIds: Record<string, string>;

  beforeAll(async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    service.secret(CLIENT_SECRET);
    service.secret(BCRYPT);
    caller = createCaller(protocol, service, undefined);
    connections = openConnections(service.port);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    [authorizations, accessTokens, userIds] = [{}, {}, {}];
    const app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
    for (const [name, { role, scope }] of Object.entries(ROLE_HOLDERS)) {
      const options = { ...(role && { role }), ...(scope === "other" && { scopeId: orgs.other }) };
      const made = await service.createToken({ orgId: orgs.own, ...options });
      authorizations[name] = `Bearer ${made.token}`;
      userIds[name] = made.userId;
      if (accessTokenRows.length > 0)
        accessTokens[name] = `Bearer ${await createAccessToken(service, app, made.userId)}`;
    }
    const newOwner = (expiresAt?: Date) =>
      service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER", ...(expiresAt && { expiresAt }) });
    const revoked = await newOwner();
    await revokeToken({ db: service.db, clock: () => new Date() }, revoked.id);
    const tokenOf = async (state: "inactive" | "locked") => {
      const made = await newOwner();
      await service.db.updateTable("users").set({ state }).where("id", "=", made.userId).execute();
      return made.token;
    };
    const { token } = await newOwner();
    const last = token.at(-1) === "0" ? "1" : "0";
    Object.assign(authorizations, {
      "another scheme": `Basic ${token}`,
      "the scheme alone": "Bearer",
      "two tokens": `Bearer ${token} ${token}`,
      "a text that is no token": `Bearer ${token.slice(0, -1)}`,
      "an unknown token": `Bearer ${service.secret(token.slice(0, -1) + last)}`,
      "an expired token": `Bearer ${(await newOwner(new Date())).token}`,
      "a revoked token": `Bearer ${revoked.token}`,
      "a token of a deactivated user": `Bearer ${await tokenOf("inactive")}`,
      "a token of a locked user": `Bearer ${await tokenOf("locked")}`,
    });
    const importInto = async (orgId: string) => {
      const headers = { authorization: `Bearer ${service.adminToken}`, "x-service-orgid": orgId };
      const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, headers);
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    };
    humans = { own: await importInto(orgs.own), other: await importInto(orgs.other) };
  });
  afterAll(async () => {
    caller?.close();
    connections?.close();
    await service?.close();
  });

  const headersOf = (org: (typeof ORGS)[number], authorization: string | undefined): Record<string, string> => {
    const ids = { "no header": undefined, "an empty header": "", ...orgs, unknown: randomUUID(), "no id": "default" };
    const id = ids[org];
    return {
      ...(authorization !== undefined && { authorization }),
      ...(id !== undefined && { "x-service-orgid": id }),
    };
  };

  const requestOf = (rpc: Rpc, userId: string): JsonObject => {
    if (rpc === "ImportHumanUser") return { userName: randomUUID(), ...HUMAN };
    return rpc === "UpdateHumanPhone" ? { userId, phone: `+4179${String(++phones).padStart(7, "1")}` } : IDP;
  };
  let phones = 1_000_000;

  async function expectRow({ name, rpc, cells }: ReturnType<typeof rowsOf>[number], authorization: string | undefined) {
    expect(cells).toHaveLength(ORGS.length);
    for (const [column, org] of ORGS.entries()) {
      const of = org === "other" ? "other" : "own";
      const call = () => caller.call(rpc, requestOf(rpc, humans[of]), headersOf(org, authorization));
      const error = OUTCOMES[cells.charAt(column)];
      if (error !== undefined) {
        await expectError(service.db, protocol, call, error);
        continue;
      }
      const resourceOwner = isAdmin(rpc) ? service.instanceId : orgs[of];
      expect([org, await call()]).toMatchObject([org, { ok: true, message: { details: { resourceOwner } } }]);
      const { editor_id } = await service.db
        .selectFrom("events")
        .select("editor_id")
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      expect(editor_id).toBe(userIds[name]);
    }
  }

  test.each([...rows])("$rpc with $name results in $cells", (row) => expectRow(row, authorizations[row.name]));

  if (accessTokenRows.length > 0) {
    test.each([...accessTokenRows])("$rpc with $name and an access token results in $cells", (row) =>
      expectRow(row, accessTokens[row.name]),
    );
  }

  test.each(["bearer", "BEARER", "bEaReR"])("the authorization scheme is case-insensitive: %s", async (scheme) => {
    const authorization = authorizations.ORG_OWNER?.replace("Bearer", scheme) ?? "";
    const outcome = await caller.call("AddOrgOIDCIDP", IDP, { authorization });
    expect(outcome).toMatchObject({ ok: true });
  });

  test("a token is valid until it expires", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { token } = await service.createToken({ orgId: orgs.own, role: "ORG_OWNER", expiresAt });
    const call = () => caller.call("AddOrgOIDCIDP", IDP, { authorization: `Bearer ${token}` });
    expect(await call()).toMatchObject({ ok: true });
    service.clockOffsetMs = 3_600_001;
    try {
      await expectError(service.db, protocol, call, "TOKEN_INVALID");
    } finally {
      service.clockOffsetMs = 0;
    }
  });

  test("the organization header is trimmed, and its UUID is case-insensitive", async () => {
    const authorization = authorizations.INSTANCE_OWNER ?? "";
    const headers = { authorization, "x-service-orgid": ` ${orgs.other.toUpperCase()} ` };
    const outcome = await caller.call("AddOrgOIDCIDP", IDP, headers);
    expect(outcome).toMatchObject({ ok: true, message: { details: { resourceOwner: orgs.other } } });
  });

  test("x-zitadel-orgid means the same as x-service-orgid", async () => {
    const authorization = authorizations.INSTANCE_OWNER ?? "";
    const ways: Record<string, string>[] = [
      { "x-zitadel-orgid": ` ${orgs.other.toUpperCase()} ` },
      { "x-zitadel-orgid": orgs.other, "x-service-orgid": "" },
      { "x-zitadel-orgid": "", "x-service-orgid": orgs.other },
      { "x-zitadel-orgid": orgs.other.toUpperCase(), "x-service-orgid": orgs.other },
    ];
    for (const headers of ways) {
      const outcome = await caller.call("AddOrgOIDCIDP", IDP, { authorization, ...headers });
      expect(outcome).toMatchObject({ ok: true, message: { details: { resourceOwner: orgs.other } } });
    }
    const foreign = { authorization: authorizations.ORG_OWNER ?? "", "x-zitadel-orgid": orgs.other };
    await expectError(service.db, protocol, () => caller.call("AddOrgOIDCIDP", IDP, foreign), "PERMISSION_DENIED");
    const unknown = { authorization, "x-zitadel-orgid": randomUUID() };
    await expectError(service.db, protocol, () => caller.call("AddOrgOIDCIDP", IDP, unknown), "ORG_NOT_FOUND");
  });

  /** Calls with an empty message, which violates field rules, and with headers that may be repeated. */
  async function send(rpc: Rpc, headers: readonly (readonly [string, string])[]): Promise<Outcome> {
    const request = rawRequest(protocol, protocol === "grpc" ? frame(Buffer.alloc(0)) : Buffer.from("{}"));
    const rest = restRequestOf(rpc, { userId: "ada", id: "ada" });
    const called = methodOf(rpc);
    const path = protocol === "grpc" ? `/${called.parent.typeName}/${called.name}` : rest.path;
    const method = protocol === "grpc" ? "POST" : rest.method;
    const all = { ...request.headers, ...group(headers) };
    const response = await connections.ask(protocol, { ...request, method, path, headers: all });
    const { http, code = 0, reason, fields, message } = response;
    service.responses.push(JSON.stringify([response.headers, response.trailers, response.body.toString()]));
    return { ok: false, code, reason, fields, message, http: protocol === "rest" ? http : undefined };
  }

  const token = (name: string): [string, string][] => {
    const authorization = authorizations[name];
    return authorization === undefined ? [] : [["authorization", authorization]];
  };
  const published = (orgId: string): [string, string] => ["x-zitadel-orgid", orgId];
  /** Organization headers that are not accepted. */
  const badHeaders = (): [string, [string, string][], field?: string][] => {
    const own: [string, string] = ["x-service-orgid", orgs.own];
    const other: [string, string] = ["x-service-orgid", orgs.other];
    return [
      ["the same organization twice", [own, own]],
      ["two organizations", [own, other]],
      ["two organizations in one header", [["x-service-orgid", `${orgs.own},${orgs.other}`]]],
      ["a letter beyond ASCII", [["x-service-orgid", "z\u00fcrich"]]],
      ["the other header twice", [published(orgs.own), published(orgs.own)], "x-zitadel-orgid"],
      ["another organization in the other header", [own, published(orgs.other)], "x-zitadel-orgid"],
      ["text in the other header", [own, published("x")], "x-zitadel-orgid"],
    ];
  };

  test("an organization header that is repeated or not ASCII is rejected", async () => {
    for (const [_what, headers, field = "x-service-orgid"] of badHeaders()) {
      for (const name of ["INSTANCE_OWNER", "ORG_OWNER", "no role"]) {
        const call = () => send("ImportHumanUser", [...token(name), ...headers]);
        await expectError(service.db, protocol, call, "INVALID_ARGUMENT", [field]);
      }
    }
  });

  test("AddOIDCIDP ignores an organization header that is repeated or not ASCII", async () => {
    for (const [_what, headers] of badHeaders()) {
      // Violated field rules are reported only to callers with the permission.
      const owner = () => send("AddOIDCIDP", [...token("INSTANCE_OWNER"), ...headers]);
      const fields = ["clientId", "clientSecret", "issuer", "name"];
      await expectError(service.db, protocol, owner, "INVALID_ARGUMENT", fields);
      const other = () => send("AddOIDCIDP", [...token("ORG_OWNER"), ...headers]);
      await expectError(service.db, protocol, other, "PERMISSION_DENIED");
    }
  });

  test.each(Object.keys(INVALID))("a call with %s reports the token and no other error", async (name) => {
    for (const headers of [[], ...badHeaders().map(([, bad]) => bad)]) {
      const call = () => send("ImportHumanUser", [...token(name), ...headers]);
      await expectError(service.db, protocol, call, OUTCOMES[INVALID[name]?.charAt(0) ?? ""] ?? "TOKEN_INVALID");
    }
  });
});

/** Headers in the form that Node expects: the values of one name in a list. */
function group(headers: readonly (readonly [string, string])[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    grouped[name] ??= [];
    grouped[name].push(value);
  }
  return grouped;
}
