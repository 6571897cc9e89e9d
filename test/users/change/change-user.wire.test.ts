import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome, type Rpc } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, EMOJI, HUMAN, withChanges } from "../../support/clients/requests.ts";
import { readStoredEffects } from "../../support/operations/stored-effects.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import {
  CHANGES,
  type ChangeCase,
  idFieldOf,
  REJECTED,
  type Start,
  sessionsEnded,
  UNCHANGED,
} from "./change-user.cases.ts";

const RPCS = [...new Set(CHANGES.map(({ rpc }) => rpc)), "RemoveUser"] as const satisfies Rpc[];
const OF_HUMANS = RPCS.filter((rpc) => idFieldOf(rpc) === "userId");
const MINUTE_MS = 60_000;

let count = 0;

let service: TestService;
let caller: Caller;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  service.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

async function newUser({ fields = {}, columns }: Start = {}, headers = {}): Promise<string> {
  const request = withChanges({ userName: `ada-${++count}`, ...HUMAN }, fields);
  if (request.hashedPassword === null) delete request.hashedPassword;
  const outcome = await caller.call("ImportHumanUser", request, headers);
  if (!outcome.ok) throw new Error(outcome.message);
  const userId = String(outcome.message.userId);
  if (columns) await service.db.updateTable("users").set(columns).where("id", "=", userId).execute();
  // The message limits include messages of the import.
  service.clockOffsetMs += 2 * MINUTE_MS;
  return userId;
}

const call = (rpc: Rpc, userId: string, request: JsonObject = {}, headers = {}) =>
  caller.call(rpc, { [idFieldOf(rpc)]: userId, ...request }, headers);
const rowOf = (userId: string) =>
  service.db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();

test.each(CHANGES)("$rpc $title", async ({ rpc, request, events, stored, messages = [], ...start }: ChangeCase) => {
  const userId = await newUser(start);
  const before = await rowOf(userId);
  const outcome = await call(rpc, userId, request);
  const sequence = before.sequence + BigInt(events.length);
  expect(outcome).toEqual({
    ok: true,
    headers: expect.anything(),
    message: {
      details: {
        sequence: `${sequence}`,
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: service.orgId,
      },
    },
  });
  expect(timesOf(outcome).created).toEqual(before.created_at);
  const after = await rowOf(userId);
  expect(timesOf(outcome).changed).toEqual(after.changed_at);
  const ended = sessionsEnded(rpc, before);
  expect(after).toEqual({ ...before, ...stored, ...ended, sequence, changed_at: expect.any(Date) });
  expect(after.changed_at.getTime() - before.changed_at.getTime()).toBeGreaterThanOrEqual(MINUTE_MS);
  const effects = await readStoredEffects(service, { userId, since: before.sequence, at: after.changed_at });
  for (const secret of effects.secrets) service.secret(secret);
  expect(effects.events).toEqual(events.map(([type]) => type));
  expect(effects.payloads).toEqual(
    events.map(([, payload]) => (payload.codeId ? { codeId: expect.any(String) } : payload)),
  );
  expect(effects.messages).toEqual(messages);
});

test.each(UNCHANGED)("$rpc $title", async ({ rpc, request, reason, metadata, ...start }) => {
  const userId = await newUser(start);
  const before = await rowOf(userId);
  const send = () => call(rpc, userId, request);
  if (reason !== undefined) {
    await expectError(service.db, "grpc", send, reason);
    if (metadata) expect(await send()).toMatchObject({ metadata });
  } else {
    const outcome = await send();
    expect(outcome).toMatchObject({ ok: true, message: { details: { sequence: `${before.sequence}` } } });
    expect(timesOf(outcome)).toEqual({ created: before.created_at, changed: before.changed_at });
  }
  expect(await rowOf(userId)).toEqual(before);
});

test.each(REJECTED)("$rpc rejects $title", async ({ rpc, request, fields }) => {
  const userId = await newUser();
  const send = () => call(rpc, userId, request);
  await expectError(service.db, "grpc", send, "INVALID_ARGUMENT", fields);
});

test("a user who does not exist or belongs to another organization is not found", async () => {
  const orgId = await service.createOrg("Other");
  const other = await newUser({}, { "x-service-orgid": orgId });
  const machine = await service.createToken({ orgId: service.orgId });
  const valid: Partial<Record<Rpc, JsonObject>> = {
    UpdateHumanProfile: { firstName: "Ada", lastName: "Lovelace" },
    UpdateUserName: { userName: "new name" },
    UpdateHumanEmail: { email: "ada@example.com" },
  };
  for (const rpc of RPCS) {
    const ids = [randomUUID(), other, "ada", `{${other}}`, EMOJI.repeat(200)];
    if (OF_HUMANS.some((name) => name === rpc && name !== "UpdateUserName")) ids.push(machine.userId);
    for (const id of ids) {
      await expectError(service.db, "grpc", () => call(rpc, id, valid[rpc]), "USER_NOT_FOUND");
    }
  }
});

test("ids are case-insensitive", async () => {
  const userId = await newUser();
  expect(await call("LockUser", userId.toUpperCase())).toMatchObject({ ok: true });
  expect(await rowOf(userId)).toMatchObject({ state: "locked" });
});

test("a caller cannot remove, deactivate or lock its own user", async () => {
  for (const rpc of ["RemoveUser", "DeactivateUser", "LockUser"] as const) {
    for (const id of [service.adminId, service.adminId.toUpperCase()]) {
      await expectError(service.db, "grpc", () => call(rpc, id), "OWN_USER");
    }
  }
});

describe("without an SMS provider", () => {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService("postgres");
    service.secret(BCRYPT);
    caller = createCaller("grpc", service, service.adminToken);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  test("ResendHumanPhoneVerification fails", async () => {
    const outcome = await caller.call("ImportHumanUser", {
      userName: "sms",
      ...HUMAN,
      phone: { phone: "+41791234567" },
    });
    if (!outcome.ok) throw new Error(outcome.message);
    const send = () => caller.call("ResendHumanPhoneVerification", { userId: outcome.message.userId ?? "" });
    await expectError(service.db, "grpc", send, "SMS_PROVIDER_MISSING");
  });

  test("a caller changes only users whose roles it may manage", async () => {
    const orgId = await service.createOrg("Ranks");
    const tokens = {
      INSTANCE_OWNER: await service.createToken({ orgId, role: "INSTANCE_OWNER" }),
      INSTANCE_USER_MANAGER: await service.createToken({ orgId, role: "INSTANCE_USER_MANAGER" }),
      ORG_OWNER: await service.createToken({ orgId, role: "ORG_OWNER" }),
      ORG_USER_MANAGER: await service.createToken({ orgId, role: "ORG_USER_MANAGER" }),
    };
    const allowed: Record<keyof typeof tokens, string[]> = {
      INSTANCE_OWNER: ["INSTANCE_OWNER", "ORG_OWNER", "ORG_USER_MANAGER", "ORG_VIEWER elsewhere", "none"],
      INSTANCE_USER_MANAGER: ["none"],
      ORG_OWNER: ["ORG_OWNER", "ORG_USER_MANAGER", "none"],
      ORG_USER_MANAGER: ["none"],
    };
    for (const [name, { token }] of Object.entries(tokens)) {
      const targets = {
        INSTANCE_OWNER: await service.createToken({ orgId, role: "INSTANCE_OWNER" }),
        ORG_OWNER: await service.createToken({ orgId, role: "ORG_OWNER" }),
        ORG_USER_MANAGER: await service.createToken({ orgId, role: "ORG_USER_MANAGER" }),
        "ORG_VIEWER elsewhere": await service.createToken({ orgId, role: "ORG_VIEWER", scopeId: service.orgId }),
        none: await service.createToken({ orgId }),
      };
      for (const [target, { userId }] of Object.entries(targets)) {
        for (const rpc of ["LockUser", "RemoveUser"] as const) {
          const send = () => caller.call(rpc, { id: userId }, { authorization: `Bearer ${token}` });
          if (allowed[name as keyof typeof tokens].includes(target)) expect(await send()).toMatchObject({ ok: true });
          else await expectError(service.db, "grpc", send, "PERMISSION_DENIED");
        }
      }
    }
  });
});

/** The times of the details. Without a fraction of a second, their texts differ between the protocols. */
function timesOf(outcome: Outcome): { created: Date; changed: Date } {
  if (!outcome.ok) throw new Error(outcome.message);
  const { creationDate, changeDate } = outcome.message.details as { creationDate: string; changeDate: string };
  return { created: new Date(creationDate), changed: new Date(changeDate) };
}
