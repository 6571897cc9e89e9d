import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:http2";
import { fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../gen/google/rpc/status_pb.js";
import { revokeToken } from "../../src/access/revoke-token.ts";
import { expectRefusal, IDP, type Refusal, SECRET } from "../idps/cases.ts";
import { type Caller, createCaller, type Outcome, type Rpc } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";
import { BCRYPT, HUMAN } from "../users/import-human-user.cases.ts";

/** How a cell of the grid ends; `+` is a success. */
const OUTCOMES: Readonly<Record<string, Refusal | undefined>> = {
  "+": undefined,
  p: "PERMISSION_DENIED",
  o: "ORG_NOT_FOUND",
  m: "TOKEN_MISSING",
  i: "TOKEN_INVALID",
};

/** The organizations that a call is for, as the columns of the grid: the header that selects each. */
const ORGS = ["no header", "an empty header", "own", "other", "unknown", "no id"] as const;

/**
 * Who may call what, and where. A column for each of `ORGS`: no header, an empty one, the caller's
 * organization, another one, a UUID that is none, and a text that is no UUID.
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
  "no word but Bearer": all("mmmmmm"),
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
  | "no word but Bearer"
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

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let orgs: { own: string; other: string };
  /** The authorization header of each caller; undefined: none. */
  let authorizations: Record<CallerName, string | undefined>;
  /** A human user of each organization, whose phone is changed. */
  let humans: { own: string; other: string };
  let adminOf: Record<string, string>;

  beforeAll(async () => {
    service = await startService(kind);
    service.secret(SECRET);
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
      "no word but Bearer": "Bearer",
      "two tokens": `Bearer ${token} ${token}`,
      "a text that is no token": `Bearer ${token.slice(0, -1)}`,
      "an unknown token": `Bearer ${unknown}`,
      "an expired token": `Bearer ${expired.token}`,
      "a revoked token": `Bearer ${revoked.token}`,
    };
    adminOf = Object.fromEntries(Object.entries(tokens).map(([name, { userId }]) => [name, userId]));
    const caller = createCaller("rest", service, service.adminToken);
    const importInto = async (orgId: string) => {
      const outcome = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, { "x-service-orgid": orgId });
      if (!outcome.ok) throw new Error(outcome.message);
      return String(outcome.message.userId);
    };
    humans = { own: await importInto(orgs.own), other: await importInto(orgs.other) };
    caller.close();
  });
  afterAll(() => service.close());

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

  describe.each(["grpc", "rest"] as const)("over %s", (form) => {
    let caller: Caller;
    beforeAll(() => {
      caller = createCaller(form, service, undefined);
    });
    afterAll(() => caller.close());

    test.each(ROWS)("$name may or may not call $rpc: $cells", async ({ name, rpc, cells }) => {
      expect(cells).toHaveLength(ORGS.length);
      for (const [column, org] of ORGS.entries()) {
        const authorization = authorizations[name];
        const headers = { ...(authorization !== undefined && { authorization }), ...headerOf(org) };
        const call = () => caller.call(rpc, requestOf(rpc, org === "other"), headers);
        const refusal = OUTCOMES[cells.charAt(column)];
        if (refusal !== undefined) {
          await expectRefusal(service.db, form, call, refusal);
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
        expect(editor_id).toBe(adminOf[name]);
      }
    });

    test.each(["bearer", "BEARER", "bEaReR"])("the scheme may be written %s", async (scheme) => {
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
        await expectRefusal(service.db, form, call, "TOKEN_INVALID");
      } finally {
        service.clockOffsetMs = 0;
      }
    });

    test("an id of an organization may be written in capitals, with spaces around it", async () => {
      const authorization = authorizations.INSTANCE_OWNER ?? "";
      const headers = { authorization, "x-service-orgid": ` ${orgs.other.toUpperCase()} ` };
      const outcome = await caller.call("AddOrgOIDCIDP", IDP, headers);
      expect(outcome).toMatchObject({ ok: true, message: { details: { resourceOwner: orgs.other } } });
    });

    const send = form === "grpc" ? sendGrpc : sendRest;
    const token = (name: CallerName): [string, string][] => {
      const authorization = authorizations[name];
      return authorization === undefined ? [] : [["authorization", authorization]];
    };
    /** What is wrong with the organization header, by what it is sent as. */
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
      "%s refuses an organization header that is repeated or not ASCII",
      async (rpc) => {
        for (const [_what, headers] of badHeaders()) {
          for (const name of ["INSTANCE_OWNER", "ORG_OWNER", "no role"] as const) {
            const call = () => send(service, rpc, [...token(name), ...headers]);
            await expectRefusal(service.db, form, call, "INVALID_ARGUMENT", ["x-service-orgid"]);
          }
        }
      },
    );

    test("AddOIDCIDP ignores an organization header that is repeated or not ASCII", async () => {
      for (const [_what, headers] of badHeaders()) {
        // The empty message breaks rules of its own, which only a caller with the permission hears of.
        const owner = () => send(service, "AddOIDCIDP", [...token("INSTANCE_OWNER"), ...headers]);
        const fields = ["clientId", "clientSecret", "issuer", "name"];
        await expectRefusal(service.db, form, owner, "INVALID_ARGUMENT", fields);
        const nobody = () => send(service, "AddOIDCIDP", [...token("ORG_OWNER"), ...headers]);
        await expectRefusal(service.db, form, nobody, "PERMISSION_DENIED");
      }
    });

    test.each(ROWS.filter(({ cells }) => /^[mi]+$/.test(cells)))(
      "$name hears about the token alone from $rpc, whatever else is wrong",
      async ({ name, rpc, cells }) => {
        for (const [_what, headers] of [["nothing", []] as const, ...badHeaders()]) {
          const call = () => send(service, rpc, [...token(name), ...headers]);
          await expectRefusal(service.db, form, call, OUTCOMES[cells.charAt(0)] ?? "TOKEN_INVALID");
        }
      },
    );
  });
});

/** Calls over REST with headers as they are given, repeated ones too, and a body that breaks rules. */
async function sendRest(
  service: TestService,
  rpc: Rpc,
  headers: readonly (readonly [string, string])[],
): Promise<Outcome> {
  const { rest, method } = PATHS[rpc];
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = httpRequest(
    service.origin + rest,
    { method, agent: false, headers: { "content-type": "application/json", ...group(headers) } },
    (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    },
  );
  request.on("error", reject).end("{}");
  const { status, text } = await promise;
  service.answers.push(text);
  const { code, message, details } = JSON.parse(text) as {
    code: number;
    message: string;
    details: { "@type": string; reason?: string; fieldViolations?: { field: string }[] }[];
  };
  const find = (type: string) => details.find((detail) => detail["@type"].endsWith(type));
  const fields = (find("BadRequest")?.fieldViolations ?? []).map(({ field }) => field).sort();
  return { ok: false, code, reason: find("ErrorInfo")?.reason, fields, message, http: status };
}

/** Calls over gRPC with metadata as they are given, repeated ones too, and a message that breaks rules. */
async function sendGrpc(
  service: TestService,
  rpc: Rpc,
  headers: readonly (readonly [string, string])[],
): Promise<Outcome> {
  const session = connect(service.origin);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": PATHS[rpc].rpc,
      "content-type": "application/grpc",
      te: "trailers",
      ...group(headers),
    });
    const answer: Record<string, string | string[] | number | undefined> = {};
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.on("response", (received) => Object.assign(answer, received));
    stream.on("trailers", (received) => Object.assign(answer, received));
    stream.on("end", resolve).on("error", reject).resume().end(Buffer.alloc(5));
    await promise;
    service.answers.push(JSON.stringify(answer));
    const bytes = Buffer.from(String(answer["grpc-status-details-bin"] ?? ""), "base64");
    const { details } = fromBinary(StatusSchema, bytes);
    const [info] = details.flatMap((any) => anyUnpack(any, ErrorInfoSchema) ?? []);
    const [bad] = details.flatMap((any) => anyUnpack(any, BadRequestSchema) ?? []);
    return {
      ok: false,
      code: Number(answer["grpc-status"]),
      reason: info?.reason,
      fields: bad?.fieldViolations.map(({ field }) => field).sort() ?? [],
      message: String(answer["grpc-message"]),
      http: undefined,
    };
  } finally {
    session.close();
  }
}

/** Headers as Node takes them, several of one name in a list. */
function group(headers: readonly (readonly [string, string])[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    grouped[name] ??= [];
    grouped[name].push(value);
  }
  return grouped;
}
