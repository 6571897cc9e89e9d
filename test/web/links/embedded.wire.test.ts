import { compareSync } from "bcryptjs";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
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
  received,
  userOf,
  VISITED,
  type Visitor,
  wrongDigits,
} from "../../support/browsers/visitor.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const MINUTE_MS = 60_000;
const ORIGIN = "https://id.example.com";
const SITE = { origin: ORIGIN, rpId: "example.com" };

// The other files in this folder test all cases on PostgreSQL.
describe("the pages behind links on the embedded database", () => {
  let service: TestService;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService("embedded", { ...VISITED, PUBLIC_URL: ORIGIN, WEBAUTHN_RP_ID: SITE.rpId });
    service.stopClock();
    service.secret(PASSWORD);
    visitor = createVisitor(service);
  });
  afterAll(() => service?.close());

  const setPassword = (code: string, password = PASSWORD) =>
    visitor.post("/ui/init", { code, password, repeat: password });
  const enter = (code: string, digits: string) => visitor.post("/ui/phone", { code, digits });

  /** A user with an SMS whose code is valid for an hour. */
  async function newPhone() {
    const userId = await importAda(service);
    await changePhone(service, userId);
    const got = await lastReceived(service, userId, "phone");
    const expires_at = new Date(service.clock().getTime() + 60 * MINUTE_MS);
    await service.db.updateTable("codes").set({ expires_at }).where("id", "=", got.id).execute();
    return { userId, got, before: await userOf(service, userId) };
  }

  test("the form of an initialization link verifies the address and sets the password, once", async () => {
    const userId = await importAda(service);
    const before = await userOf(service, userId);
    const got = await lastReceived(service, userId, "initialization");
    expect((await visitor.open(got.path)).title).toBe("Set up your account");
    service.clockOffsetMs += MINUTE_MS;
    expect(await setPassword(got.code)).toMatchObject({ status: 200, title: "All done" });
    const user = await userOf(service, userId);
    expect(compareSync(PASSWORD, user.password_hash ?? "")).toBe(true);
    expect(user).toMatchObject({ email_verified: true, sequence: before.sequence + 3n });
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.email.verified", { email: "ada@example.com" }],
      ["user.human.password.changed", {}],
      ["user.human.initialized", { codeId: got.id }],
    ]);
    const rows = await allRows(service);
    expect(await setPassword(got.code)).toMatchObject({ status: 410, title: "Nothing left to do" });
    expect((await visitor.open(got.path)).status).toBe(410);
    expect(await allRows(service)).toEqual(rows);
  });

  test("of many concurrent forms, one succeeds, and its password is stored", async () => {
    const userId = await importAda(service);
    const { code } = await lastReceived(service, userId, "initialization");
    const passwords = Array.from({ length: 8 }, (_, index) => service.secret(`${PASSWORD} ${index}`));
    const responses = await Promise.all(passwords.map((password) => setPassword(code, password)));
    const won = responses.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(won).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 410)).toHaveLength(7);
    const { password_hash } = await userOf(service, userId);
    expect(compareSync(passwords[won[0] ?? 0] ?? "", password_hash ?? "")).toBe(true);
  });

  test("of many concurrent requests for a new link, one is sent, and the old link ends", async () => {
    const userId = await importAda(service);
    const got = await lastReceived(service, userId, "initialization");
    const send = () => visitor.post("/ui/init", { code: got.code, do: "send" });
    expect((await send()).status).toBe(429);
    service.clockOffsetMs += MINUTE_MS;
    const responses = await Promise.all(Array.from({ length: 8 }, send));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(429)]);
    const [, second] = await received(service, userId, "initialization");
    expect((await visitor.open(got.path)).title).toBe("There is a newer link");
    expect((await visitor.open(second?.path ?? "")).status).toBe(200);
  });

  test("the digits of an SMS verify the number, once", async () => {
    const { userId, got, before } = await newPhone();
    expect((await visitor.open(got.path)).title).toBe("Confirm your phone number");
    expect((await enter(got.code, wrongDigits(got))).status).toBe(422);
    expect(await codeOf(service, got)).toMatchObject({ attempts: 1, used_at: null });
    const responses = await Promise.all(Array.from({ length: 5 }, () => enter(got.code, got.digits)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await userOf(service, userId)).toMatchObject({ phone_verified: true, sequence: before.sequence + 1n });
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.phone.verified", { phone: NUMBER }],
    ]);
  });

  test("the sixth attempt fails even with the correct digits", async () => {
    const { userId, got } = await newPhone();
    for (let step = 1; step <= 5; step++) await enter(got.code, wrongDigits(got, step));
    expect((await enter(got.code, got.digits)).status).not.toBe(200);
    expect(await userOf(service, userId)).toMatchObject({ phone_verified: false });
  });

  test("an unknown code and one of another kind get the same response, and opening a link changes nothing", async () => {
    const { got } = await newPhone();
    const [id] = got.code.split(".");
    const before = await allRows(service);
    expect((await visitor.open(got.path)).status).toBe(200);
    const responses = [
      await createVisitor(service).open(`/ui/phone?code=${id}.${"x".repeat(22)}`),
      await createVisitor(service).open(`/ui/init?code=${got.code}`),
    ];
    expect(responses.map(({ status, title }) => [status, title])).toEqual(
      Array(2).fill([404, "This link is not valid"]),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await allRows(service)).codes).toBe(before.codes);
  });

  test("a passkey link registers one passkey", async () => {
    const message = await call(service, "ImportHumanUser", {
      userName: "passkey",
      ...HUMAN,
      requestPasswordlessRegistration: true,
    });
    const { link } = message.passwordlessRegistration as { link: string };
    const code = new URL(link).searchParams.get("code");
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${service.origin}/ui/passkey/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: ORIGIN, "sec-fetch-site": "same-origin" },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the test checks the JSON
      return { status: answer.status, json: (await answer.json()) as any };
    };
    const { json } = await post("options", { code });
    const authenticators = Array.from({ length: 4 }, () => createAuthenticator(SITE));
    const responses = await Promise.all(
      authenticators.map((each) => post("registration", { code, response: each.create(json.challenge) })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const stored = await service.db
      .selectFrom("passkeys")
      .select("id")
      .where("user_id", "=", String(message.userId))
      .execute();
    expect(stored).toEqual(
      responses.flatMap(({ status, json: made }) => (status === 200 ? [{ id: made.passkeyId }] : [])),
    );
    expect(await post("options", { code })).toMatchObject({ status: 410, json: { code: "used" } });
  });
});
