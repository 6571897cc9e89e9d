import { LIMITS } from "../../../src/limits.ts";
import {
  allRows,
  call,
  changePhone,
  codeOf,
  createVisitor,
  eventsAfter,
  importAda,
  lastReceived,
  NUMBER,
  type Received,
  received,
  userOf,
  VISITED,
  wrongDigits,
} from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DONE = "All done";

// test/web/links/embedded.wire.test.ts tests a selection on the embedded database.
describe("on PostgreSQL", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    service.stopClock();
  });
  // All tests use one number.
  beforeEach(() => service.db.deleteFrom("rate_limits").where("key", "like", "phone:%").execute());
  afterAll(() => service?.close());

  /** A user with an SMS whose code is valid for an hour, as after delivery. */
  async function newUser() {
    const userId = await importAda(service);
    await changePhone(service, userId);
    const got = await lastReceived(service, userId, "phone");
    await handOver(got);
    return { userId, got, before: await userOf(service, userId), visitor: createVisitor(service) };
  }

  const now = () => service.clock().getTime();

  const handOver = ({ id }: Received) =>
    service.db
      .updateTable("codes")
      .set({ expires_at: new Date(now() + HOUR) })
      .where("id", "=", id)
      .execute();

  type Visitor = ReturnType<typeof createVisitor>;
  const enter = (visitor: Visitor, { code }: Received, digits: string) => visitor.post("/ui/phone", { code, digits });
  const send = (visitor: Visitor, { code }: Received) => visitor.post("/ui/phone", { code, do: "send" });

  async function enterWrong(visitor: Visitor, got: Received, times: number): Promise<void> {
    for (let step = 1; step <= times; step++) await enter(visitor, got, wrongDigits(got, step));
  }

  /** Requests a new code a minute later, and marks it as delivered. */
  async function renew(visitor: Visitor, userId: string, held: Received): Promise<Received> {
    service.clockOffsetMs += MINUTE;
    const response = await send(visitor, held);
    if (response.status !== 200) throw new Error(`no new code: ${response.title}`);
    const got = await lastReceived(service, userId, "phone");
    await handOver(got);
    return got;
  }

  test("the page shows the last two digits of the number, and a field that phones fill in", async () => {
    const { got, visitor } = await newUser();
    const page = await visitor.open(got.path);
    expect([page.status, page.title]).toEqual([200, "Confirm your phone number"]);
    expect(page.text).toContain("<dd>Ada Lovelace</dd>");
    expect(page.text).toContain("67</dd>");
    expect(page.text).not.toMatch(/791|4567/);
    expect(page.text).toMatch(/<input id="digits"[^>]* inputmode="numeric" autocomplete="one-time-code" pattern="/);
    expect(page.text).not.toContain(got.digits);
  });

  test.each([
    ["unchanged", (digits: string) => digits],
    ["with a space", (digits: string) => `${digits.slice(0, 3)} ${digits.slice(3)}`],
    ["with a dash", (digits: string) => `${digits.slice(0, 3)}-${digits.slice(3)}`],
    ["with spaces around and an en dash", (digits: string) => ` ${digits.slice(0, 2)}\u2013${digits.slice(2)}\u00a0`],
  ])("the digits verify the number: %s", async (_how, spell) => {
    const { userId, got, before, visitor } = await newUser();
    service.clockOffsetMs += MINUTE;
    const page = await enter(visitor, got, spell(got.digits));
    expect([page.status, page.title]).toEqual([200, DONE]);
    const user = await userOf(service, userId);
    expect(user).toEqual({
      ...before,
      phone_verified: true,
      sequence: before.sequence + 1n,
      changed_at: expect.any(Date),
    });
    expect(user.changed_at.getTime() - before.changed_at.getTime()).toBeGreaterThanOrEqual(MINUTE);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.phone.verified", { phone: NUMBER }],
    ]);
    expect(await codeOf(service, got)).toMatchObject({ attempts: 1, used_at: user.changed_at });
  });

  test.each(["", "12345", "1234567", "12345a", "\u0661\u0662\u0663\u0664\u0665\u0666", "123_456", "-", "12.345.6"])(
    '"%s" is not counted as an attempt',
    async (digits) => {
      const { got, visitor } = await newUser();
      const before = await allRows(service);
      const page = await enter(visitor, got, digits);
      expect(page.status).toBe(422);
      expect(page.text).toMatch(/<p class="error hint" id="digits-error" role="alert">The code has six digits/);
      expect(page.text).toMatch(/<input id="digits"[^>]* aria-describedby="digits-error"/);
      expect(await allRows(service)).toEqual(before);
    },
  );

  test("the sixth attempt fails even with the correct code", async () => {
    const { userId, got, before, visitor } = await newUser();
    for (let attempt = 1; attempt <= 4; attempt++) {
      const page = await enter(visitor, got, wrongDigits(got, attempt));
      expect(page.status).toBe(422);
      expect(page.text).toContain(attempt === 4 ? "one attempt left" : `${5 - attempt} attempts left`);
      expect(page.text).not.toContain(wrongDigits(got, attempt));
    }
    const fifth = await enter(visitor, got, wrongDigits(got, 5));
    expect([fifth.status, fifth.title]).toEqual([410, "Too many incorrect attempts"]);
    for (const page of [await enter(visitor, got, got.digits), await visitor.open(got.path)]) {
      expect([page.status, page.title]).toEqual([410, "Too many incorrect attempts"]);
    }
    expect(await codeOf(service, got)).toMatchObject({ attempts: 5, used_at: null });
    expect(await userOf(service, userId)).toEqual(before);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([]);
    // The user can request a new code, which works.
    expect((await enter(visitor, await renew(visitor, userId, got), "x")).status).toBe(422);
    const second = await lastReceived(service, userId, "phone");
    expect((await enter(visitor, second, second.digits)).title).toBe(DONE);
  });

  test("the fifth attempt can succeed", async () => {
    const { got, visitor } = await newUser();
    await enterWrong(visitor, got, 4);
    expect((await enter(visitor, got, got.digits)).title).toBe(DONE);
  });

  test("many concurrent wrong codes count as five attempts, and end the code", async () => {
    const { got, visitor } = await newUser();
    const others = Array.from({ length: 10 }, () => createVisitor(service));
    const responses = await Promise.all(others.map((other, step) => enter(other, got, wrongDigits(got, step + 1))));
    expect(responses.filter(({ status }) => status === 200)).toEqual([]);
    expect(await codeOf(service, got)).toMatchObject({ attempts: 5 });
    expect((await enter(visitor, got, got.digits)).status).toBe(410);
    expect(await codeOf(service, got)).toMatchObject({ attempts: 5, used_at: null });
  });

  test("of concurrent correct codes, one succeeds", async () => {
    const { userId, got, before } = await newUser();
    const visitors = Array.from({ length: 5 }, () => createVisitor(service));
    const responses = await Promise.all(visitors.map((one) => enter(one, got, got.digits)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.phone.verified", { phone: NUMBER }],
    ]);
  });

  test("of the correct code and a request for a new one at the same time, one succeeds", async () => {
    for (let round = 0; round < 4; round++) {
      const { userId, got, before, visitor } = await newUser();
      service.clockOffsetMs += MINUTE;
      const [entered, sent] = await Promise.all([enter(visitor, got, got.digits), send(visitor, got)]);
      expect([entered.status, sent.status].sort()).toEqual([200, 410]);
      const { phone_verified } = await userOf(service, userId);
      expect(phone_verified).toBe(entered.status === 200);
      expect(await eventsAfter(service, userId, before.sequence)).toHaveLength(1);
    }
  });

  test("a link stops working once a new one is sent, by the page or by a call", async () => {
    const { userId, got, visitor } = await newUser();
    const second = await renew(visitor, userId, got);
    for (const page of [await visitor.open(got.path), await enter(visitor, got, got.digits)]) {
      expect([page.status, page.title]).toEqual([410, "There is a newer code"]);
    }
    expect(await codeOf(service, got)).toMatchObject({ attempts: 0, used_at: null });
    await changePhone(service, userId);
    expect((await enter(visitor, second, second.digits)).status).toBe(410);
    expect(await userOf(service, userId)).toMatchObject({ phone_verified: false });
    const third = await lastReceived(service, userId, "phone");
    expect((await enter(visitor, third, third.digits)).title).toBe(DONE);
  });

  test("the code for a former number does not verify the current one", async () => {
    const { userId, got, visitor } = await newUser();
    // The number changes without an SMS, so the code is still the latest one.
    await call(service, "UpdateHumanPhone", { userId, phone: "+41791234500", isPhoneVerified: true });
    await service.db.updateTable("users").set({ phone_verified: false }).where("id", "=", userId).execute();
    for (const page of [
      await visitor.open(got.path),
      await enter(visitor, got, got.digits),
      await send(visitor, got),
    ]) {
      expect([page.status, page.title]).toEqual([410, "This link is no longer valid"]);
      expect(page.text).not.toMatch(/Ada|<form|00<\/dd>/);
    }
    expect(await userOf(service, userId)).toMatchObject({ phone: "+41791234500", phone_verified: false });
    expect(await codeOf(service, got)).toMatchObject({ attempts: 0, used_at: null });
  });

  test("a number that changes while its code is entered is not verified", async () => {
    for (let round = 0; round < 5; round++) {
      const { userId, got, visitor } = await newUser();
      const [entered] = await Promise.all([
        enter(visitor, got, got.digits),
        changePhone(service, userId, "+41791234500"),
      ]);
      expect([200, 410]).toContain(entered.status);
      expect(await userOf(service, userId)).toMatchObject({ phone: "+41791234500", phone_verified: false });
    }
  });

  test("an expired code offers a new one, and a used one says that nothing is left to do", async () => {
    const { userId, got, visitor } = await newUser();
    service.clockOffsetMs += HOUR;
    for (const page of [await visitor.open(got.path), await enter(visitor, got, got.digits)]) {
      expect([page.status, page.title]).toEqual([410, "This code has expired"]);
      expect(page.text).toContain("we can send one to the number ending in 67");
    }
    expect(await codeOf(service, got)).toMatchObject({ attempts: 0 });
    const second = await renew(visitor, userId, got);
    expect((await enter(visitor, second, second.digits)).title).toBe(DONE);
    const before = await allRows(service);
    for (const page of [
      await visitor.open(second.path),
      await visitor.open(got.path),
      await enter(visitor, second, second.digits),
      await send(visitor, second),
    ]) {
      expect([page.status, page.title]).toEqual([410, "Nothing left to do"]);
    }
    expect(await allRows(service)).toEqual(before);
  });

  test("a code whose SMS is not delivered yet is valid", async () => {
    const { got, visitor } = await newUser();
    await service.db.updateTable("codes").set({ expires_at: null }).where("id", "=", got.id).execute();
    service.clockOffsetMs += 30 * HOUR;
    expect((await enter(visitor, got, got.digits)).title).toBe(DONE);
  });

  test("a user has ten wrong attempts in 24 hours across all codes", async () => {
    const { userId, got: first, visitor } = await newUser();
    await enterWrong(visitor, first, 5);
    const second = await renew(visitor, userId, first);
    await enterWrong(visitor, second, 3);
    const third = await renew(visitor, userId, second);
    await enterWrong(visitor, third, 1);
    const last = await enter(visitor, third, wrongDigits(third, 2));
    expect([last.status, last.title]).toEqual([429, "Too many incorrect codes"]);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(24 * 3_600);
    expect(Number(last.headers.get("retry-after"))).toBeLessThanOrEqual(25 * 3_600);
    const before = await allRows(service);
    for (const page of [
      await enter(visitor, third, third.digits),
      await visitor.open(third.path),
      await visitor.open(first.path),
      await send(visitor, third),
    ]) {
      expect([page.status, page.title]).toEqual([429, "Too many incorrect codes"]);
    }
    expect(await allRows(service)).toEqual(before);
    // One day after the first code ended, its five attempts no longer count.
    service.clockOffsetMs += Number(last.headers.get("retry-after")) * 1_000;
    const fourth = await renew(visitor, userId, third);
    expect((await enter(visitor, fourth, fourth.digits)).title).toBe(DONE);
  });

  test("concurrent attempts do not exceed the user's limit for the day", async () => {
    const { userId, got: first, visitor } = await newUser();
    await enterWrong(visitor, first, 5);
    const second = await renew(visitor, userId, first);
    await enterWrong(visitor, second, 2);
    const third = await renew(visitor, userId, second);
    const visitors = Array.from({ length: 8 }, () => createVisitor(service));
    await Promise.all(visitors.map((one, step) => enter(one, third, wrongDigits(third, step + 1))));
    expect(await codeOf(service, third)).toMatchObject({ attempts: 3 });
  });

  test("a correct code is not counted as a failure", async () => {
    const { userId, got, visitor } = await newUser();
    await enterWrong(visitor, got, 4);
    await enter(visitor, got, got.digits);
    await changePhone(service, userId);
    const second = await lastReceived(service, userId, "phone");
    await handOver(second);
    await enterWrong(visitor, second, 4);
    await changePhone(service, userId);
    const third = await lastReceived(service, userId, "phone");
    await enterWrong(visitor, third, 1);
    expect((await enter(visitor, third, third.digits)).title).toBe(DONE);
  });

  test("the page sends one SMS per minute and five in 24 hours including those of calls, which are not limited", async () => {
    const { userId, got, visitor } = await newUser();
    const early = await send(visitor, got);
    expect([early.status, early.title]).toEqual([429, "Please wait a moment"]);
    expect(early.text).toMatch(/in (1 minute|\d+ seconds)/);
    for (let texts = 2; texts <= 4; texts++) await changePhone(service, userId);
    service.clockOffsetMs += MINUTE;
    expect((await send(visitor, got)).status).toBe(200);
    service.clockOffsetMs += MINUTE;
    const sixth = await send(visitor, got);
    expect(sixth.status).toBe(429);
    expect(sixth.text).toMatch(/in 24 hours/);
    expect(await received(service, userId, "phone")).toHaveLength(5);
    await changePhone(service, userId);
    await changePhone(service, userId);
    expect(await received(service, userId, "phone")).toHaveLength(7);
    service.clockOffsetMs += 24 * HOUR;
    expect((await send(visitor, got)).status).toBe(200);
    expect(await received(service, userId, "phone")).toHaveLength(8);
  });

  test.each([
    ["the number has got many in 24 hours", "phone:%", LIMITS.requestedMessages.most, 24],
    ["all users of the organization have requested many in an hour", "requested-sms:%", LIMITS.requestedSms.most, 1],
  ])("the page sends no SMS once %s", async (_, key, points, hours) => {
    service.clockOffsetMs += HOUR - (now() % HOUR);
    const { userId, got, visitor } = await newUser();
    const second = await renew(visitor, userId, got);
    const counters = service.db.updateTable("rate_limits").where("key", "like", key);
    await counters.set({ points }).execute();
    service.clockOffsetMs += MINUTE;
    const { rate_limits: _counters, ...before } = await allRows(service);
    const refused = await send(visitor, second);
    expect([refused.status, refused.title]).toEqual([429, "Please wait a moment"]);
    expect(refused.text).toContain(`in ${hours} hour`);
    expect(refused.headers.get("retry-after")).toBe(String(hours * 3_600));
    expect(await allRows(service)).toMatchObject(before);
    await counters.set({ points: points - 1 }).execute();
    const third = await renew(visitor, userId, second);
    expect((await enter(visitor, third, third.digits)).title).toBe(DONE);
    await counters.set({ points: 0 }).execute();
  });

  test("of many concurrent requests for a new code, one is sent", async () => {
    const { userId, got, before } = await newUser();
    service.clockOffsetMs += MINUTE;
    const visitors = Array.from({ length: 10 }, () => createVisitor(service));
    const responses = await Promise.all(visitors.map((one) => send(one, got)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9);
    const [, second, ...more] = await received(service, userId, "phone");
    expect(more).toEqual([]);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.phone.verification.requested", { codeId: second?.id }],
    ]);
  });

  test("without an SMS provider no new code is offered", async () => {
    const { got, visitor } = await newUser();
    const silent = await startService("postgres", { TRUSTED_PROXIES: "127.0.0.1" });
    try {
      // The code was created by another service, which has an SMS provider.
      const userId = await importAda(silent);
      await silent.db.updateTable("users").set({ phone: NUMBER }).where("id", "=", userId).execute();
      const { digits_hash, digits_key, ...code } = await codeOf(service, got);
      const moved = { ...code, org_id: silent.orgId, user_id: userId, digits_hash: null, digits_key: null };
      await silent.db
        .insertInto("codes")
        .values({ ...moved, sequence: 1n })
        .execute();
      silent.clockOffsetMs = service.clockOffsetMs + 2 * MINUTE;
      const other = createVisitor(silent);
      for (const page of [await other.open(got.path), await other.post("/ui/phone", { code: got.code, do: "send" })]) {
        expect(page.text).not.toContain('value="send"');
      }
      expect((await other.open(got.path)).text).toContain("ask your administrator");
      expect(await received(silent, userId, "phone")).toEqual([]);
    } finally {
      await silent.close();
    }
    expect((await visitor.open(got.path)).status).toBe(200);
  });
});
