import { sql } from "kysely";
import { createCaller, PROTOCOLS } from "../support/clients/callers.ts";
import {
  type Connections,
  human,
  importBody,
  openConnections,
  RAW_PROTOCOLS,
  type RawProtocol,
  rawRequest,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const METHOD = "signet.v1.ManagementService/ImportHumanUser";
/** All personal data that an import may contain, and secrets. */
const PERSONAL = {
  userName: "zaphod.beeblebrox",
  profile: { firstName: "Zaphod", lastName: "Beeblebrox", nickName: "Zaphie", displayName: "President B" },
  email: { email: "zaphod@heart-of-gold.example" },
  phone: { phone: "+41791234567" },
  // Nothing that can occur in an id by chance.
  otpCode: "otp-marvin",
  idps: [{ configId: "no-such-config", externalUserId: "external-zaphod", displayName: "Zaphod of Betelgeuse" }],
};
const TRACES = /zaph|beeblebrox|president|betelgeuse|heart-of-gold|791234567|marvin|pan-galactic|gargle|signet_pat_/i;

let service: TestService;
let connections: Connections;
let tokenId: string;
beforeAll(async () => {
  service = await startService("postgres");
  ({ id: tokenId } = await service.db.selectFrom("tokens").select("id").executeTakeFirstOrThrow());
  connections = openConnections(service.port);
});
beforeEach(() => {
  service.logs.splice(0);
});
afterAll(async () => {
  connections.close();
  await service.close();
});

const ask = (protocol: RawProtocol, body: Buffer, headers: Record<string, string> = {}) =>
  connections.ask(protocol, rawRequest(protocol, body, { authorization: `Bearer ${service.adminToken}`, ...headers }));

const protocolOf = (protocol: RawProtocol) => (protocol.startsWith("connect") ? "connect" : protocol);

describe.each(RAW_PROTOCOLS)("a call over %s", (protocol) => {
  test("that succeeds writes one line", async () => {
    const response = await ask(protocol, importBody(protocol, human(`ok-${protocol}`)));
    expect(response.code).toBe(0);
    expect(service.logs).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        msg: "call",
        requestId: response.headers["x-request-id"],
        method: METHOD,
        protocol: protocolOf(protocol),
        code: "ok",
        ms: expect.any(Number),
        orgId: service.orgId,
        tokenId,
      },
    ]);
    expect(Number(service.logs[0]?.ms)).toBeGreaterThan(0);
  });

  test.each([
    ["without a token", "", importBody(protocol, human("x")), "unauthenticated", "TOKEN_MISSING"],
    [
      "that cannot be read",
      undefined,
      protocol.startsWith("grpc") ? Buffer.of(0) : Buffer.of(0xff),
      "invalid_argument",
      "INVALID_ARGUMENT",
    ],
    [
      "for a name that is taken",
      undefined,
      importBody(protocol, human(`ok-${protocol}`)),
      "already_exists",
      "USER_NAME_TAKEN",
    ],
    ["that breaks a rule", undefined, importBody(protocol, human("")), "invalid_argument", "INVALID_ARGUMENT"],
    ["that is too large", undefined, Buffer.alloc(2 << 20, " "), "resource_exhausted", "BODY_TOO_LARGE"],
  ])("%s has one line with its code", async (_what, authorization, body, code, reason) => {
    const response = await ask(protocol, body, authorization === undefined ? {} : { authorization });
    expect(service.logs).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        msg: "call",
        requestId: response.headers["x-request-id"],
        method: METHOD,
        protocol: protocolOf(protocol),
        code,
        reason,
        ms: expect.any(Number),
        ...(reason !== "TOKEN_MISSING" && { orgId: service.orgId, tokenId }),
      },
    ]);
  });

  test("that fails in the service returns no cause to the caller and logs it", async () => {
    const { idps: _none, ...person } = PERSONAL;
    // Named for the protocol, so that each is a separate kind of failure, which is logged immediately.
    const constraint = `users__never_${protocol}`;
    await sql`alter table users add constraint ${sql.id(constraint)} check (false) not valid`.execute(service.db);
    try {
      const response = await ask(protocol, importBody(protocol, person));
      expect(response).toMatchObject({
        http: protocol.startsWith("grpc") ? 200 : 500,
        code: 13,
        reason: "INTERNAL",
        fields: [],
        message: "internal error",
      });
      expect(JSON.stringify([response.headers, response.trailers]) + response.body).not.toMatch(
        /users|constraint|23514|stack/,
      );
    } finally {
      await sql`alter table users drop constraint ${sql.id(constraint)}`.execute(service.db);
    }
    expect(service.logs.map(({ level, msg, code, reason }) => ({ level, msg, code, reason }))).toEqual([
      { level: 50, msg: "internal error", code: undefined, reason: undefined },
      { level: 30, msg: "call", code: "internal", reason: "INTERNAL" },
    ]);
    const [error, call] = service.logs as { requestId: string; err: { message: string; stack: string } }[];
    expect(error?.requestId).toBe(call?.requestId);
    expect(error?.err.message).toBe(`SQLSTATE 23514, constraint ${constraint}, table users`);
    expect(error?.err.stack).toMatch(/at .*src\/users\/import\/import-human-user\.ts/);
    expect(JSON.stringify(service.logs)).not.toMatch(TRACES);
    expect(await ask(protocol, importBody(protocol, human(`after-${protocol}`)))).toMatchObject({ code: 0 });
  });

  test("that violates an unknown constraint quotes no row in the log", async () => {
    const constraint = sql.id(`users__test_${protocol}`);
    await sql`alter table users add constraint ${constraint} check (first_name <> 'Zaphod') not valid`.execute(
      service.db,
    );
    try {
      const { idps: _none, ...person } = PERSONAL;
      expect(await ask(protocol, importBody(protocol, person))).toMatchObject({ code: 13, reason: "INTERNAL" });
    } finally {
      await sql`alter table users drop constraint ${constraint}`.execute(service.db);
    }
    const [error] = service.logs as { err: { message: string } }[];
    expect(error?.err.message).toBe(`SQLSTATE 23514, constraint users__test_${protocol}, table users`);
    expect(JSON.stringify(service.logs)).not.toMatch(TRACES);
  });
});

describe("the line of a rejected call contains the id of its token", () => {
  const importWith = async (token: string, orgId = "") => {
    const headers = { authorization: `Bearer ${token}`, "x-service-orgid": orgId };
    const { reason } = await ask("rest", importBody("rest", human("refused")), headers);
    return { reason, line: service.logs.at(-1) };
  };
  const line = (reason: string, tokenId?: string) => {
    const expected = { msg: "call", reason, ...(tokenId !== undefined && { tokenId }) };
    return { reason, line: expect.objectContaining(expected) };
  };

  test("without the permission", async () => {
    const { id, token } = await service.createToken({ orgId: service.orgId, role: "ORG_VIEWER" });
    expect(await importWith(token)).toEqual(line("PERMISSION_DENIED", id));
    const other = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    const unknown = "00000000-0000-7000-8000-000000000000";
    expect(await importWith(other.token, unknown)).toEqual(line("PERMISSION_DENIED", other.id));
  });

  test("that was revoked, or has expired, or whose user is deactivated", async () => {
    const revoked = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    await service.db.updateTable("tokens").set({ revoked_at: new Date() }).where("id", "=", revoked.id).execute();
    expect(await importWith(revoked.token)).toEqual(line("TOKEN_INVALID", revoked.id));

    const expiresAt = new Date(Date.now() - 1_000);
    const expired = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER", expiresAt });
    expect(await importWith(expired.token)).toEqual(line("TOKEN_INVALID", expired.id));

    const inactive = await service.createToken({ orgId: service.orgId, role: "ORG_OWNER" });
    await service.db.updateTable("users").set({ state: "inactive" }).where("id", "=", inactive.userId).execute();
    expect(await importWith(inactive.token)).toEqual(line("TOKEN_INVALID", inactive.id));
  });

  test("but not one that does not exist", async () => {
    const refused = await importWith(service.secret(`signet_pat_${"x".repeat(43)}`));
    expect(refused).toEqual(line("TOKEN_INVALID"));
    expect(refused.line).not.toHaveProperty("tokenId");
    expect(refused.line).not.toHaveProperty("userId");
  });
});

test.each(PROTOCOLS)("no log line over %s contains personal data or a secret", async (protocol) => {
  const caller = createCaller(protocol, service, service.adminToken);
  const password = service.secret("pan-galactic gargle blaster");
  const { idps, ...person } = PERSONAL;
  const config = await caller.call("AddOrgOIDCIDP", {
    name: "Zaphod's",
    clientId: "zaphod-client",
    clientSecret: service.secret("gargle-secret"),
    issuer: "https://heart-of-gold.example",
  });
  const configId = config.ok ? String(config.message.idpId) : "";
  const userName = `${person.userName}-${protocol}`;
  const link = { ...idps[0], configId, externalUserId: `external-zaphod-${protocol}` };
  const codes = [
    await caller.call("ImportHumanUser", { ...person, userName, idps: [link], password }),
    await caller.call("ImportHumanUser", { ...person, userName, password }),
    await caller.call("ImportHumanUser", { ...person, userName: `other-${userName}`, idps: [link] }),
    await caller.call("ImportHumanUser", { ...person, idps }),
    await caller.call("ImportHumanUser", { ...person, phone: { phone: "0791234567" }, password }),
    await caller.call("UpdateHumanPhone", { userId: "zaphod", phone: "+41791234567" }),
    await caller.call("UpdateHumanPhone", { userId: "zaphod", phone: "0791234567" }),
    await caller.call("ImportHumanUser", person, { authorization: `Bearer ${service.adminToken}x` }),
    await caller.call("ImportHumanUser", person, { "x-service-orgid": "zaphod-org" }),
  ].map((outcome) => (outcome.ok ? "OK" : outcome.reason));
  caller.close();
  expect(codes).toEqual([
    "OK",
    "USER_NAME_TAKEN",
    "IDP_LINK_TAKEN",
    "IDP_NOT_FOUND",
    "INVALID_ARGUMENT",
    "USER_NOT_FOUND",
    "INVALID_ARGUMENT",
    "TOKEN_INVALID",
    "ORG_NOT_FOUND",
  ]);
  expect(service.logs).toHaveLength(10);
  expect(JSON.stringify(service.logs)).not.toMatch(TRACES);
});
