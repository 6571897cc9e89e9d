import { randomUUID } from "node:crypto";
import { type Caller, createCaller, type Outcome } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, EMOJI, HUMAN } from "../../support/clients/requests.ts";
import { readStoredEffects } from "../../support/operations/stored-effects.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const NUMBER = "+41791234567";

/** Numbers in the global format of RFC 3966, and what is stored. */
const SPELLINGS = [
  ["+41791234567", NUMBER],
  ["+41 79 123 45 67", NUMBER],
  ["+41 79 123-45-67", NUMBER],
  ["+41-79-123-45-67", NUMBER],
  ["+41.79.123.45.67", NUMBER],
  ["+41(79)123.45.67", NUMBER],
  ["+(41) 79 123 45 67", NUMBER],
  ["+41 (0)79 123 45 67", NUMBER],
  ["tel:+41-79-123-45-67", NUMBER],
  [" tel:+41-79-123-45-67;ext=5 ", NUMBER],
  ["TEL:+41791234567", NUMBER],
  [`+41${" ".repeat(38)}791234567`, NUMBER],
  ["\u202a+41\u00a079\u2011123\u201345 67\u202c", NUMBER],
  ["tel:+41-79-123-45-67;foo=1", NUMBER],
  ["+1 202-555-0123", "+12025550123"],
  // The zero belongs to the number in Italy.
  ["+39 06 6982 1234", "+390669821234"],
] as const;

const REFUSED = [
  ["an empty number", ""],
  ["white space alone", "   "],
  ["a plus alone", "+"],
  ["a local number", "079 123 45 67"],
  ["a number with an international prefix", "0041 79 123 45 67"],
  ["a number without a plus", "41791234567"],
  ["a local number in a URI", "tel:079-123-45-67;phone-context=+41"],
  ["an extension in words", "+41 79 123 45 67 ext. 5"],
  ["an extension in short", "+41 79 123 45 67 x5"],
  ["a context of a global number", "tel:+41-79-123-45-67;phone-context=+41"],
  ["two numbers", "+41791234567,+41791234568"],
  ["a letter among the digits", "+41 79 12E 45 67"],
  ["text before the number", "mobile +41791234567"],
  ["a line break in the number", "+4179\n1234567"],
  ["another kind of URI", "sms:+41791234567"],
  ["a full-width plus", "\uff0b41791234567"],
  ["Arabic digits", "+\u0664\u0661\u0667\u0669\u0661\u0662\u0663\u0664\u0665\u0666\u0667"],
  ["a country calling code that does not exist", "+999 123 456 789"],
  ["too few digits", "+4179123"],
  ["too many digits", "+4179123456789012"],
  ["51 characters", `+41${" ".repeat(39)}791234567`],
  ["a NUL", "+4179123\x004567"],
] as const;

interface Details {
  readonly sequence: string;
  readonly creationDate: string;
  readonly changeDate: string;
  readonly resourceOwner: string;
}

let count = 0;

let service: TestService;
let texting: TestService;
let caller: Caller;
let textingCaller: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  texting = await startService("postgres", { SMS_PROVIDER: "file" });
  for (const each of [service, texting]) each.secret(BCRYPT);
  caller = createCaller("grpc", service, service.adminToken);
  textingCaller = createCaller("grpc", texting, texting.adminToken);
});
afterAll(async () => {
  caller?.close();
  textingCaller?.close();
  await texting?.close();
  await service?.close();
});

async function newUser({ via = caller, orgId = "", phone = {} } = {}): Promise<{ userId: string } & Details> {
  const user = { userName: `ada-${++count}`, ...HUMAN, phone };
  const outcome = await via.call("ImportHumanUser", user, { "x-service-orgid": orgId });
  if (!outcome.ok) throw new Error(outcome.message);
  return { userId: String(outcome.message.userId), ...detailsOf(outcome) };
}

const update = (userId: string, phone: string, isPhoneVerified = false, headers = {}) =>
  caller.call("UpdateHumanPhone", { userId, phone, isPhoneVerified }, headers);

const phoneOf = (userId: string) =>
  service.db
    .selectFrom("users")
    .select(["phone", "phone_verified", "sequence", "created_at", "changed_at"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();

test.each(SPELLINGS)("stores %s as %s", async (phone, e164) => {
  const { userId } = await newUser();
  const details = detailsOf(await update(userId, phone));
  expect(await phoneOf(userId)).toMatchObject({ phone: e164, phone_verified: false });
  const effects = await readStoredEffects(service, { userId, since: 2n, at: new Date(details.changeDate) });
  expect(effects.payloads).toEqual([{ phone: e164 }]);
});

test("rejects a number that is not in global format", async () => {
  const { userId } = await newUser({ phone: { phone: "+41791234568", isPhoneVerified: true } });
  for (const [_what, phone] of REFUSED) {
    for (const isPhoneVerified of [true, false]) {
      const call = () => update(userId, phone, isPhoneVerified);
      await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", ["phone"]);
    }
  }
  const without = () => caller.call("UpdateHumanPhone", { userId });
  await expectError(service.db, "grpc", without, "INVALID_ARGUMENT", ["phone"]);
});

test("finds a user by the id in any case", async () => {
  const { userId } = await newUser();
  expect(detailsOf(await update(userId.toUpperCase(), NUMBER))).toMatchObject({ sequence: "3" });
  const { created_at, ...changed } = await phoneOf(userId);
  expect(changed).toMatchObject({ phone: NUMBER, sequence: 3n });
});

test("fails for a user that does not exist, belongs to another organization, or is a machine user", async () => {
  const orgId = await service.createOrg("Phones");
  const own = await newUser();
  const other = await newUser({ orgId });
  const machine = await service.createToken({ orgId: service.orgId });
  for (const userId of [
    randomUUID(),
    other.userId,
    service.adminId,
    machine.userId,
    service.orgId,
    "ada",
    `{${own.userId}}`,
    own.userId.replaceAll("-", ""),
    `${own.userId} `,
    EMOJI.repeat(200),
    "a/b?c#d%",
  ]) {
    await expectError(service.db, "grpc", () => update(userId, NUMBER), "USER_NOT_FOUND");
  }
  const elsewhere = { "x-service-orgid": orgId };
  await expectError(service.db, "grpc", () => update(own.userId, NUMBER, true, elsewhere), "USER_NOT_FOUND");
  const outcome = await update(other.userId, NUMBER, true, elsewhere);
  expect(detailsOf(outcome)).toMatchObject({ resourceOwner: orgId, sequence: "4" });
});

test("rejects an id that is empty, too long or contains NUL", async () => {
  for (const userId of ["", "x".repeat(201), "x".repeat(255), EMOJI.repeat(201), "a\0b"]) {
    await expectError(service.db, "grpc", () => update(userId, NUMBER), "INVALID_ARGUMENT", ["userId"]);
  }
});

test("reports both invalid fields, and an invalid number rather than an unknown user", async () => {
  const both = () => update("x".repeat(201), "079 123 45 67");
  await expectError(service.db, "grpc", both, "INVALID_ARGUMENT", ["phone", "userId"]);
  const number = () => update("ada", "079 123 45 67");
  await expectError(service.db, "grpc", number, "INVALID_ARGUMENT", ["phone"]);
});

test.each([
  {
    what: "a verified number is recorded as such, without an SMS",
    provider: "file",
    verified: true,
    events: ["user.human.phone.changed", "user.human.phone.verified"],
    messages: [],
  },
  {
    what: "a verified number is recorded as such without an SMS provider",
    provider: "none",
    verified: true,
    events: ["user.human.phone.changed", "user.human.phone.verified"],
    messages: [],
  },
  {
    what: "a number that is not verified gets an SMS",
    provider: "file",
    verified: false,
    events: ["user.human.phone.changed", "user.human.phone.verification.requested"],
    messages: [`phone by sms to ${NUMBER}`],
  },
  {
    what: "a number that is not verified gets no SMS without a provider",
    provider: "none",
    verified: false,
    events: ["user.human.phone.changed"],
    messages: [],
  },
])("$what", async ({ provider, verified, events, messages }) => {
  const [at, via] = provider === "file" ? [texting, textingCaller] : [service, caller];
  const user = await newUser({ via });
  at.clockOffsetMs += 1_000;
  const request = { userId: user.userId, phone: "+41 79 123 45 67", ...(verified && { isPhoneVerified: true }) };
  const outcome = await via.call("UpdateHumanPhone", request);
  expect(outcome).toEqual({
    ok: true,
    headers: expect.anything(),
    message: {
      details: {
        sequence: `${2 + events.length}`,
        creationDate: user.creationDate,
        changeDate: expect.any(String),
        resourceOwner: at.orgId,
      },
    },
  });
  const changed = new Date(detailsOf(outcome).changeDate);
  expect(changed.getTime() - Date.parse(user.changeDate)).toBeGreaterThanOrEqual(1_000);
  const effects = await readStoredEffects(at, { userId: user.userId, since: 2n, at: changed });
  expect(effects).toEqual({
    events,
    payloads: events.map((type) => (type.endsWith("requested") ? { codeId: expect.any(String) } : { phone: NUMBER })),
    codes: messages.length > 0 ? ["phone"] : [],
    messages,
    secrets: messages.map(() => expect.any(String)),
  });
  // `close` rejects if it finds one of them.
  for (const secret of effects.secrets) at.secret(secret);
  const row = await at.db
    .selectFrom("users")
    .select(["phone", "phone_verified", "sequence", "created_at", "changed_at"])
    .where("id", "=", user.userId)
    .executeTakeFirst();
  expect(row).toEqual({
    phone: NUMBER,
    phone_verified: verified,
    sequence: BigInt(2 + events.length),
    created_at: new Date(user.creationDate),
    changed_at: changed,
  });
});

test("changes nothing if the number is already stored and verified, in any spelling", async () => {
  const { userId } = await newUser({ phone: { phone: NUMBER } });
  service.clockOffsetMs += 1_000;
  const last = detailsOf(await update(userId, NUMBER, true));
  expect(last).toMatchObject({ sequence: "3" });
  service.clockOffsetMs += 1_000;
  for (const phone of [NUMBER, "tel:+41-79-123-45-67"]) {
    for (const flag of [{ isPhoneVerified: true }, {}]) {
      const before = await phoneOf(userId);
      expect(detailsOf(await caller.call("UpdateHumanPhone", { userId, phone, ...flag }))).toEqual(last);
      expect(await phoneOf(userId)).toEqual(before);
    }
  }
  const effects = await readStoredEffects(service, { userId, since: 2n, at: new Date(last.changeDate) });
  expect(effects.events).toEqual(["user.human.phone.verified"]);
});

test("changes nothing if the number was imported as verified", async () => {
  const user = await newUser({ phone: { phone: NUMBER, isPhoneVerified: true } });
  service.clockOffsetMs += 1_000;
  const { userId, ...last } = user;
  expect(detailsOf(await update(userId, NUMBER, true))).toEqual(last);
});

test("records a change of the number, of the flag, and of an unverified number sent again", async () => {
  const { userId } = await newUser({ via: textingCaller });
  const phoneAfter = async (phone: string, isPhoneVerified: boolean) => {
    const outcome = await textingCaller.call("UpdateHumanPhone", { userId, phone, isPhoneVerified });
    const row = await texting.db
      .selectFrom("users")
      .select(["phone", "phone_verified"])
      .where("id", "=", userId)
      .executeTakeFirst();
    const [{ count: texts } = { count: 0 }] = await texting.db
      .selectFrom("messages")
      .select(({ fn }) => fn.count<string>("id").as("count"))
      .where("user_id", "=", userId)
      .where("channel", "=", "sms")
      .execute();
    return [detailsOf(outcome).sequence, row?.phone, row?.phone_verified, Number(texts)];
  };
  expect(await phoneAfter(NUMBER, false)).toEqual(["4", NUMBER, false, 1]);
  expect(await phoneAfter(NUMBER, false)).toEqual(["5", NUMBER, false, 2]);
  expect(await phoneAfter(NUMBER, true)).toEqual(["6", NUMBER, true, 2]);
  expect(await phoneAfter("+41791234568", true)).toEqual(["8", "+41791234568", true, 2]);
  expect(await phoneAfter("+41791234568", false)).toEqual(["10", "+41791234568", false, 3]);
});

test("sends a new SMS for the unverified number that is stored, with its event alone", async () => {
  const { userId } = await newUser({ via: textingCaller, phone: { phone: NUMBER } });
  const { sequence, changeDate } = detailsOf(await textingCaller.call("UpdateHumanPhone", { userId, phone: NUMBER }));
  expect(sequence).toBe("4");
  const effects = await readStoredEffects(texting, { userId, since: 3n, at: new Date(changeDate) });
  expect(effects).toMatchObject({
    events: ["user.human.phone.verification.requested"],
    messages: [`phone by sms to ${NUMBER}`],
  });
});

test("changes nothing without an SMS provider if the unverified number is stored", async () => {
  const { userId, ...last } = await newUser({ phone: { phone: NUMBER } });
  service.clockOffsetMs += 1_000;
  expect(detailsOf(await update(userId, NUMBER))).toEqual(last);
});

test("sends neither an SMS nor a notice with MESSAGE_NONE", async () => {
  const { userId } = await newUser({ via: textingCaller, phone: { phone: NUMBER, isPhoneVerified: true } });
  const quiet = { userId, phone: "+41791234568", message: "MESSAGE_NONE" };
  const changed = detailsOf(await textingCaller.call("UpdateHumanPhone", quiet));
  expect(changed.sequence).toBe("4");
  const effects = await readStoredEffects(texting, { userId, since: 3n, at: new Date(changed.changeDate) });
  expect(effects).toMatchObject({ events: ["user.human.phone.changed"], messages: [], codes: [] });
  texting.clockOffsetMs += 1_000;
  expect(detailsOf(await textingCaller.call("UpdateHumanPhone", quiet))).toEqual(changed);
});

test("returns change times that never decrease, and follow the clock again once it has caught up", async () => {
  service.clockOffsetMs += 3_600_000;
  const { userId, creationDate } = await newUser();
  service.clockOffsetMs -= 7_200_000;
  const early = detailsOf(await update(userId, NUMBER));
  expect(early).toMatchObject({ sequence: "3", creationDate, changeDate: creationDate });
  await readStoredEffects(service, { userId, since: 2n, at: new Date(creationDate) });
  service.clockOffsetMs += 14_400_000;
  const late = detailsOf(await update(userId, NUMBER, true));
  expect(late).toMatchObject({ sequence: "4", creationDate });
  expect(Date.parse(late.changeDate) - Date.parse(creationDate)).toBeGreaterThanOrEqual(7_200_000);
  await readStoredEffects(service, { userId, since: 3n, at: new Date(late.changeDate) });
  expect(await phoneOf(userId)).toMatchObject({ changed_at: new Date(late.changeDate) });
});

function detailsOf(outcome: Outcome): Details {
  if (!outcome.ok) throw new Error(`refused: ${outcome.message}`);
  return outcome.message.details as unknown as Details;
}
