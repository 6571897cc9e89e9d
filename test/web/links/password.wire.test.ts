import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareSync } from "bcryptjs";
import {
  allRows,
  call,
  codeOf,
  createVisitor,
  eventsAfter,
  importAda,
  lastReceived,
  NUMBER,
  userOf,
  VISITED,
  type Visitor,
} from "../../support/browsers/visitor.ts";
import { BCRYPT, HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const MINUTE_MS = 60_000;

describe("/ui/password", () => {
  let service: TestService;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    for (const secret of [BCRYPT, PASSWORD]) service.secret(secret);
    visitor = createVisitor(service);
  });
  afterAll(() => service?.close());

  /** A user with a link to reset the password. */
  async function newReset(fields: object = {}, type = "TYPE_EMAIL") {
    const userId = await importAda(service, { ...HUMAN, passwordChangeRequired: true, ...fields });
    service.clockOffsetMs += 2 * MINUTE_MS;
    await call(service, "SendHumanResetPasswordNotification", { userId, type });
    return { userId, before: await userOf(service, userId), got: await lastReceived(service, userId, "password") };
  }
  const submit = (code: string, password = PASSWORD, repeat = password) =>
    visitor.post("/ui/password", { code, password, repeat });
  /** The messages to a recipient in DATA_DIR. */
  const filesTo = (folder: "mail" | "sms", text: string) =>
    readdirSync(join(service.config.dataDir, folder))
      .sort()
      .map((file) => readFileSync(join(service.config.dataDir, folder, file), "utf8"))
      .filter((content) => content.includes(text));

  test("the form sets the password, once, and an email says so", async () => {
    const email = "ada@example.com";
    const { userId, before, got } = await newReset({ email: { email, isEmailVerified: true } });
    await service.delivery.deliverDue();
    const [sent = ""] = filesTo("mail", email);
    expect(sent).toContain("Choose a new password");
    expect(sent).toContain(`/ui/password?code=${got.code}`);
    const form = await visitor.open(got.path);
    expect(form).toMatchObject({ status: 200, title: "Choose a new password" });
    expect(form.text).toContain("Ada Lovelace");
    expect(form.text).not.toContain(email);

    service.clockOffsetMs += MINUTE_MS;
    expect(await submit(got.code)).toMatchObject({ status: 200, title: "All done" });
    const user = await userOf(service, userId);
    expect(compareSync(PASSWORD, user.password_hash ?? "")).toBe(true);
    expect(user).toMatchObject({ password_change_required: false, sequence: before.sequence + 1n });
    expect(user.password_changed_at).toEqual(user.changed_at);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([["user.human.password.changed", {}]]);
    expect((await codeOf(service, got)).used_at).toEqual(user.changed_at);

    await service.delivery.deliverDue();
    const [, notice = "", ...others] = filesTo("mail", email);
    expect(others).toEqual([]);
    expect(notice).toContain("Your password was changed");
    expect(notice).not.toMatch(/X-Link|code=/);
    expect(notice).toContain("/ui/account");
    const states = await service.db.selectFrom("messages").select("state").where("user_id", "=", userId).execute();
    expect(states).toEqual([{ state: "sent" }, { state: "sent" }]);

    const rows = await allRows(service);
    expect(await submit(got.code)).toMatchObject({ status: 410, title: "This link has already been used" });
    expect((await visitor.open(got.path)).status).toBe(410);
    expect(await allRows(service)).toEqual(rows);
  });

  test("a link in an SMS sets the password of a user whose address is not verified, without an email", async () => {
    const phone = { phone: NUMBER, isPhoneVerified: true };
    const { userId, got } = await newReset({ phone, email: { email: "ada@example.com" } }, "TYPE_SMS");
    await service.delivery.deliverDue();
    const [sms = ""] = filesTo("sms", got.code);
    expect(sms).toContain(`To: ${NUMBER}`);
    expect(sms).toContain("Choose a new password within 1 hour:");
    expect(await submit(got.code)).toMatchObject({ status: 200 });
    expect(await userOf(service, userId)).toMatchObject({ email_verified: false, initialized: false });
    const notices = await service.db
      .selectFrom("messages")
      .select("notice")
      .where("user_id", "=", userId)
      .where("notice", "is not", null)
      .execute();
    expect(notices).toEqual([]);
  });

  test.each([
    ["no password", "", "", "Please choose a password."],
    ["a short one", "1234567", "1234567", "The password is too short"],
    ["73 bytes", "x".repeat(73), "x".repeat(73), "The password is too long"],
    ["two different ones", "password one", "password two", "do not match"],
  ])("the form rejects %s, and the link stays valid", async (_what, password, repeat, message) => {
    const { got } = await newReset();
    const rows = await allRows(service);
    const page = await submit(got.code, password, repeat);
    expect(page.status).toBe(422);
    expect(page.text).toContain(message);
    expect(await allRows(service)).toEqual(rows);
    expect((await visitor.open(got.path)).status).toBe(200);
  });

  test("a link is valid for an hour after it was sent", async () => {
    const { got } = await newReset();
    await service.delivery.deliverDue();
    service.clockOffsetMs += 60 * MINUTE_MS - 5_000;
    expect((await visitor.open(got.path)).status).toBe(200);
    service.clockOffsetMs += 5_000;
    expect(await visitor.open(got.path)).toMatchObject({ status: 410, title: "This link has expired" });
    expect((await submit(got.code)).status).toBe(410);
  });

  test.each([
    ["replaced by a newer one", "There is a newer link", "SendHumanResetPasswordNotification", {}],
    ["ended by a new password", "This link has expired", "SetHumanPassword", { password: PASSWORD }],
    [
      "sent to a former address",
      "This link is no longer valid",
      "UpdateHumanEmail",
      { email: "augusta@example.com", isEmailVerified: true },
    ],
    [
      "sent to an address that is no longer verified",
      "This link is no longer valid",
      "UpdateHumanEmail",
      { email: "ada@example.com", isEmailVerified: false },
    ],
  ] as const)("a link that is %s sets nothing", async (_what, title, rpc, request) => {
    const { userId, got } = await newReset();
    service.clockOffsetMs += MINUTE_MS;
    await call(service, rpc, { userId, ...request });
    const { password_hash } = await userOf(service, userId);
    expect(await visitor.open(got.path)).toMatchObject({ status: 410, title });
    expect(await submit(got.code)).toMatchObject({ status: 410, title });
    expect(await userOf(service, userId)).toMatchObject({ password_hash });
    // The queued message is dropped.
    await service.delivery.deliverDue();
    const { state } = await service.db
      .selectFrom("messages")
      .select("state")
      .where("code_id", "=", got.id)
      .executeTakeFirstOrThrow();
    expect(state).toBe("expired");
  });

  test("a link of a locked user has no effect", async () => {
    const { userId, got } = await newReset();
    await call(service, "LockUser", { id: userId });
    const { password_hash } = await userOf(service, userId);
    expect((await submit(got.code)).status).toBe(403);
    expect(await userOf(service, userId)).toMatchObject({ password_hash });
  });

  test("of many concurrent forms, one succeeds, and its password is stored", async () => {
    const { userId, before, got } = await newReset();
    const passwords = Array.from({ length: 6 }, (_, index) => service.secret(`${PASSWORD} ${index}`));
    const pages = await Promise.all(passwords.map((password) => submit(got.code, password)));
    const won = pages.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(won).toHaveLength(1);
    const { password_hash } = await userOf(service, userId);
    expect(compareSync(passwords[won[0] ?? -1] ?? "", password_hash ?? "")).toBe(true);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([["user.human.password.changed", {}]]);
  });
});
