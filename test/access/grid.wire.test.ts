import { randomUUID } from "node:crypto";
import { revokeToken } from "../../src/access/revoke-token.ts";
import {
  type Caller,
  createCaller,
  isAdmin,
  methodOf,
  type Outcome,
  WRITE_RPCS as RPCS,
  type WriteRpc as Rpc,
  restRequestOf,
  type TestProtocol,
} from "../support/clients/callers.ts";
import { type ErrorReason, expectError } from "../support/clients/errors.ts";
import { type Connections, frame, openConnections, rawRequest } from "../support/clients/raw-calls.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { createAccessToken, createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createWriteRequests, detailsOf, PERMISSION_OF, type WritePermission as Permission } from "./write-requests.ts";

/** What each character of the grid means; `+` is a success. */
const OUTCOMES: Readonly<Record<string, ErrorReason | undefined>> = {
  "+": undefined,
  p: "PERMISSION_DENIED",
  o: "ORG_NOT_FOUND",
  m: "TOKEN_MISSING",
  i: "TOKEN_INVALID",
};

/** The columns of the grid: what the organization header contains. */
const ORGS = ["no header", "an empty header", "own", "other", "unknown", "no id"] as const;

/**
 * The result of each permission for each caller. One column for each of `ORGS`: no header, an empty one, the caller's
 * organization, another one, an unknown UUID, and a text that is not a UUID.
 */
const GRID: Readonly<Record<CallerName, Readonly<Record<Permission, string>>>> = {
  INSTANCE_OWNER: {
    "iam.idp.write": "++++++",
    "iam.policy.write": "++++++",
    "iam.org.write": "++++++",
    "iam.org.delete": "++++++",
    "iam.member.write": "++++++",
    "org.idp.write": "++++oo",
    "org.write": "++++oo",
    "org.delete": "++++oo",
    "org.member.write": "++++oo",
    "org.app.write": "++++oo",
    "org.hook.write": "++++oo",
    "policy.write": "++++oo",
    "user.write": "++++oo",
    "user.delete": "++++oo",
  },
  INSTANCE_USER_MANAGER: {
    "iam.idp.write": "pppppp",
    "iam.policy.write": "pppppp",
    "iam.org.write": "pppppp",
    "iam.org.delete": "pppppp",
    "iam.member.write": "pppppp",
    "org.idp.write": "pppppp",
    "org.write": "pppppp",
    "org.delete": "pppppp",
    "org.member.write": "pppppp",
    "org.app.write": "pppppp",
    "org.hook.write": "pppppp",
    "policy.write": "pppppp",
    "user.write": "++++oo",
    "user.delete": "++++oo",
  },
  INSTANCE_VIEWER: all("pppppp"),
  ORG_OWNER: {
    "iam.idp.write": "pppppp",
    "iam.policy.write": "pppppp",
    "iam.org.write": "pppppp",
    "iam.org.delete": "pppppp",
    "iam.member.write": "pppppp",
    "org.idp.write": "+++ppp",
    "org.write": "+++ppp",
    "org.delete": "+++ppp",
    "org.member.write": "+++ppp",
    "org.app.write": "+++ppp",
    "org.hook.write": "+++ppp",
    "policy.write": "+++ppp",
    "user.write": "+++ppp",
    "user.delete": "+++ppp",
  },
  ORG_SETTINGS_MANAGER: {
    "iam.idp.write": "pppppp",
    "iam.policy.write": "pppppp",
    "iam.org.write": "pppppp",
    "iam.org.delete": "pppppp",
    "iam.member.write": "pppppp",
    "org.idp.write": "+++ppp",
    "org.write": "pppppp",
    "org.delete": "pppppp",
    "org.member.write": "pppppp",
    "org.app.write": "+++ppp",
    "org.hook.write": "pppppp",
    "policy.write": "+++ppp",
    "user.write": "pppppp",
    "user.delete": "pppppp",
  },
  ORG_USER_MANAGER: {
    "iam.idp.write": "pppppp",
    "iam.policy.write": "pppppp",
    "iam.org.write": "pppppp",
    "iam.org.delete": "pppppp",
    "iam.member.write": "pppppp",
    "org.idp.write": "pppppp",
    "org.write": "pppppp",
    "org.delete": "pppppp",
    "org.member.write": "pppppp",
    "org.app.write": "pppppp",
    "org.hook.write": "pppppp",
    "policy.write": "pppppp",
    "user.write": "+++ppp",
    "user.delete": "+++ppp",
  },
  ORG_VIEWER: all("pppppp"),
  "no role": all("pppppp"),
  "ORG_OWNER of the other organization": {
    "iam.idp.write": "pppppp",
    "iam.policy.write": "pppppp",
    "iam.org.write": "pppppp",
    "iam.org.delete": "pppppp",
    "iam.member.write": "pppppp",
    "org.idp.write": "ppp+pp",
    "org.write": "ppp+pp",
    "org.delete": "ppp+pp",
    "org.member.write": "ppp+pp",
    "org.app.write": "ppp+pp",
    "org.hook.write": "ppp+pp",
    "policy.write": "ppp+pp",
    "user.write": "ppp+pp",
    "user.delete": "ppp+pp",
  },
  "no token": all("mmmmmm"),
  "another scheme": all("mmmmmm"),
  "the scheme alone": all("mmmmmm"),
  "two tokens": all("mmmmmm"),
  "a text that is no token": all("iiiiii"),
  "an unknown token": all("iiiiii"),
  "an expired token": all("iiiiii"),
  "a revoked token": all("iiiiii"),
  "a token of a deactivated user": all("iiiiii"),
  "a token of a locked user": all("iiiiii"),
};

type CallerName =
  | "INSTANCE_OWNER"
  | "INSTANCE_USER_MANAGER"
  | "INSTANCE_VIEWER"
  | "ORG_OWNER"
  | "ORG_SETTINGS_MANAGER"
  | "ORG_USER_MANAGER"
  | "ORG_VIEWER"
  | "no role"
  | "ORG_OWNER of the other organization"
  | "no token"
  | "another scheme"
  | "the scheme alone"
  | "two tokens"
  | "a text that is no token"
  | "an unknown token"
  | "an expired token"
  | "a revoked token"
  | "a token of a deactivated user"
  | "a token of a locked user";

function all(cells: string): Record<Permission, string> {
  return {
    "iam.idp.write": cells,
    "iam.policy.write": cells,
    "iam.org.write": cells,
    "iam.org.delete": cells,
    "iam.member.write": cells,
    "org.write": cells,
    "org.delete": cells,
    "org.idp.write": cells,
    "org.member.write": cells,
    "org.app.write": cells,
    "org.hook.write": cells,
    "policy.write": cells,
    "user.write": cells,
    "user.delete": cells,
  };
}

const ROWS = (Object.keys(GRID) as CallerName[]).flatMap((name) =>
  RPCS.map((rpc) => ({ name, rpc, cells: GRID[name][PERMISSION_OF[rpc]] })),
);

/** Their rows run for every caller. */
const FIRST: readonly Rpc[] = ["AddOIDCIDP", "AddOrgOIDCIDP", "ImportHumanUser", "UpdateHumanPhone"];
const isFirst = ({ rpc }: { rpc: Rpc }) => FIRST.includes(rpc);
/** One RPC per permission; its rows run for every caller with a role, and for a caller without a token. */
const OF_PERMISSIONS = [...new Set(Object.values(PERMISSION_OF))].map((permission) =>
  RPCS.find((rpc) => PERMISSION_OF[rpc] === permission),
);
/** The rows of all other RPCs show which permission an RPC needs. */
const DISTINGUISHING: readonly CallerName[] = [
  "INSTANCE_OWNER",
  "INSTANCE_USER_MANAGER",
  "ORG_OWNER",
  "ORG_SETTINGS_MANAGER",
  "no token",
];

/** Rows that run in every setting; the others run over gRPC on PostgreSQL. */
const REPRESENTATIVES: readonly CallerName[] = [
  "INSTANCE_USER_MANAGER",
  "ORG_OWNER",
  "ORG_OWNER of the other organization",
  "no token",
  "an expired token",
  "a revoked token",
];

const wholeRows = ROWS.filter((row) => {
  if (isFirst(row)) return true;
  if (!OF_PERMISSIONS.includes(row.rpc)) return DISTINGUISHING.includes(row.name);
  return !/^[mi]+$/.test(row.cells) || row.name === "no token";
});
/** The rows of callers with an access token of a sign-in, over gRPC on PostgreSQL. */
const accessTokenRows = wholeRows.filter(
  (row) => !/^[mi]+$/.test(row.cells) && (isFirst(row) || OF_PERMISSIONS.includes(row.rpc)),
);
const representativeRows = ROWS.filter((row) => isFirst(row) && REPRESENTATIVES.includes(row.name));
const SETTINGS = [
  {
    kind: "postgres",
    protocols: [
      { protocol: "grpc", rows: wholeRows },
      { protocol: "rest", rows: representativeRows },
    ],
  },
  { kind: "embedded", protocols: [{ protocol: "rest", rows: representativeRows }] },
] as const;

describe.each(SETTINGS)("on $kind", ({ kind, protocols }) => {
  let service: TestService;
  let orgs: { own: string; other: string };
  /** The authorization header of each caller; undefined for none. */
  let authorizations: Record<CallerName, string | undefined>;
  /** The headers of callers with an access token of a sign-in. */
  let accessTokens: Partial<Record<CallerName, string>>;
  /** The human user of each organization whose phone is changed. */
  let humans: { own: string; other: string };
  let userIds: Record<string, string>;
  let requestOf: ReturnType<typeof createWriteRequests>;

  beforeAll(async () => {
    service = await startService(kind, { SMS_PROVIDER: "file" });
    service.secret(CLIENT_SECRET);
    service.secret(PASSWORD);
    service.secret(BCRYPT);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    const tokens = {
      INSTANCE_OWNER: await service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER" }),
      INSTANCE_USER_MANAGER: await service.createToken({ orgId: orgs.own, role: "INSTANCE_USER_MANAGER" }),
      ORG_OWNER: await service.createToken({ orgId: orgs.own, role: "ORG_OWNER" }),
      ORG_SETTINGS_MANAGER: await service.createToken({ orgId: orgs.own, role: "ORG_SETTINGS_MANAGER" }),
      ORG_USER_MANAGER: await service.createToken({ orgId: orgs.own, role: "ORG_USER_MANAGER" }),
      INSTANCE_VIEWER: await service.createToken({ orgId: orgs.own, role: "INSTANCE_VIEWER" }),
      ORG_VIEWER: await service.createToken({ orgId: orgs.own, role: "ORG_VIEWER" }),
      "no role": await service.createToken({ orgId: orgs.own }),
      "ORG_OWNER of the other organization": await service.createToken({
        orgId: orgs.own,
        role: "ORG_OWNER",
        scopeId: orgs.other,
      }),
    };
    const expired = await service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER", expiresAt: new Date() });
    const revoked = await service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER" });
    await revokeToken({ db: service.db, clock: () => new Date() }, revoked.id);
    const tokenOf = async (state: "inactive" | "locked") => {
      const made = await service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER" });
      await service.db.updateTable("users").set({ state }).where("id", "=", made.userId).execute();
      return made.token;
    };
    const { token } = tokens.INSTANCE_OWNER;
    const last = token.at(-1) === "0" ? "1" : "0";
    const unknown = service.secret(token.slice(0, -1) + last);
    authorizations = {
      ...(Object.fromEntries(Object.entries(tokens).map(([name, made]) => [name, `Bearer ${made.token}`])) as Record<
        keyof typeof tokens,
        string
      >),
      "no token": undefined,
      "another scheme": `Basic ${token}`,
      "the scheme alone": "Bearer",
      "two tokens": `Bearer ${token} ${token}`,
      "a text that is no token": `Bearer ${token.slice(0, -1)}`,
      "an unknown token": `Bearer ${unknown}`,
      "an expired token": `Bearer ${expired.token}`,
      "a revoked token": `Bearer ${revoked.token}`,
      "a token of a deactivated user": `Bearer ${await tokenOf("inactive")}`,
      "a token of a locked user": `Bearer ${await tokenOf("locked")}`,
    };
    const app = await createRelyingParty(service, { owner_id: service.instanceId, api_access: true });
    accessTokens = {};
    for (const [name, { userId }] of kind === "postgres" ? Object.entries(tokens) : []) {
      accessTokens[name as CallerName] = `Bearer ${await createAccessToken(service, app, userId)}`;
    }
    userIds = Object.fromEntries(Object.entries(tokens).map(([name, { userId }]) => [name, userId]));
    const caller = createCaller("rest", service, service.adminToken);
    const importInto = async (orgId: string) => {
      const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, { "x-service-orgid": orgId });
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    };
    const provider = await caller.call("AddOIDCIDP", IDP);
    if (!provider.ok) throw new Error(provider.message);
    requestOf = createWriteRequests(service, String(provider.message.idpId));
    humans = { own: await importInto(orgs.own), other: await importInto(orgs.other) };
    caller.close();
  });
  afterAll(() => service?.close());

  const headerOf = (org: (typeof ORGS)[number]): Record<string, string> => {
    switch (org) {
      case "no header":
        return {};
      case "an empty header":
        return { "x-service-orgid": "" };
      case "own":
        return { "x-service-orgid": orgs.own };
      case "other":
        return { "x-service-orgid": orgs.other };
      case "unknown":
        return { "x-service-orgid": randomUUID() };
      case "no id":
        return { "x-service-orgid": "default" };
      default:
        return org satisfies never;
    }
  };

  function ownerAfter(rpc: Rpc, org: (typeof ORGS)[number], outcome: Outcome): unknown {
    // An organization owns itself.
    if (rpc === "AddOrg" || rpc === "SetUpOrg") return outcome.ok && (outcome.message.id ?? outcome.message.orgId);
    return isAdmin(rpc) ? service.instanceId : org === "other" ? orgs.other : orgs.own;
  }

  async function expectRow(
    caller: Caller,
    protocol: TestProtocol,
    { name, rpc, cells }: (typeof ROWS)[number],
    credentials: Partial<Record<CallerName, string | undefined>>,
  ): Promise<void> {
    expect(cells).toHaveLength(ORGS.length);
    for (const [column, org] of ORGS.entries()) {
      const authorization = credentials[name];
      const headers = { ...(authorization !== undefined && { authorization }), ...headerOf(org) };
      const error = OUTCOMES[cells.charAt(column)];
      const of = org === "other" ? "other" : "own";
      const target = { orgId: orgs[of], humanId: humans[of], succeeds: error === undefined };
      const request = await requestOf(rpc, target);
      const call = () => caller.call(rpc, request, headers);
      // Nobody can reactivate their own organization.
      if (rpc === "ReactivateOrg" && error === undefined && of === "own") {
        await expectError(service.db, protocol, call, "TOKEN_INVALID");
        await service.db.updateTable("orgs").set({ state: "active" }).execute();
        continue;
      }
      if (error !== undefined) {
        await expectError(service.db, protocol, call, error);
        continue;
      }
      // Some of the callers have roles outside of their organization.
      if (rpc === "DeactivateOrg" && name === "ORG_OWNER") {
        await expectError(service.db, protocol, call, "PERMISSION_DENIED");
        continue;
      }
      // The callers need their organization.
      if (rpc === "RemoveOrg") {
        await expectError(service.db, protocol, call, "INVALID_ARGUMENT", ["confirmName"]);
        continue;
      }
      const outcome = await call();
      const resourceOwner = rpc === "AdminService.RemoveOrg" ? request.orgId : ownerAfter(rpc, org, outcome);
      expect([org, outcome]).toMatchObject([org, { ok: true }]);
      expect([org, outcome.ok && detailsOf(outcome.message)]).toMatchObject([org, { resourceOwner }]);
      const { editor_id } = await service.db
        .selectFrom("events")
        .select("editor_id")
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      expect(editor_id).toBe(userIds[name]);
      if (rpc === "DeactivateOrg") await service.db.updateTable("orgs").set({ state: "active" }).execute();
    }
  }

  if (kind === "postgres") {
    test.each(accessTokenRows)("$rpc with $name and an access token results in $cells", async (row) => {
      const caller = createCaller("grpc", service, undefined);
      await expectRow(caller, "grpc", row, accessTokens);
      caller.close();
    });
  }

  describe.each([...protocols])("over $protocol", ({ protocol, rows }) => {
    let caller: Caller;
    let connections: Connections;
    beforeAll(() => {
      caller = createCaller(protocol, service, undefined);
      connections = openConnections(service.port);
    });
    afterAll(() => {
      caller?.close();
      connections?.close();
    });

    test.each([...rows])("$rpc with $name results in $cells", (row) =>
      expectRow(caller, protocol, row, authorizations),
    );

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

    const token = (name: CallerName): [string, string][] => {
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

    test.each(["AddOrgOIDCIDP", "ImportHumanUser", "UpdateHumanPhone"] as const)(
      "%s rejects an organization header that is repeated or not ASCII",
      async (rpc) => {
        for (const [_what, headers, field = "x-service-orgid"] of badHeaders()) {
          for (const name of ["INSTANCE_OWNER", "ORG_OWNER", "no role"] as const) {
            const call = () => send(rpc, [...token(name), ...headers]);
            await expectError(service.db, protocol, call, "INVALID_ARGUMENT", [field]);
          }
        }
      },
    );

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

    test.each(rows.filter(({ cells }) => /^[mi]+$/.test(cells)))(
      "$rpc with $name reports the token and no other error",
      async ({ name, rpc, cells }) => {
        for (const [_what, headers] of [["nothing", []] as const, ...badHeaders()]) {
          const call = () => send(rpc, [...token(name), ...headers]);
          await expectError(service.db, protocol, call, OUTCOMES[cells.charAt(0)] ?? "TOKEN_INVALID");
        }
      },
    );
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
