import { revokeToken } from "../../src/access/revoke-token.ts";
import { createRpcs, type RpcParts } from "../../src/rpcs.ts";
import {
  type Caller,
  createCaller,
  type Outcome,
  readRestResponse,
  restRequestOf,
  type WriteRpc,
} from "../support/clients/callers.ts";
import { type ErrorReason, expectError } from "../support/clients/errors.ts";
import { HUMAN, IDP } from "../support/clients/requests.ts";
import { createRandom } from "../support/random.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { createWriteRequests } from "./write-requests.ts";

/** The RPCs whose statements confirm a caller that is remembered from an earlier call. */
const RPCS = createRpcs({} as RpcParts)
  .filter(({ confirmsCaller }) => confirmsCaller)
  .map(({ desc }) => desc.name as WriteRpc);

const FIRST: readonly WriteRpc[] = ["ImportHumanUser", "UpdateHumanPhone"];

type Made = Awaited<ReturnType<TestService["createToken"]>>;

/** What may happen to a caller between two calls. */
interface Change {
  readonly name: string;
  readonly error: ErrorReason;
  readonly make: (service: TestService, caller: Made) => Promise<unknown>;
  readonly undo: (service: TestService, caller: Made) => Promise<unknown>;
}

const setToken = ({ db }: TestService, { id }: Made, values: { revoked_at?: null; expires_at?: Date | null }) =>
  db.updateTable("tokens").set(values).where("id", "=", id).execute();
const setState = ({ db }: TestService, { userId }: Made, state: "active" | "inactive" | "locked") =>
  db.updateTable("users").set({ state }).where("id", "=", userId).execute();
const setRole = ({ db }: TestService, { userId }: Made, role: "ORG_OWNER" | "ORG_VIEWER") =>
  db.updateTable("members").set({ role }).where("user_id", "=", userId).execute();

const CHANGES: readonly Change[] = [
  {
    name: "whose token was revoked",
    error: "TOKEN_INVALID",
    make: ({ db }, { id }) => revokeToken({ db, clock: () => new Date() }, id),
    undo: (service, caller) => setToken(service, caller, { revoked_at: null }),
  },
  {
    name: "whose token has expired",
    error: "TOKEN_INVALID",
    make: (service, caller) => setToken(service, caller, { expires_at: new Date() }),
    undo: (service, caller) => setToken(service, caller, { expires_at: null }),
  },
  {
    name: "who was locked",
    error: "TOKEN_INVALID",
    make: (service, caller) => setState(service, caller, "locked"),
    undo: (service, caller) => setState(service, caller, "active"),
  },
  {
    name: "who was deactivated",
    error: "TOKEN_INVALID",
    make: (service, caller) => setState(service, caller, "inactive"),
    undo: (service, caller) => setState(service, caller, "active"),
  },
  {
    name: "who lost the role",
    error: "PERMISSION_DENIED",
    make: (service, caller) => setRole(service, caller, "ORG_VIEWER"),
    undo: (service, caller) => setRole(service, caller, "ORG_OWNER"),
  },
];

test("the RPCs for many users confirm their callers", () => {
  expect(RPCS).toEqual(expect.arrayContaining([...FIRST]));
});

describe("a caller", () => {
  let service: TestService;
  let caller: Caller;
  let orgId: string;
  let humanId: string;
  let requestOf: ReturnType<typeof createWriteRequests>;
  beforeAll(async () => {
    service = await startService("postgres", { SMS_PROVIDER: "file" });
    caller = createCaller("grpc", service, service.adminToken);
    orgId = await service.createOrg("Own");
    const imported = await caller.call("ImportHumanUser", { userName: "ada", ...HUMAN }, { "x-service-orgid": orgId });
    const provider = await caller.call("AddOIDCIDP", IDP);
    if (!imported.ok || !provider.ok) throw new Error("the service could not be filled");
    humanId = String(imported.message.userId);
    requestOf = createWriteRequests(service, String(provider.message.idpId));
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const create = async () => {
    const made = await service.createToken({ orgId, role: "ORG_OWNER" });
    const headers = { authorization: `Bearer ${made.token}` };
    const remember = () =>
      caller.call("UpdateHumanProfile", { userId: humanId, firstName: "Ada", lastName: "Lovelace" }, headers);
    return { made, headers, remember };
  };

  describe.each(CHANGES)("$name", (change) => {
    const { error, make, undo } = change;
    // All RPCs check their callers in the same way.
    const rpcs = change === CHANGES[0] ? RPCS : FIRST;

    test.each(rpcs)("cannot call %s", async (rpc) => {
      const { made, headers, remember } = await create();
      expect(await remember()).toMatchObject({ ok: true });
      const request = await requestOf(rpc, { orgId, humanId, succeeds: true });
      await make(service, made);
      await expectError(service.db, "grpc", () => caller.call(rpc, request, headers), error);
      // The same again, because the first rejected call may have made the service forget the caller.
      await expectError(service.db, "grpc", () => caller.call(rpc, request, headers), error);
      await undo(service, made);
      expect(await caller.call(rpc, request, headers)).toMatchObject({ ok: true });
    });

    test.each(FIRST)("cannot call %s with an idempotency key", async (rpc) => {
      const { made, headers, remember } = await create();
      expect(await remember()).toMatchObject({ ok: true });
      const request = await requestOf(rpc, { orgId, humanId, succeeds: true });
      const call = () => caller.call(rpc, request, { ...headers, "idempotency-key": "own" });
      await make(service, made);
      await expectError(service.db, "grpc", call, error);
      await undo(service, made);
      const first = await call();
      if (!first.ok) throw new Error(first.message);
      expect(await call()).toMatchObject({ ok: true, message: first.message });
    });

    test("learns nothing about the request", async () => {
      const { made, headers, remember } = await create();
      const send =
        (phone: string, id = humanId) =>
        () =>
          caller.call("UpdateHumanPhone", { userId: id, phone }, headers);
      const calls = [
        ["grpc", send("1")],
        ["grpc", send("+41791234567", "nobody")],
        ["rest", () => putPhone("{", headers)],
        ["rest", () => putPhone(JSON.stringify({ unknown: true }), headers)],
        ["rest", () => putPhone(" ".repeat(2 ** 20 + 1), headers)],
      ] as const;
      for (const [form, call] of calls) {
        expect(await remember()).toMatchObject({ ok: true });
        await make(service, made);
        await expectError(service.db, form, call, error);
        await undo(service, made);
      }
    });

    test("is rejected alone: other callers of the same statement succeed", async () => {
      const all: Awaited<ReturnType<typeof create>>[] = [];
      for (let number = 0; number < 16; number++) all.push(await create());
      for (const { remember } of all) expect(await remember()).toMatchObject({ ok: true });
      const rejected = all.filter((_, number) => number % 4 === 0);
      for (const { made } of rejected) await make(service, made);
      const before = await countUsers();
      const outcomes = await Promise.all(
        all.map(async ({ headers }) => {
          const request = await requestOf("ImportHumanUser", { orgId, humanId, succeeds: true });
          return caller.call("ImportHumanUser", request, headers);
        }),
      );
      expect(outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.reason))).toEqual(
        all.map((one) => (rejected.includes(one) ? error : "ok")),
      );
      expect(await countUsers()).toBe(before + 12);
    });
  });

  test("who lost the role in one organization keeps the other", async () => {
    const other = await service.createOrg("Other");
    const { made, headers } = await create();
    const [member] = await service.db.selectFrom("members").selectAll().where("user_id", "=", made.userId).execute();
    if (member === undefined) throw new Error("the caller has no role");
    await service.db
      .insertInto("members")
      .values({ ...member, scope_id: other })
      .execute();
    const importInto = async (org: string) =>
      caller.call("ImportHumanUser", await requestOf("ImportHumanUser", { orgId, humanId, succeeds: true }), {
        ...headers,
        "x-service-orgid": org,
      });
    expect([await importInto(orgId), await importInto(other)]).toMatchObject([{ ok: true }, { ok: true }]);
    await service.db.deleteFrom("members").where("user_id", "=", made.userId).where("scope_id", "=", other).execute();
    expect([await importInto(orgId), await importInto(other)]).toMatchObject([
      { ok: true },
      { ok: false, reason: "PERMISSION_DENIED" },
    ]);
  });

  test("who gained a role may use it in the next call", async () => {
    const protectedUser = await service.createToken({ orgId, role: "ORG_OWNER" });
    const made = await service.createToken({ orgId, role: "ORG_USER_MANAGER" });
    const headers = { authorization: `Bearer ${made.token}` };
    const lock = () => caller.call("LockUser", { id: protectedUser.userId }, headers);
    expect([await lock(), await lock()]).toMatchObject([
      { ok: false, reason: "PERMISSION_DENIED" },
      { ok: false, reason: "PERMISSION_DENIED" },
    ]);
    await service.db.updateTable("members").set({ role: "ORG_OWNER" }).where("user_id", "=", made.userId).execute();
    expect(await lock()).toMatchObject({ ok: true });
  });

  test("who gained a role besides the remembered one may use it in the next call", async () => {
    const protectedUser = await service.createToken({ orgId, role: "ORG_OWNER" });
    const made = await service.createToken({ orgId, role: "ORG_USER_MANAGER" });
    const headers = { authorization: `Bearer ${made.token}` };
    const lock = () => caller.call("LockUser", { id: protectedUser.userId }, headers);
    expect(await lock()).toMatchObject({ ok: false, reason: "PERMISSION_DENIED" });
    const [member] = await service.db.selectFrom("members").selectAll().where("user_id", "=", made.userId).execute();
    if (member === undefined) throw new Error("the caller has no role");
    await service.db
      .insertInto("members")
      .values({ ...member, role: "ORG_OWNER" })
      .execute();
    expect(await lock()).toMatchObject({ ok: true });
  });

  test("with an idempotency key gets no stored response after the token was revoked", async () => {
    const { made, headers, remember } = await create();
    await remember();
    const request = await requestOf("ImportHumanUser", { orgId, humanId, succeeds: true });
    const call = () => caller.call("ImportHumanUser", request, { ...headers, "idempotency-key": "first" });
    expect(await call()).toMatchObject({ ok: true });
    await revokeToken({ db: service.db, clock: () => new Date() }, made.id);
    await expectError(service.db, "grpc", call, "TOKEN_INVALID");
  });

  test("has the same outcome as a caller that is looked up, whatever happens in between", async () => {
    const callers = [await create(), await create(), await create(), await create()];
    const changes = callers.map((): Change | undefined => undefined);
    const random = createRandom(7);
    for (let round = 0; round < 80; round++) {
      const number = random.below(callers.length);
      const { made } = callers[number] as (typeof callers)[number];
      const change = changes[number];
      const next = change === undefined ? random.pick(CHANGES) : undefined;
      await (change === undefined ? next?.make(service, made) : change.undo(service, made));
      changes[number] = next;
      const calls = Array.from({ length: 12 }, () => ({ by: random.below(callers.length), what: random.below(4) }));
      const outcomes = await Promise.all(calls.map(({ by, what }) => send(what, callers[by]?.headers ?? {})));
      expect(outcomes).toEqual(calls.map(({ by, what }) => changes[by]?.error ?? OUTCOMES[what]));
    }
  });

  const OUTCOMES = ["ok", "ok", "INVALID_ARGUMENT", "USER_NOT_FOUND"];

  /** Sends a call with one of `OUTCOMES` for a caller with the permission. */
  async function send(what: number, headers: Record<string, string>): Promise<string | undefined> {
    const phone = "+41791234567";
    const outcome =
      what === 0
        ? await caller.call(
            "ImportHumanUser",
            await requestOf("ImportHumanUser", { orgId, humanId, succeeds: true }),
            headers,
          )
        : await caller.call(
            "UpdateHumanPhone",
            [{}, { userId: humanId, phone }, { userId: humanId, phone: "1" }, { userId: orgId, phone }][what] ?? {},
            headers,
          );
    return outcome.ok ? "ok" : outcome.reason;
  }

  async function putPhone(body: string, headers: Record<string, string>): Promise<Outcome> {
    const { path } = restRequestOf("UpdateHumanPhone", { userId: humanId });
    const all = { ...headers, "content-type": "application/json" };
    return readRestResponse(await fetch(service.origin + path, { method: "PUT", headers: all, body }));
  }

  async function countUsers(): Promise<number> {
    const { count } = await service.db
      .selectFrom("users")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .where("kind", "=", "human")
      .executeTakeFirstOrThrow();
    return Number(count);
  }
});
