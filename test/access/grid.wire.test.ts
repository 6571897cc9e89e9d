import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { revokeToken } from "../../src/access/revoke-token.ts";
import { type Caller, createCaller, type Outcome, type WriteRpc as Rpc } from "../support/callers.ts";
import { type ErrorReason, expectError } from "../support/errors.ts";
import { type Connections, frame, openConnections, rawRequest } from "../support/raw-calls.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../support/requests.ts";
import { startService, type TestService } from "../support/service.ts";

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
 * The result of each RPC that writes, for each caller. A column for each of `ORGS`: no header, an empty one, the caller's organization,
 * another one, a UUID of no organization, and a text that is not a UUID.
 */
const GRID: Readonly<Record<CallerName, Readonly<Record<Rpc, string>>>> = {
  INSTANCE_OWNER: {
    AddOIDCIDP: "++++++",
    AddOrgOIDCIDP: "++++oo",
    ImportHumanUser: "++++oo",
    UpdateHumanPhone: "++++oo",
  },
  INSTANCE_USER_MANAGER: {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "pppppp",
    ImportHumanUser: "++++oo",
    UpdateHumanPhone: "++++oo",
  },
  ORG_OWNER: {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "+++ppp",
    ImportHumanUser: "+++ppp",
    UpdateHumanPhone: "+++ppp",
  },
  ORG_SETTINGS_MANAGER: {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "+++ppp",
    ImportHumanUser: "pppppp",
    UpdateHumanPhone: "pppppp",
  },
  ORG_USER_MANAGER: {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "pppppp",
    ImportHumanUser: "+++ppp",
    UpdateHumanPhone: "+++ppp",
  },
  "no role": {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "pppppp",
    ImportHumanUser: "pppppp",
    UpdateHumanPhone: "pppppp",
  },
  "ORG_OWNER of the other organization": {
    AddOIDCIDP: "pppppp",
    AddOrgOIDCIDP: "ppp+pp",
    ImportHumanUser: "ppp+pp",
    UpdateHumanPhone: "ppp+pp",
  },
  "no token": all("mmmmmm"),
  "another scheme": all("mmmmmm"),
  "the scheme alone": all("mmmmmm"),
  "two tokens": all("mmmmmm"),
  "a text that is no token": all("iiiiii"),
  "an unknown token": all("iiiiii"),
  "an expired token": all("iiiiii"),
  "a revoked token": all("iiiiii"),
};

type CallerName =
  | "INSTANCE_OWNER"
  | "INSTANCE_USER_MANAGER"
  | "ORG_OWNER"
  | "ORG_SETTINGS_MANAGER"
  | "ORG_USER_MANAGER"
  | "no role"
  | "ORG_OWNER of the other organization"
  | "no token"
  | "another scheme"
  | "the scheme alone"
  | "two tokens"
  | "a text that is no token"
  | "an unknown token"
  | "an expired token"
  | "a revoked token";

function all(cells: string): Record<Rpc, string> {
  return { AddOIDCIDP: cells, AddOrgOIDCIDP: cells, ImportHumanUser: cells, UpdateHumanPhone: cells };
}

const ROWS = Object.entries(GRID).flatMap(([name, rpcs]) =>
  Object.entries(rpcs).map(([rpc, cells]) => ({ name: name as CallerName, rpc: rpc as Rpc, cells })),
);

const PATHS: Record<Rpc, { rpc: string; rest: string; method: string }> = {
  AddOIDCIDP: { rpc: "/signet.v1.AdminService/AddOIDCIDP", rest: "/admin/v1/idps/oidc", method: "POST" },
  AddOrgOIDCIDP: {
    rpc: "/signet.v1.ManagementService/AddOrgOIDCIDP",
    rest: "/management/v1/idps/oidc",
    method: "POST",
  },
  ImportHumanUser: {
    rpc: "/signet.v1.ManagementService/ImportHumanUser",
    rest: "/management/v1/users/human/_import",
    method: "POST",
  },
  UpdateHumanPhone: {
    rpc: "/signet.v1.ManagementService/UpdateHumanPhone",
    rest: "/management/v1/users/ada/phone",
    method: "PUT",
  },
};

/** Rows that run in every setting; the others run over gRPC on PostgreSQL. */
const REPRESENTATIVES: readonly CallerName[] = [
  "INSTANCE_USER_MANAGER",
  "ORG_OWNER",
  "ORG_OWNER of the other organization",
  "no token",
  "an expired token",
  "a revoked token",
];

const representativeRows = ROWS.filter(({ name }) => REPRESENTATIVES.includes(name));
const SETTINGS = [
  {
    kind: "postgres",
    forms: [
      { form: "grpc", rows: ROWS },
      { form: "rest", rows: representativeRows },
    ],
  },
  { kind: "embedded", forms: [{ form: "rest", rows: representativeRows }] },
] as const;

describe.each(SETTINGS)("on $kind", ({ kind, forms }) => {
  let service: TestService;
  let orgs: { own: string; other: string };
  /** The authorization header of each caller; undefined for none. */
  let authorizations: Record<CallerName, string | undefined>;
  /** The human user of each organization whose phone is changed. */
  let humans: { own: string; other: string };
  let userIds: Record<string, string>;

  beforeAll(async () => {
    service = await startService(kind);
    service.secret(CLIENT_SECRET);
    service.secret(BCRYPT);
    orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
    const tokens = {
      INSTANCE_OWNER: await service.createToken({ orgId: orgs.own, role: "INSTANCE_OWNER" }),
      INSTANCE_USER_MANAGER: await service.createToken({ orgId: orgs.own, role: "INSTANCE_USER_MANAGER" }),
      ORG_OWNER: await service.createToken({ orgId: orgs.own, role: "ORG_OWNER" }),
      ORG_SETTINGS_MANAGER: await service.createToken({ orgId: orgs.own, role: "ORG_SETTINGS_MANAGER" }),
      ORG_USER_MANAGER: await service.createToken({ orgId: orgs.own, role: "ORG_USER_MANAGER" }),
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
    };
    userIds = Object.fromEntries(Object.entries(tokens).map(([name, { userId }]) => [name, userId]));
    const caller = createCaller("rest", service, service.adminToken);
    const importInto = async (orgId: string) => {
      const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, { "x-service-orgid": orgId });
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    };
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

  let count = 0;
  const requestOf = (rpc: Rpc, inOther: boolean): JsonObject => {
    switch (rpc) {
      case "AddOIDCIDP":
      case "AddOrgOIDCIDP":
        return IDP;
      case "ImportHumanUser":
        return { userName: `ada-${++count}`, ...HUMAN };
      case "UpdateHumanPhone":
        return { userId: inOther ? humans.other : humans.own, phone: "+41791234567" };
      default:
        return rpc satisfies never;
    }
  };

  describe.each([...forms])("over $form", ({ form, rows }) => {
    let caller: Caller;
    let connections: Connections;
    beforeAll(() => {
      caller = createCaller(form, service, undefined);
      connections = openConnections(service.port);
    });
    afterAll(() => {
      caller?.close();
      connections?.close();
    });

    test.each([...rows])("$rpc with $name results in $cells", async ({ name, rpc, cells }) => {
      expect(cells).toHaveLength(ORGS.length);
      for (const [column, org] of ORGS.entries()) {
        const authorization = authorizations[name];
        const headers = { ...(authorization !== undefined && { authorization }), ...headerOf(org) };
        const call = () => caller.call(rpc, requestOf(rpc, org === "other"), headers);
        const error = OUTCOMES[cells.charAt(column)];
        if (error !== undefined) {
          await expectError(service.db, form, call, error);
          continue;
        }
        const outcome = await call();
        const resourceOwner = rpc === "AddOIDCIDP" ? service.instanceId : org === "other" ? orgs.other : orgs.own;
        expect([org, outcome]).toMatchObject([org, { ok: true, message: { details: { resourceOwner } } }]);
        const { editor_id } = await service.db
          .selectFrom("events")
          .select("editor_id")
          .orderBy("position", "desc")
          .limit(1)
          .executeTakeFirstOrThrow();
        expect(editor_id).toBe(userIds[name]);
      }
    });

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
        await expectError(service.db, form, call, "TOKEN_INVALID");
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

    /** Calls with an empty message, which breaks rules of its own, and with headers that may be repeated. */
    async function send(rpc: Rpc, headers: readonly (readonly [string, string])[]): Promise<Outcome> {
      const request = rawRequest(form, form === "grpc" ? frame(Buffer.alloc(0)) : Buffer.from("{}"));
      const path = form === "grpc" ? PATHS[rpc].rpc : PATHS[rpc].rest;
      const method = form === "grpc" ? "POST" : PATHS[rpc].method;
      const all = { ...request.headers, ...group(headers) };
      const answer = await connections.ask(form, { ...request, method, path, headers: all });
      const { http, code = 0, reason, fields, message } = answer;
      service.answers.push(JSON.stringify([answer.headers, answer.trailers, answer.body.toString()]));
      return { ok: false, code, reason, fields, message, http: form === "rest" ? http : undefined };
    }

    const token = (name: CallerName): [string, string][] => {
      const authorization = authorizations[name];
      return authorization === undefined ? [] : [["authorization", authorization]];
    };
    /** Organization headers that are not accepted. */
    const badHeaders = (): [string, [string, string][]][] => {
      const own: [string, string] = ["x-service-orgid", orgs.own];
      const other: [string, string] = ["x-service-orgid", orgs.other];
      return [
        ["the same organization twice", [own, own]],
        ["two organizations", [own, other]],
        ["two organizations in one header", [["x-service-orgid", `${orgs.own},${orgs.other}`]]],
        ["a letter beyond ASCII", [["x-service-orgid", "z\u00fcrich"]]],
      ];
    };

    test.each(["AddOrgOIDCIDP", "ImportHumanUser", "UpdateHumanPhone"] as const)(
      "%s rejects an organization header that is repeated or not ASCII",
      async (rpc) => {
        for (const [_what, headers] of badHeaders()) {
          for (const name of ["INSTANCE_OWNER", "ORG_OWNER", "no role"] as const) {
            const call = () => send(rpc, [...token(name), ...headers]);
            await expectError(service.db, form, call, "INVALID_ARGUMENT", ["x-service-orgid"]);
          }
        }
      },
    );

    test("AddOIDCIDP ignores an organization header that is repeated or not ASCII", async () => {
      for (const [_what, headers] of badHeaders()) {
        // Broken field rules are reported only to a caller with the permission.
        const owner = () => send("AddOIDCIDP", [...token("INSTANCE_OWNER"), ...headers]);
        const fields = ["clientId", "clientSecret", "issuer", "name"];
        await expectError(service.db, form, owner, "INVALID_ARGUMENT", fields);
        const other = () => send("AddOIDCIDP", [...token("ORG_OWNER"), ...headers]);
        await expectError(service.db, form, other, "PERMISSION_DENIED");
      }
    });

    test.each(rows.filter(({ cells }) => /^[mi]+$/.test(cells)))(
      "$rpc with $name reports the token and no other error",
      async ({ name, rpc, cells }) => {
        for (const [_what, headers] of [["nothing", []] as const, ...badHeaders()]) {
          const call = () => send(rpc, [...token(name), ...headers]);
          await expectError(service.db, form, call, OUTCOMES[cells.charAt(0)] ?? "TOKEN_INVALID");
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
