import { randomUUID } from "node:crypto";
import { LIMITS } from "../../../src/limits.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import {
  call,
  eventsAfter,
  importAda,
  lastReceived,
  NUMBER,
  received,
  userOf,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { ACCOUNT, dropPassword, newPerson, noticeOf, PASSWORD, STALE, signIn } from "./account-scene.ts";

const NEW_PASSWORD = "difference engine no. 2";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, ACCOUNT_DELETION: "true" });
  service.stopClock();
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
});
afterAll(() => service?.close());

/** Opens a page below the account page, and submits its form. */
async function submit(person: Person, path: string, fields: Record<string, string> = {}): Promise<Page> {
  return await person.submit(await person.open(`${ACCOUNT}/${path}`), fields);
}

const messagesTo = (userId: string) =>
  service.db
    .selectFrom("messages")
    .select(["recipient", "notice"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();

describe("the name", () => {
  test("is changed, without the rest of the profile", async () => {
    const profile = {
      firstName: "Ada",
      lastName: "Byron",
      nickName: "Countess",
      preferredLanguage: "en",
      gender: "GENDER_FEMALE",
    };
    const { userId, person } = await newPerson(service, { profile });
    const form = await person.open(`${ACCOUNT}/name`);
    expect(form.text).toContain('name="lastName" type="text" value="Byron"');
    const { sequence } = await userOf(service, userId);
    const done = await person.submit(form, { firstName: " Ada ", lastName: "Lovelace", displayName: "" });
    expect([done.url.pathname, noticeOf(done)]).toEqual([ACCOUNT, "Your name was changed."]);
    expect(done.text).toContain('<div class="value">Ada Lovelace</div>');
    expect(await userOf(service, userId)).toMatchObject({
      first_name: "Ada",
      last_name: "Lovelace",
      nick_name: "Countess",
      preferred_language: "en",
      gender: 1,
    });
    expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
      "user.human.profile.changed",
    ]);
  });

  test.each([
    [{ firstName: " " }, "Please enter a name."],
    [{ lastName: "x".repeat(201) }, "This name is too long, or has characters that are not allowed."],
    [{ displayName: "ad\u202eA" }, "This name is too long, or has characters that are not allowed."],
  ])("is refused, and the form keeps what was entered: %#", async (fields, problem) => {
    const { userId, person } = await newPerson(service);
    const { sequence } = await userOf(service, userId);
    const refused = await submit(person, "name", {
      firstName: "Grace",
      lastName: "Hopper",
      displayName: "",
      ...fields,
    });
    expect([refused.status, refused.alert]).toEqual([422, problem]);
    if (!("firstName" in fields)) expect(refused.text).toContain('value="Grace"');
    expect((await userOf(service, userId)).sequence).toBe(sequence);
  });
});

describe("the language", () => {
  test("is changed, and the page is in it", async () => {
    const { userId, person } = await newPerson(service);
    const done = await submit(person, "language", { language: "de" });
    expect([done.title, noticeOf(done)]).toEqual(["Ihr Konto", "Ihre Sprache wurde geändert."]);
    expect((await userOf(service, userId)).preferred_language).toBe("de");
    expect((await submit(person, "language", { language: "" })).title).toBe("Your account");
    expect((await userOf(service, userId)).preferred_language).toBeNull();
  });

  test("may stay one that the pages do not have, but is no other one of them", async () => {
    const profile = { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "gsw" };
    const { userId, person } = await newPerson(service, { profile });
    expect((await person.open(`${ACCOUNT}/language`)).text).toContain('<option value="gsw" selected lang="gsw">');
    expect(await submit(person, "language", { language: "tlh" })).toMatchObject({ status: 422, alert: STALE });
    expect(noticeOf(await submit(person, "language", { language: "gsw" }))).toBe("Your language was changed.");
    expect((await userOf(service, userId)).preferred_language).toBe("gsw");
  });
});

describe("the user name", () => {
  test("is changed, and is the one to sign in with", async () => {
    const { userId, userName, person } = await newPerson(service);
    const done = await submit(person, "user-name", { userName: `${userName}-new` });
    expect(noticeOf(done)).toBe("Your user name was changed.");
    expect((await userOf(service, userId)).user_name).toBe(`${userName}-new`);
    expect((await signIn(service, `${userName}-new`)).page.title).toBe("Your account");
    expect((await signIn(service, userName)).page.status).toBe(422);
  });

  test("is refused if it is taken, empty or invalid", async () => {
    const { userName: taken } = await newPerson(service);
    const { userId, userName, person } = await newPerson(service);
    for (const [name, problem] of [
      [taken.toUpperCase(), "This user name is already taken."],
      [" ", "Please enter a user name."],
      ["\u200b", "This user name is too long, or has characters that are not allowed."],
    ] as const) {
      expect(await submit(person, "user-name", { userName: name })).toMatchObject({ status: 422, alert: problem });
    }
    expect((await userOf(service, userId)).user_name).toBe(userName);
  });

  test("is an address or a number only if it is the user's own, verified one", async () => {
    const foreign = "A user name with an @ or a phone number must be your own, confirmed address or number.";
    const [own, taken, free] = ["own", "taken", "free"].map(
      (name) => `${name}-${randomUUID().slice(0, 8)}@example.com`,
    );
    await importAda(service, { email: { email: taken, isEmailVerified: true } });
    const { userId, userName, person } = await newPerson(service, {
      email: { email: own, isEmailVerified: true },
      phone: { phone: "+41791239998", isPhoneVerified: true },
    });
    for (const name of [String(taken), String(free), ` ${free?.toUpperCase()}`, "ada@work", "+41 79 123 99 99"]) {
      const refused = await submit(person, "user-name", { userName: name });
      expect([refused.status, refused.alert]).toEqual([422, foreign]);
      expect(refused.text).toContain('id="userName-error"');
    }
    const setVerified = (email_verified: boolean) =>
      service.db.updateTable("users").set({ email_verified }).where("id", "=", userId).execute();
    await setVerified(false);
    expect((await submit(person, "user-name", { userName: String(own) })).alert).toBe(foreign);
    await setVerified(true);
    expect((await userOf(service, userId)).user_name).toBe(userName);
    for (const name of [String(own?.toUpperCase()), String(own), "+41791239998"]) {
      expect(noticeOf(await submit(person, "user-name", { userName: name }))).toBe("Your user name was changed.");
      expect((await userOf(service, userId)).user_name).toBe(name);
    }
    // A call can set any name, which its user can keep.
    await call(service, "UpdateUserName", { userId, userName: String(free) });
    const kept = await submit(person, "user-name", { userName: String(free?.toUpperCase()) });
    expect(noticeOf(kept)).toBe("Your user name was changed.");
  });

  test("cannot be used to find out the names of many users", async () => {
    const { userName: taken } = await newPerson(service);
    const { person } = await newPerson(service);
    const guess = () => submit(person, "user-name", { userName: taken });
    for (let count = 0; count < LIMITS.wrongCodes.most; count++) {
      expect((await guess()).alert).toBe("This user name is already taken.");
    }
    expect([(await guess()).status, (await guess()).title]).toEqual([429, "Too many attempts"]);
  });
});

describe("the address", () => {
  test("cannot become one that is another user's name", async () => {
    const taken = `${randomUUID()}@example.com`;
    const { userId, person } = await newPerson(service);
    await submit(person, "email", { email: taken });
    await importAda(service, { userName: taken });
    const { path, code } = await lastReceived(service, userId, "email-change");
    const refused = await person.submit(await person.open(path), { code });
    expect([refused.status, refused.title]).toEqual([409, "This address cannot be confirmed"]);
  });

  const NEW = "countess@example.com";
  const TAKEN = { email: { email: "taken@example.com", isEmailVerified: true } };

  test("stays until the link to the new one is used, which is reported to the old one", async () => {
    const { userId, userName, person } = await newPerson(service);
    const { sequence } = await userOf(service, userId);
    const requested = await submit(person, "email", { email: NEW });
    expect(noticeOf(requested)).toBe("A link was sent to the new address. Your address changes once you open it.");
    expect(requested.text).toContain(`Waiting for you to confirm ${NEW}`);
    expect(await userOf(service, userId)).toMatchObject({ email: "ada@example.com", email_verified: true });
    expect(await messagesTo(userId)).toEqual([{ recipient: NEW, notice: null }]);
    // Nothing is in the way of a sign-in.
    expect((await signIn(service, userName)).page.title).toBe("Your account");

    const { code } = await newEmailLink(userId);
    await service.delivery.deliverDue();
    // The mail is opened in another browser.
    const reader = createPerson(service);
    const page = await reader.open(`/ui/new-email?code=${code}`);
    expect(page.text).toContain(`<dd>${NEW}</dd>`);
    expect(await userOf(service, userId)).toMatchObject({ email: "ada@example.com" });
    const confirmed = await reader.submit(page, { code });
    expect([confirmed.status, confirmed.title]).toEqual([200, "Address changed"]);
    expect(await userOf(service, userId)).toMatchObject({ email: NEW, email_verified: true });
    const events = (await eventsAfter(service, userId, sequence)).filter(([type]) => String(type).includes("email"));
    expect(events.map(([type]) => type)).toEqual([
      "user.human.email.change.requested",
      "user.human.email.changed",
      "user.human.email.verified",
    ]);
    expect(await messagesTo(userId)).toContainEqual({ recipient: "ada@example.com", notice: "email-changed" });
    expect(await reader.submit(page, { code })).toMatchObject({ status: 410 });
    expect((await person.open(ACCOUNT)).text).toContain(`<div class="value">${NEW}</div>`);
  });

  /** A user whose user name is the address, and the page of the link to a new one. */
  async function newNamesake(to: string) {
    const address = `ada-${randomUUID().slice(0, 8)}@example.com`;
    const email = { email: address, isEmailVerified: true };
    const userId = await importAda(service, { userName: address, email, password: PASSWORD });
    const { person } = await signIn(service, address);
    const form = await person.open(`${ACCOUNT}/email`);
    expect(form.text).toContain("Your user name is your current address.");
    await submit(person, "email", { email: to });
    const { code } = await newEmailLink(userId);
    const reader = createPerson(service);
    return { userId, address, reader, page: await reader.open(`/ui/new-email?code=${code}`) };
  }

  test("that is the user name becomes the user name again, if the user wants that", async () => {
    const to = `lovelace-${randomUUID().slice(0, 8)}@example.com`;
    const { userId, reader, page } = await newNamesake(to);
    expect(page.text).toContain(
      '<input type="checkbox" name="userName" value="yes" checked> Also use it as my user name',
    );
    const { sequence } = await userOf(service, userId);
    const confirmed = await reader.submit(page, { userName: "yes" });
    expect([confirmed.status, confirmed.text]).toEqual([
      200,
      expect.stringContaining("It is also your user name now."),
    ]);
    expect(await userOf(service, userId)).toMatchObject({ email: to, user_name: to, user_name_key: to });
    expect(await eventsAfter(service, userId, sequence)).toEqual([
      ["user.human.email.changed", { email: to }],
      ["user.human.email.verified", { email: to }],
      ["user.username.changed", { userName: to }],
    ]);
    // A reload shows the page again.
    expect((await reader.open(confirmed.url)).text).toContain("It is also your user name now.");
    expect((await signIn(service, to)).page.title).toBe("Your account");
  });

  test("that is the user name leaves it as it is, if the user wants that", async () => {
    const to = `lovelace-${randomUUID().slice(0, 8)}@example.com`;
    const { userId, address, reader, page } = await newNamesake(to);
    const confirmed = await reader.submit(page, {});
    expect(confirmed.text).not.toContain("user name");
    expect(await userOf(service, userId)).toMatchObject({ email: to, user_name: address });
  });

  test.each([
    ["is the user name of another user, who shares it", { userName: "taken@example.com", ...TAKEN }],
    ["another user signs in with", { userName: "other", ...TAKEN }],
  ])("that %s does not become the user name", async (_, other) => {
    const otherId = await importAda(service, other);
    const { userId, address, reader, page } = await newNamesake("taken@example.com");
    const confirmed = await reader.submit(page, { userName: "yes" });
    expect([confirmed.title, confirmed.text]).toEqual([
      "Address changed",
      expect.stringContaining("Your user name stays the same"),
    ]);
    expect(await userOf(service, userId)).toMatchObject({ email: "taken@example.com", user_name: address });
    await call(service, "RemoveUser", { id: otherId });
    await call(service, "RemoveUser", { id: userId });
  });

  test("does not become the user name of a user with another one, whatever the form says", async () => {
    const { userId, userName, person } = await newPerson(service);
    await submit(person, "email", { email: "another@example.com" });
    const reader = createPerson(service);
    const page = await reader.open(`/ui/new-email?code=${(await newEmailLink(userId)).code}`);
    expect(page.text).not.toContain("checkbox");
    await reader.submit(page, { userName: "yes" });
    expect(await userOf(service, userId)).toMatchObject({ email: "another@example.com", user_name: userName });
  });

  test("that is not confirmed gets no link to reset the password", async () => {
    const { userId, userName, person } = await newPerson(service);
    await submit(person, "email", { email: "mallory@example.com" });
    const visitor = createPerson(service);
    const page = await visitor.open(ACCOUNT);
    const forgotten = await visitor.open(`${page.url.pathname}/forgotten${page.url.search}`);
    await visitor.submit(forgotten, { username: userName });
    const resets = (await messagesTo(userId)).map(({ recipient }) => recipient);
    expect(resets).toEqual(["mallory@example.com", "ada@example.com"]);
    expect(await received(service, userId, "password")).toHaveLength(1);
  });

  test.each([
    [
      "a newer link",
      async (_: string, person: Person) => {
        service.clockOffsetMs += 2 * MINUTE;
        await submit(person, "email", { email: "other@example.com" });
      },
    ],
    [
      "an address set by a call",
      (userId: string) =>
        call(service, "UpdateHumanEmail", { userId, email: "set@example.com", isEmailVerified: true }),
    ],
    ["a new password", (userId: string) => call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD })],
    ["the end of all sessions", (userId: string) => call(service, "LockUser", { id: userId })],
  ])("is not changed by a link after %s", async (_, end) => {
    const { userId, person } = await newPerson(service);
    await submit(person, "email", { email: NEW });
    const { code } = await newEmailLink(userId);
    const reader = createPerson(service);
    const page = await reader.open(`/ui/new-email?code=${code}`);
    await end(userId, person);
    service.clockOffsetMs = 0;
    const refused = await reader.submit(page, { code });
    expect([403, 410]).toContain(refused.status);
    expect((await userOf(service, userId)).email).not.toBe(NEW);
  });

  test("is refused if it is malformed or the current one, and after too many links", async () => {
    const { userId, person } = await newPerson(service);
    for (const [email, problem] of [
      ["ada", "Please enter a valid email address."],
      ["", "Please enter a valid email address."],
      ["ada@example.com", "This is already your address."],
    ] as const) {
      expect(await submit(person, "email", { email })).toMatchObject({ status: 422, alert: problem });
    }
    await submit(person, "email", { email: NEW });
    const tooSoon = await submit(person, "email", { email: NEW });
    expect([tooSoon.status, Number(tooSoon.headers.get("retry-after"))]).toEqual([429, 60]);
    expect(await messagesTo(userId)).toHaveLength(1);
  });

  test.each(["of nobody", "of another user"])(
    "%s gets a few links in 24 hours, whoever requests them",
    async (whose) => {
      const mailbox = `bombed-${randomUUID().slice(0, 8)}`;
      if (whose === "of another user") {
        await importAda(service, {
          email: { email: `${mailbox}@example.com`, isEmailVerified: true },
          password: PASSWORD,
        });
      }
      const request = (person: Person, spelling: number) =>
        submit(person, "email", { email: `${mailbox}${spelling === 0 ? "" : `+${spelling}`}@example.com` });
      const users = [await newPerson(service), await newPerson(service)];
      for (const { person } of users) {
        await request(person, 0);
        // Those that are refused for the user do not count.
        for (let times = 0; times < LIMITS.requestedMessages.most; times++)
          expect((await request(person, 0)).status).toBe(429);
        for (let times = 1; times < LIMITS.requestedMessages.most / 2; times++) {
          service.clockOffsetMs += MINUTE;
          expect(noticeOf(await request(person, times))).toContain("A link was sent");
        }
      }
      const { person, userName } = await newPerson(service);
      const refused = await request(person, 0);
      expect([refused.status, refused.alert, refused.headers.get("retry-after")]).toEqual([
        429,
        "Too many links were sent to this address. Please try again tomorrow.",
        String(24 * 3_600),
      ]);
      expect(refused.text).toContain('id="email-error"');
      const sent = await service.db
        .selectFrom("messages")
        .select("id")
        .where("recipient", "like", `${mailbox}%`)
        .execute();
      expect(sent).toHaveLength(LIMITS.requestedMessages.most);
      const other = { email: `other-${randomUUID().slice(0, 8)}@example.com` };
      expect(noticeOf(await submit(person, "email", other))).toContain("A link was sent");
      service.clockOffsetMs += 24 * HOUR;
      const { person: again } = await signIn(service, userName);
      expect(noticeOf(await request(again, 0))).toContain("A link was sent");
      service.clockOffsetMs = 0;
    },
  );

  async function newEmailLink(userId: string) {
    return await lastReceived(service, userId, "email-change");
  }
});

describe("the phone number", () => {
  test("is changed, confirmed by SMS, and removed", async () => {
    const { userId, person, page } = await newPerson(service);
    expect(page.text).toContain(">Add<span");
    const changed = await submit(person, "phone", { phone: "+41 79 123 45 67" });
    expect(noticeOf(changed)).toBe("An SMS was sent to your number. Open its link to confirm the number.");
    expect(changed.text).toContain(`${NUMBER}<br><span class="small">Not confirmed</span>`);
    expect(await messagesTo(userId)).toEqual(
      expect.arrayContaining([
        { recipient: NUMBER, notice: null },
        { recipient: "ada@example.com", notice: "phone-changed" },
      ]),
    );
    const { code, digits } = await lastReceived(service, userId, "phone");
    const sms = createPerson(service);
    expect((await sms.submit(await sms.open(`/ui/phone?code=${code}`), { code, digits })).status).toBe(200);
    expect(await userOf(service, userId)).toMatchObject({ phone: NUMBER, phone_verified: true });
    const form = await person.open(`${ACCOUNT}/phone`);
    expect(form.text).not.toContain("Send another SMS");
    expect(form.text).toContain(`href="${ACCOUNT}/phone/remove"`);
    const removal = await person.open(`${ACCOUNT}/phone/remove`);
    expect([removal.title, removal.text]).toEqual(["Remove the phone number?", expect.stringContaining(NUMBER)]);
    expect(noticeOf(await person.submit(removal, {}))).toBe("Your phone number was removed.");
    expect(await userOf(service, userId)).toMatchObject({ phone: null, phone_verified: false });
    // The same form in another tab.
    expect((await person.submit(removal, {})).title).toBe("Change your phone number");
  });

  test("is refused without a country code, and after too many SMS", async () => {
    const { userId, person } = await newPerson(service);
    expect(await submit(person, "phone", { phone: "079 123 45 67" })).toMatchObject({
      status: 422,
      alert: "Please enter the number with its country code, for example +41 79 123 45 67.",
    });
    await submit(person, "phone", { phone: NUMBER });
    const again = await submit(person, "phone", { phone: "+41791234568" });
    expect(again.status).toBe(429);
    expect(await userOf(service, userId)).toMatchObject({ phone: NUMBER, phone_verified: false });
    service.clockOffsetMs += 2 * MINUTE;
    expect(noticeOf(await resend(person))).toContain("An SMS was sent");
    service.clockOffsetMs = 0;
    expect(await received(service, userId, "phone")).toHaveLength(2);
  });

  async function resend(person: Person): Promise<Page> {
    const form = await person.open(`${ACCOUNT}/phone`);
    const text = form.text.slice(form.text.indexOf('<form class="other"'));
    return await person.submit({ ...form, text }, {});
  }

  const smsTo = (phone: string) =>
    service.db.selectFrom("messages").select("id").where("recipient", "=", phone).execute();

  test("gets a few SMS in 24 hours, whoever requests them", async () => {
    const phone = "+41791230001";
    const tooMany = "Too many SMS were sent to this number. Please try again tomorrow.";
    for (const { person } of [await newPerson(service), await newPerson(service)]) {
      await submit(person, "phone", { phone });
      // Those that are refused for the user do not count.
      for (let times = 0; times < LIMITS.requestedMessages.most; times++) {
        expect((await submit(person, "phone", { phone })).status).toBe(429);
      }
      for (let times = 1; times < LIMITS.requestedMessages.most / 2; times++) {
        service.clockOffsetMs += MINUTE;
        expect(noticeOf(await resend(person))).toContain("An SMS was sent");
      }
    }
    const { userId, person } = await newPerson(service);
    const refused = await submit(person, "phone", { phone });
    expect([refused.status, refused.alert]).toEqual([429, tooMany]);
    expect(refused.text).toContain('id="phone-error"');
    expect(await userOf(service, userId)).toMatchObject({ phone: null });
    expect(await smsTo(phone)).toHaveLength(LIMITS.requestedMessages.most);
    // Calls are not limited by the number, but what a user requests afterwards is.
    await call(service, "UpdateHumanPhone", { userId, phone });
    service.clockOffsetMs += MINUTE;
    const again = await resend(person);
    expect([again.status, again.alert]).toEqual([429, tooMany]);
    await call(service, "ResendHumanPhoneVerification", { userId });
    expect(await smsTo(phone)).toHaveLength(LIMITS.requestedMessages.most + 2);
    service.clockOffsetMs = 0;
  });

  test("gets no SMS once all users of the organization have requested many", async () => {
    service.clockOffsetMs += HOUR - (service.clock().getTime() % HOUR);
    const [{ person: first }, { userId, person }] = [await newPerson(service), await newPerson(service)];
    await submit(first, "phone", { phone: "+41791230002" });
    const ofOrg = service.db.updateTable("rate_limits").where("key", "like", `requested-sms:${service.orgId}:%`);
    await ofOrg.set({ points: LIMITS.requestedSms.most }).execute();
    const refused = await submit(person, "phone", { phone: "+41791230003" });
    expect([refused.status, refused.alert, refused.headers.get("retry-after")]).toEqual([
      429,
      "Too many SMS were requested. You can request another one in 1 hour.",
      "3600",
    ]);
    expect(await userOf(service, userId)).toMatchObject({ phone: null });
    await call(service, "UpdateHumanPhone", { userId, phone: "+41791230003" });
    expect(await smsTo("+41791230003")).toHaveLength(1);
    await ofOrg.set({ points: 0 }).execute();
    service.clockOffsetMs = 0;
  });
});

describe("the password", () => {
  const fields = { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD };

  test("is changed with the current one, which ends the other sessions and is reported", async () => {
    const { userId, userName, person } = await newPerson(service);
    const { person: elsewhere } = await signIn(service, userName);
    expect(await submit(person, "password", { ...fields, current: "wrong" })).toMatchObject({
      status: 422,
      alert: "This is not your current password.",
    });
    expect(await submit(person, "password", { ...fields, password: "short" })).toMatchObject({
      status: 422,
      alert: "The password is too short: it must have at least 8 characters.",
    });
    const done = await submit(person, "password", fields);
    expect([done.url.pathname, noticeOf(done)]).toEqual([
      ACCOUNT,
      "Your password was changed. You have been signed out everywhere else.",
    ]);
    expect(await messagesTo(userId)).toEqual([{ recipient: "ada@example.com", notice: "password-changed" }]);
    expect((await elsewhere.open(ACCOUNT)).title).toBe("Sign in to Signet");
  });

  test("is set by a user who has none, once, after a recent sign-in", async () => {
    const { userId, userName, person } = await newPerson(service);
    await dropPassword(service, userId);
    const form = await person.open(`${ACCOUNT}/password`);
    expect(form.title).toBe("Set a password");
    expect((await person.submit(form, { ...fields, repeat: "x" })).status).toBe(422);
    service.clockOffsetMs += 15 * MINUTE;
    for (const page of [await person.open(`${ACCOUNT}/password`), await person.submit(form, fields)]) {
      expect(page.title).toBe("Sign in to Signet");
    }
    service.clockOffsetMs = 0;
    expect((await userOf(service, userId)).password_hash).toBeNull();
    expect(noticeOf(await person.submit(form, fields))).toBe(
      "You now have a password. You have been signed out everywhere else.",
    );
    // The form in another tab asks for no current password.
    const again = await person.submit(form, { password: "analytical engine no. 3", repeat: "analytical engine no. 3" });
    expect([again.status, again.alert]).toEqual([422, "This is not your current password."]);
    const signedIn = await createPerson(service).open(ACCOUNT);
    const visitor = createPerson(service);
    const page = await visitor.submit(await visitor.open(ACCOUNT), { username: userName, password: NEW_PASSWORD });
    expect([signedIn.title, page.title]).toEqual(["Sign in to Signet", "Your account"]);
  });

  test("is not guessed without limits", async () => {
    const { person } = await newPerson(service);
    const form = await person.open(`${ACCOUNT}/password`);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await person.submit(form, { ...fields, current: "guess" })).status);
    }
    expect(statuses).toContain(429);
  });
});

describe("the data of a user", () => {
  test("are a file with everything but secrets", async () => {
    const { userId, userName, person } = await newPerson(service);
    await submit(person, "name", { firstName: "Ada", lastName: "<King>", displayName: "" });
    const metadata = [
      ["text", Buffer.from('Zürich 🗻 "quoted"\n')],
      ["nul", Buffer.from([0])],
      ["overlong", Buffer.from([0xc0, 0x80])],
      ["surrogate", Buffer.from([0xed, 0xa0, 0x80])],
      ["long bytes", Buffer.alloc(200, 0xff)],
    ] as const;
    for (const [key, value] of metadata) {
      await call(service, "SetUserMetadata", { id: userId, key, value: value.toString("base64") });
    }
    const wiki = { name: "Wiki", redirectUris: ["https://wiki.example/signed-in"], roles: ["editor"] };
    const { appId } = await call(service, "AddOIDCApp", wiki);
    await call(service, "AddUserAppRoles", { userId, appId: String(appId), roles: ["editor"] });
    expect((await person.open(`${ACCOUNT}/data`)).text).toContain(`href="${ACCOUNT}/data/file"`);
    const file = await person.open(`${ACCOUNT}/data/file`);
    expect([file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
      "application/json; charset=utf-8",
      'attachment; filename="signet-data.json"',
    ]);
    const data = JSON.parse(file.text);
    expect(data).toMatchObject({
      user: { id: userId, userName, email: "ada@example.com", hasPassword: true, profile: { lastName: "<King>" } },
      sessions: [{ signedInAt: expect.any(String), lastSeenAt: expect.any(String) }],
      passkeys: [],
      linkedAccounts: [],
      roles: [],
      appRoles: [{ appId, role: "editor", since: expect.any(String) }],
    });
    expect(
      Object.fromEntries(
        data.metadata.map(({ key, value, valueBase64 }: Record<string, string>) => [key, value ?? { valueBase64 }]),
      ),
    ).toEqual(
      Object.fromEntries(
        metadata.map(([key, value]) => {
          return [key, key === "text" ? value.toString() : { valueBase64: value.toString("base64") }];
        }),
      ),
    );
    const types = data.events.map(({ type }: { type: string }) => type);
    expect(types.at(-1)).toBe("user.human.added");
    expect(types).toContain("user.human.signed.in");
    const { password_hash } = await userOf(service, userId);
    expect(file.text).not.toContain(password_hash);
    const { sessions } = await service.sessions.list(userId);
    expect(file.text).not.toContain(sessions[0]?.id);
  });

  test("of another user are not in the file, whatever is asked for", async () => {
    const { userId: otherId } = await newPerson(service, { profile: { firstName: "Grace", lastName: "Hopper" } });
    const { person } = await newPerson(service);
    for (const query of [`?id=${otherId}`, `?userId=${otherId}`, `?user=${otherId}`]) {
      const { text } = await person.open(`${ACCOUNT}/data/file${query}`);
      expect([text.includes(otherId), text.includes("Grace")]).toEqual([false, false]);
    }
    expect((await createPerson(service).open(`${ACCOUNT}/data/file`)).title).toBe("Sign in to Signet");
  });
});

describe("the account", () => {
  test("is deleted after a recent sign-in, once the user name was entered", async () => {
    const { userId, userName, person, page } = await newPerson(service);
    expect(page.text).toContain(`href="${ACCOUNT}/delete"`);
    const form = await person.open(`${ACCOUNT}/delete`);
    expect(form.title).toBe("Delete your account?");
    expect(await person.submit(form, { userName: "ada" })).toMatchObject({
      status: 422,
      alert: "This is not your user name.",
    });
    service.clockOffsetMs += 15 * MINUTE;
    expect((await person.submit(form, { userName })).title).toBe("Sign in to Signet");
    service.clockOffsetMs = 0;
    expect((await userOf(service, userId)).user_name).toBe(userName);
    const deleted = await person.submit(form, { userName: ` ${userName.toUpperCase()}` });
    expect([deleted.url.pathname, deleted.title]).toEqual([`${ACCOUNT}/deleted`, "Your account was deleted"]);
    expect(await service.db.selectFrom("users").select("id").where("id", "=", userId).execute()).toEqual([]);
    expect((await service.sessions.list(userId)).total).toBe(0);
    const last = await service.db
      .selectFrom("events")
      .select(["type", "editor_id"])
      .where("aggregate_id", "=", userId)
      .orderBy("sequence", "desc")
      .executeTakeFirst();
    expect(last).toEqual({ type: "user.removed", editor_id: userId });
    expect((await person.open(ACCOUNT)).title).toBe("Sign in to Signet");
  });

  test("is not deleted while the user has a role", async () => {
    const { userId, userName, person } = await newPerson(service);
    const form = await person.open(`${ACCOUNT}/delete`);
    await call(service, "AddOrgMember", { userId, roles: ["ORG_OWNER"] });
    for (const page of [await person.open(`${ACCOUNT}/delete`), await person.submit(form, { userName })]) {
      expect(page.status).toBe(403);
      expect(page.text).toContain("You have a role in this service.");
    }
    expect((await userOf(service, userId)).user_name).toBe(userName);
  });

  test("is not deleted unless ACCOUNT_DELETION allows it, and gets no promise of an SMS without a provider", async () => {
    const { SMS_PROVIDER: _, ...withoutSms } = VISITED;
    const other = await startService("postgres", withoutSms);
    try {
      other.secret(PASSWORD);
      const { userId, person, page } = await newPerson(other);
      const form = await person.open(`${ACCOUNT}/phone`);
      expect(form.text).toContain("<p>No SMS can be sent from here, so the new number will be stored without being");
      expect(noticeOf(await person.submit(form, { phone: NUMBER }))).toBe("Your phone number was changed.");
      expect(page.text).not.toContain("/delete");
      expect((await person.open(`${ACCOUNT}/delete`)).status).toBe(404);
      const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
      const text = `<form method="post" action="${ACCOUNT}/delete">`;
      expect((await person.submit({ ...page, text }, { token, userName: page.title })).status).toBe(404);
      expect((await userOf(other, userId)).id).toBe(userId);
    } finally {
      await other.close();
    }
  });
});

describe("every form", () => {
  const FORMS: Record<string, Record<string, string>> = {
    name: { firstName: "Mallory", lastName: "Mallory", displayName: "" },
    "user-name": { userName: "mallory" },
    language: { language: "fr" },
    email: { email: "mallory@example.com" },
    phone: { phone: NUMBER },
    password: { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD },
    delete: {},
  };

  test.each(Object.entries(FORMS))(
    "%s changes nothing without its token, or with that of another session",
    async (path, fields) => {
      const { page: foreign } = await newPerson(service);
      const { userId, userName, person } = await newPerson(service);
      const form = await person.open(`${ACCOUNT}/${path}`);
      const { sequence } = await userOf(service, userId);
      for (const token of ["", /name="token" value="([^"]*)"/.exec(foreign.text)?.[1] ?? ""]) {
        const refused = await person.submit(form, { ...fields, ...(path === "delete" && { userName }), token });
        expect([refused.status, refused.alert]).toEqual([422, STALE]);
      }
      // A form of another site, with a token that it has guessed.
      const crossSite = await fetch(`${service.origin}${ACCOUNT}/${path}`, {
        method: "POST",
        headers: {
          cookie: person.browser.cookies(ACCOUNT),
          origin: "https://evil.example",
          "sec-fetch-site": "cross-site",
        },
        body: new URLSearchParams(fields),
      });
      expect(crossSite.status).toBe(403);
      expect((await userOf(service, userId)).sequence).toBe(sequence);
    },
  );

  test.each(["email", "phone", "user-name", "data", "data/file", "delete"])(
    "%s requires a recent sign-in, which returns to it",
    async (path) => {
      const { userName, person } = await newPerson(service);
      const form = await person.open(`${ACCOUNT}/${path}`);
      service.clockOffsetMs += 15 * MINUTE;
      const asked = await person.open(`${ACCOUNT}/${path}`);
      expect(asked.title).toBe("Sign in to Signet");
      if (!path.startsWith("data"))
        expect((await person.submit(form, FORMS[path] ?? {})).title).toBe("Sign in to Signet");
      service.clockOffsetMs = 0;
      const signedIn = await person.submit(asked, { username: userName, password: PASSWORD });
      // A file would leave the browser on the sign-in page.
      expect(signedIn.url.pathname).toBe(`${ACCOUNT}/${path.replace("/file", "")}`);
      // Only once.
      expect((await person.open(`${ACCOUNT}/signed-in`)).url.pathname).toBe(ACCOUNT);
    },
  );

  test("a cookie of another site leads to no other page than one below the account page", async () => {
    const { person } = await newPerson(service);
    for (const value of [
      "//evil.example",
      "/ui/init",
      "https://evil.example/ui/account",
      "%E0%A4%A",
      "x".repeat(9_000),
    ]) {
      const cookie = `${person.browser.cookies(ACCOUNT)}; signet-account-next=${encodeURIComponent(value)}`;
      const response = await fetch(`${service.origin}${ACCOUNT}/signed-in`, {
        headers: { cookie },
        redirect: "manual",
      });
      expect(response.headers.get("location") ?? "431").toMatch(/^(\/ui\/account|431)$/);
    }
  });

  test("a session that another user knew before the sign-in gets a new id", async () => {
    const person = createPerson(service);
    const userName = "fixated";
    await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    const page = await person.open(ACCOUNT);
    const before = person.browser.cookies(ACCOUNT);
    await person.submit(page, { username: userName, password: PASSWORD });
    const response = await fetch(service.origin + ACCOUNT, { headers: { cookie: before }, redirect: "manual" });
    expect(response.headers.get("location")).toContain("client_id=account");
    expect((await person.open(ACCOUNT)).title).toBe("Your account");
  });
});
