import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { compareSync } from "bcryptjs";
import { grantRole } from "../../../src/access/grant-role.ts";
import { type Caller, createCaller, toTimestampJson } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, HUMAN, IDP, PASSWORD } from "../../support/clients/requests.ts";
import { addIdpLink, addPasskey } from "../../support/databases/credentials.ts";
import { readStoredEffects } from "../../support/operations/stored-effects.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { sessionsEnded } from "../change/change-user.cases.ts";
import { CHANGES, REJECTED, UNCHANGED } from "./credentials.cases.ts";

const MINUTE_MS = 60_000;
const UNKNOWN = randomUUID();

let count = 0;

let service: TestService;
let caller: Caller;
let idpId: string;
beforeAll(async () => {
  service = await startService("postgres", { SMS_PROVIDER: "file" });
  for (const secret of [BCRYPT, PASSWORD]) service.secret(secret);
  caller = createCaller("grpc", service, service.adminToken);
  const outcome = await caller.call("AddOIDCIDP", IDP);
  if (!outcome.ok) throw new Error(outcome.message);
  idpId = String(outcome.message.idpId);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

/** A user with two passkeys and two links. */
async function newUser({ fields = {}, columns = {} }: { fields?: JsonObject; columns?: object } = {}) {
  const outcome = await caller.call("ImportHumanUser", { userName: `ada-${++count}`, ...HUMAN, ...fields });
  if (!outcome.ok) throw new Error(outcome.message);
  const userId = String(outcome.message.userId);
  const { orgId, instanceId: idpOwnerId, db } = service;
  for (const name of ["first", "second"]) {
    await addPasskey(service, { orgId, userId, id: `${userId}-${name}` });
    await addIdpLink(service, { orgId, userId, idpId, idpOwnerId, externalUserId: `${userId}-${name}` });
  }
  if (Object.keys(columns).length > 0) await db.updateTable("users").set(columns).where("id", "=", userId).execute();
  service.clockOffsetMs += 2 * MINUTE_MS;
  return userId;
}

/** Enters the ids of the user and the provider. */
const fill = (userId: string, request: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify({ userId, ...request })
      .replaceAll("$user", userId)
      .replaceAll("$idp", idpId)
      .replaceAll("$unknown", UNKNOWN),
  );
const rowOf = (userId: string) =>
  service.db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
const credentialsOf = async (userId: string) => {
  const passkeys = await service.db.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute();
  const links = await service.db
    .selectFrom("user_idp_links")
    .select("external_user_id as id")
    .where("user_id", "=", userId)
    .execute();
  return [...passkeys.map(({ id }) => `passkey ${id}`), ...links.map(({ id }) => `link ${id}`)]
    .map((text) => text.replace(userId, "$user"))
    .sort();
};

test.each(CHANGES)("$rpc $title", async ({ rpc, request, events, stored, messages = [], removed, added, ...start }) => {
  const userId = await newUser(start);
  const [before, credentials] = [await rowOf(userId), await credentialsOf(userId)];
  const outcome = await caller.call(rpc, fill(userId, request));
  const sequence = before.sequence + BigInt(events.length);
  const details = {
    sequence: `${sequence}`,
    creationDate: toTimestampJson(before.created_at),
    changeDate: expect.any(String),
    resourceOwner: service.orgId,
  };
  const others = rpc === "AddPasswordlessRegistration" ? { link: expect.any(String), expiration: "3600s" } : {};
  expect(outcome).toEqual({ ok: true, headers: expect.anything(), message: { details, ...others } });
  const after = await rowOf(userId);
  const ended = sessionsEnded(rpc, before);
  expect(after).toEqual({ ...before, ...stored, ...ended, sequence, changed_at: expect.any(Date) });
  const effects = await readStoredEffects(service, { userId, since: before.sequence, at: after.changed_at });
  for (const secret of effects.secrets) service.secret(secret);
  const expected = events.map(([type, payload]) => [type, fill(userId, payload)] as const);
  expect(effects.events).toEqual(expected.map(([type]) => type));
  for (const [index, payload] of effects.payloads.entries()) {
    const { userId: _, ...fields } = expected[index]?.[1] ?? {};
    expect(payload).toEqual(fields.codeId ? { codeId: expect.any(String) } : fields);
  }
  expect(effects.messages).toEqual(messages);
  expect(await credentialsOf(userId)).toEqual(
    [...credentials.filter((each) => each !== removed), ...(added === undefined ? [] : [added])].sort(),
  );
});

test.each(UNCHANGED)("$rpc $title", async ({ rpc, request, reason, ...start }) => {
  const userId = await newUser(start);
  await expectError(service.db, "grpc", () => caller.call(rpc, fill(userId, request)), reason);
});

test.each(REJECTED)("$rpc rejects $title", async ({ rpc, request, fields }) => {
  const userId = await newUser();
  const call = () => caller.call(rpc, fill(userId, request));
  await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", fields);
});

test.each(CHANGES.filter(({ rpc }, at) => CHANGES.findIndex((other) => other.rpc === rpc) === at))(
  "$rpc finds no user who does not exist, and no machine user",
  async ({ rpc, request }) => {
    const machine = await service.createToken({ orgId: service.orgId });
    for (const userId of [randomUUID(), "ada", machine.userId]) {
      const call = () => caller.call(rpc, fill(userId, request));
      await expectError(service.db, "grpc", call, "USER_NOT_FOUND");
    }
  },
);

test("SetHumanPassword stores a hash of the password, and ends the sessions and the links to reset it", async () => {
  const userId = await newUser();
  const reset = await caller.call("SendHumanResetPasswordNotification", { userId });
  expect(reset).toMatchObject({ ok: true });
  await service.db
    .insertInto("oidc_artifacts")
    .values({
      kind: "Session",
      key: Buffer.from(userId),
      payload: "{}",
      user_id: userId,
      created_at: new Date(),
      expires_at: new Date(),
    })
    .execute();
  service.clockOffsetMs += MINUTE_MS;
  expect(await caller.call("SetHumanPassword", { userId, password: PASSWORD })).toMatchObject({ ok: true });
  const { password_hash } = await rowOf(userId);
  expect(compareSync(PASSWORD, password_hash ?? "")).toBe(true);
  const codes = await service.db.selectFrom("codes").selectAll().where("user_id", "=", userId).execute();
  expect(codes.map(({ kind, used_at, expires_at }) => [kind, used_at, expires_at !== null])).toEqual([
    ["password", null, true],
  ]);
  const sessions = await service.db.selectFrom("oidc_artifacts").select("kind").where("user_id", "=", userId).execute();
  expect(sessions).toEqual([]);
});

test("SendHumanResetPasswordNotification sends at most one message in a minute", async () => {
  const userId = await newUser();
  const send = () => caller.call("SendHumanResetPasswordNotification", { userId });
  expect(await send()).toMatchObject({ ok: true });
  await expectError(service.db, "grpc", send, "TOO_MANY_MESSAGES");
  service.clockOffsetMs += MINUTE_MS;
  expect(await send()).toMatchObject({ ok: true });
});

describe("without an SMS provider", () => {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService("postgres");
    for (const secret of [BCRYPT, PASSWORD]) service.secret(secret);
    caller = createCaller("grpc", service, service.adminToken);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  test("a caller changes only the credentials of users whose roles it may manage", async () => {
    const orgId = service.orgId;
    const { token } = await service.createToken({ orgId, role: "ORG_USER_MANAGER" });
    const imported = await caller.call("ImportHumanUser", { userName: "owner", ...HUMAN });
    if (!imported.ok) throw new Error(imported.message);
    const userId = String(imported.message.userId);
    const user = { id: userId, orgId };
    await grantRole({ db: service.db, clock: () => new Date() }, { user, role: "ORG_OWNER", scopeId: orgId });
    for (const [rpc, request] of [
      ["SetHumanPassword", { password: PASSWORD }],
      ["SendHumanResetPasswordNotification", {}],
      ["AddPasswordlessRegistration", {}],
      ["RemoveHumanPasswordless", { tokenId: "any" }],
      ["RemoveHumanLinkedIDP", { idpId: UNKNOWN, linkedUserId: "any" }],
      ["AddHumanLinkedIDP", { idpId: UNKNOWN, externalUserId: "any" }],
    ] as const) {
      const call = () => caller.call(rpc, { userId, ...request }, { authorization: `Bearer ${token}` });
      await expectError(service.db, "grpc", call, "PERMISSION_DENIED");
    }
  });

  test("SendHumanResetPasswordNotification sends five messages in a day, and then one per hour", async () => {
    const imported = await caller.call("ImportHumanUser", { userName: "forgetful", ...HUMAN });
    if (!imported.ok) throw new Error(imported.message);
    const { userId = "" } = imported.message;
    const send = () => caller.call("SendHumanResetPasswordNotification", { userId });
    for (let sent = 1; sent <= 5; sent++) {
      expect(await send()).toMatchObject({ ok: true });
      service.clockOffsetMs += MINUTE_MS;
    }
    const refused = await send();
    expect(refused).toMatchObject({
      ok: false,
      reason: "TOO_MANY_MESSAGES",
      message: expect.stringContaining("one per hour"),
    });
    service.clockOffsetMs += 59 * MINUTE_MS;
    expect(await send()).toMatchObject({ ok: true });
    service.clockOffsetMs += MINUTE_MS;
    await expectError(service.db, "grpc", send, "TOO_MANY_MESSAGES");
  });

  test("SendHumanResetPasswordNotification fails without an SMS provider", async () => {
    const request = { userName: "sms", ...HUMAN, phone: { phone: "+41791234567", isPhoneVerified: true } };
    const imported = await caller.call("ImportHumanUser", request);
    if (!imported.ok) throw new Error(imported.message);
    const { userId = "" } = imported.message;
    const call = () => caller.call("SendHumanResetPasswordNotification", { userId, type: "TYPE_SMS" });
    await expectError(service.db, "grpc", call, "SMS_PROVIDER_MISSING");
  });
});
