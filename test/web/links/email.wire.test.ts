import {
  allRows,
  call,
  codeOf,
  createVisitor,
  eventsAfter,
  importAda,
  lastReceived,
  received,
  userOf,
  VISITED,
  type Visitor,
} from "../../support/browsers/visitor.ts";
import { BCRYPT, HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const NEW = "augusta@example.com";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe("/ui/email", () => {
  let service: TestService;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    service.stopClock();
    service.secret(BCRYPT);
    visitor = createVisitor(service);
  });
  afterAll(() => service?.close());

  const changeEmail = (userId: string, email = NEW, isEmailVerified = false) =>
    call(service, "UpdateHumanEmail", { userId, email, isEmailVerified });

  /** A user with a new address that is not verified. */
  async function newAddress(profile: object = HUMAN.profile) {
    const userId = await importAda(service, { ...HUMAN, profile });
    await changeEmail(userId);
    return { userId, before: await userOf(service, userId), got: await lastReceived(service, userId, "email") };
  }

  const confirm = (code: string) => visitor.post("/ui/email", { code });
  const send = (code: string) => visitor.post("/ui/email", { code, do: "send" });

  test.each([
    ["en", "Confirm your email address", "Confirm"],
    ["de", "Bestätigen Sie Ihre E\u2011Mail-Adresse", "Bestätigen"],
    ["fr", "Confirmez votre adresse e\u2011mail", "Confirmer"],
    ["es", "Confirme su dirección de correo electrónico", "Confirmar"],
  ])("the page shows name and address, and changes nothing, in %s", async (preferredLanguage, title, button) => {
    const { got } = await newAddress({ ...HUMAN.profile, preferredLanguage });
    const rows = await allRows(service);
    const page = await visitor.open(got.path);
    expect([page.status, page.title]).toEqual([200, title]);
    expect(page.text).toContain("<dd>Ada Lovelace</dd>");
    expect(page.text).toContain(`<dd>${NEW}</dd>`);
    expect(page.text).toContain(`<button>${button}</button>`);
    expect(await allRows(service)).toEqual(rows);
  });

  test("the form verifies the address, once", async () => {
    const { userId, before, got } = await newAddress();
    service.clockOffsetMs += MINUTE_MS;
    expect(await confirm(got.code)).toMatchObject({ status: 200, title: "All done" });
    const user = await userOf(service, userId);
    expect(user).toEqual({
      ...before,
      email_verified: true,
      sequence: before.sequence + 1n,
      changed_at: expect.any(Date),
    });
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.email.verified", { email: NEW }],
    ]);
    expect(await codeOf(service, got)).toMatchObject({ used_at: user.changed_at });
    const rows = await allRows(service);
    for (const page of [await confirm(got.code), await visitor.open(got.path), await send(got.code)]) {
      expect([page.status, page.title]).toEqual([410, "Nothing left to do"]);
    }
    expect(await allRows(service)).toEqual(rows);
  });

  test("of many concurrent forms, one verifies the address", async () => {
    const { userId, before, got } = await newAddress();
    const responses = await Promise.all(Array.from({ length: 8 }, () => confirm(got.code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
    expect(await userOf(service, userId)).toMatchObject({ sequence: before.sequence + 1n });
  });

  test("a link is valid for 24 hours from the delivery of its email", async () => {
    const { got } = await newAddress();
    await service.delivery.deliverDue();
    const { created_at, expires_at } = await codeOf(service, got);
    expect((expires_at?.getTime() ?? 0) - created_at.getTime()).toBeGreaterThanOrEqual(DAY_MS);
    expect((expires_at?.getTime() ?? 0) - created_at.getTime()).toBeLessThan(DAY_MS + 10 * MINUTE_MS);
    service.clockOffsetMs += DAY_MS + 10 * MINUTE_MS;
    expect(await confirm(got.code)).toMatchObject({ status: 410, title: "This link has expired" });
  });

  test("the page sends a new link a minute later, which replaces the first one", async () => {
    const { userId, before, got } = await newAddress();
    expect((await send(got.code)).status).toBe(429);
    service.clockOffsetMs += MINUTE_MS;
    expect(await send(got.code)).toMatchObject({ status: 200, title: "A new link is on its way" });
    const [, second] = await received(service, userId, "email");
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.email.verification.requested", { codeId: second?.id }],
    ]);
    expect(await confirm(got.code)).toMatchObject({ status: 410, title: "There is a newer link" });
    expect(await confirm(second?.code ?? "")).toMatchObject({ status: 200 });
  });

  test("a link for a former address shows nothing and verifies nothing", async () => {
    const { userId, got } = await newAddress();
    await changeEmail(userId, "other@example.com", true);
    const before = await userOf(service, userId);
    for (const page of [await visitor.open(got.path), await confirm(got.code), await send(got.code)]) {
      expect([page.status, page.title]).toEqual([410, "This link is no longer valid"]);
      expect(page.text).not.toMatch(/Lovelace|other@example/);
      // The link to the sign-in does not tell the organization.
      expect(page.text).toContain('<a class="button" href="/ui/account">');
      expect(page.text).not.toContain(service.orgId);
    }
    expect(await userOf(service, userId)).toEqual(before);
  });

  test("the link of another kind is not valid", async () => {
    const { got } = await newAddress();
    expect((await visitor.open(`/ui/init?code=${got.code}`)).status).toBe(404);
  });
});
