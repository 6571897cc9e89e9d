import type { JsonObject } from "@bufbuild/protobuf";
import { LIMITS } from "../../../src/limits.ts";
import { ENDED_REGISTRATIONS } from "../../../src/server/delete-ended.ts";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import { requestOptionsOf, siteOf } from "../../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { allRows, call, eventsAfter, importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import { startSmtp, type TestSmtp } from "../../support/messages/smtp.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { storeFakePasskey } from "../account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";
const ENTERED = { firstName: "Ada", lastName: "Lovelace", password: PASSWORD, repeat: PASSWORD };
const FOREIGN = "A user name with an @ or a phone number must be your own, confirmed address or number.";
const DAY_MS = 24 * 3_600_000;
const ALL = {
  allowUsernamePassword: true,
  allowRegister: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
};

let smtp: TestSmtp;
let service: TestService;
let app: RelyingParty;
let addresses = 0;
beforeAll(async () => {
  smtp = await startSmtp();
  const email = { SMTP_URL: smtp.url, EMAIL_FROM: "Signet <no-reply@example.com>" };
  service = await startService("postgres", { ...VISITED, ...email, PASSKEY_OFFER: "once" });
  service.stopClock();
  service.secret(PASSWORD);
  app = await createRelyingParty(service, { name: "Almanac" });
});
beforeEach(() => setPolicy({}));
afterAll(async () => {
  await service?.close();
  await smtp?.close();
});

const setPolicy = (changes: JsonObject) => call(service, "UpdateLoginPolicy", { ...ALL, ...changes });
const newAddress = () => `person-${++addresses}@example.com`;

/** Opens the form for the address. */
async function open(person: Person = createPerson(service)) {
  const request = createRequest(app);
  const signIn = await person.open(request.url);
  return { person, request, signIn, page: await person.open(registerPath(signIn)) };
}

async function ask(email: string, person: Person = createPerson(service)) {
  const opened = await open(person);
  return { ...opened, sent: await person.submit(opened.page, { email }) };
}

/** Delivers what is queued. Returns the emails to an address: the subject, the text in one line, and the link. */
async function mailsTo(address: string) {
  await service.delivery.deliverDue();
  const mails = smtp.arrived.filter(({ to }) => to === address);
  return mails.map(({ email: { subject, text = "" } }) => {
    const link = /^http:\S+$/m.exec(text)?.[0] ?? "";
    const code = new URL(link).searchParams.get("code");
    if (code !== null) service.secret(code);
    return { subject, text: text.replace(/\s+/g, " "), link };
  });
}

async function linkTo(address: string): Promise<string> {
  const last = (await mailsTo(address)).at(-1);
  if (last?.subject !== "Finish creating your account") throw new Error(`unexpected email: ${last?.subject}`);
  return last.link;
}

/** Asks for a link, and opens it in the same browser. */
async function begin(email = newAddress(), person = createPerson(service)) {
  const asked = await ask(email, person);
  const link = await linkTo(email);
  return { ...asked, email, link, page: await person.open(link) };
}

/** Signs in with the password, without adding a passkey. */
async function enter(person: Person, page: Page, username: string) {
  return person.submit(await person.submit(page, { username, password: PASSWORD }), { do: "later" });
}

const usersWith = (email: string) =>
  service.db.selectFrom("users").select(["id", "user_name", "email"]).where("email", "=", email).execute();

test("a person registers with a password, and returns to the application, signed in", async () => {
  const { person, request, signIn, page, email, sent } = await begin();
  expect(signIn.text).toContain("Create an account");
  expect([sent.status, sent.title]).toEqual([200, "Check your email"]);
  expect([page.status, page.title]).toEqual([200, "Finish creating your account"]);
  expect(page.text).toContain(email);
  const { url } = await person.submit(page, ENTERED);
  const userId = String((await redeem(service, app, url, request)).claims()?.sub);
  expect(await userOf(service, userId)).toMatchObject({
    user_name: email,
    display_name: "Ada Lovelace",
    preferred_language: "en",
    email,
    email_verified: true,
    initialized: true,
    state: "active",
  });
  expect(await eventsAfter(service, userId, 0n)).toEqual([
    ["user.human.added", expect.objectContaining({ userName: email, email, hasPassword: true })],
    ["user.human.email.verified", { email }],
    ["user.human.registered", { appId: app.id }],
    [
      "user.human.signed.in",
      { appId: app.id, methods: ["pwd"], network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) },
    ],
  ]);
});

test("before the address is verified, there is nothing but the email and what its short link leads to", async () => {
  const email = newAddress();
  const { person, page } = await open();
  const before = await allRows(service);
  await person.submit(page, { email });
  const after = await allRows(service);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  // The limits, and the page that the browser shows.
  expect(changed.sort()).toEqual(["messages", "oidc_artifacts", "rate_limits", "registrations"]);
  const attempt = await open();
  const refused = await attempt.person.submit(attempt.signIn, { username: email, password: PASSWORD });
  expect([refused.status, refused.title]).toEqual([422, "Sign in to Almanac"]);
});

test("the response is the same for an address with an account, which gets another email", async () => {
  const [taken, free] = [newAddress(), newAddress()];
  const userId = await importAda(service, { email: { email: taken, isEmailVerified: true }, password: PASSWORD });
  const answers: string[] = [];
  for (const email of [taken, free]) {
    const { sent, signIn } = await ask(email);
    const id = /sign-in\/([\w-]+)/.exec(String(signIn.url))?.[1] ?? "";
    const text = sent.text.replaceAll(email, "ADDRESS").replaceAll(id, "ID");
    answers.push(text.replaceAll(/(name="token" value=)"[^"]*"/g, "$1"));
  }
  expect(answers[0]).toBe(answers[1]);
  const [mail, ...others] = await mailsTo(taken);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("You already have an account");
  expect(mail?.text).toContain("The account is for signing in to Almanac.");
  expect(mail?.link).not.toContain("code=");
  // In this browser, the sign-in continues.
  const { person, request } = await ask(taken);
  const again = (await mailsTo(taken)).at(-1)?.link ?? "";
  const { url } = await enter(person, await person.open(again), taken);
  expect((await redeem(service, app, url, request)).claims()?.sub).toBe(userId);
  expect(await linkTo(free)).toContain("code=");
});

test.each(["deactivated", "locked"] as const)("the address of a %s user has an account", async (state) => {
  const email = newAddress();
  const userId = await importAda(service, { email: { email, isEmailVerified: true } });
  await call(service, state === "locked" ? "LockUser" : "DeactivateUser", { id: userId });
  const entered = email.replace("person", "PERSON");
  await ask(entered);
  expect(await mailsTo(entered)).toMatchObject([{ subject: "You already have an account" }]);
});

test("in another browser, the link leads on to the application, and the person signs in", async () => {
  const { link, email, person, signIn } = await begin();
  const other = createPerson(service);
  const page = await other.open(link);
  expect([page.status, page.title]).toEqual([200, "Finish creating your account"]);
  const ready = await other.submit(page, ENTERED);
  expect([ready.status, ready.title]).toEqual([200, "Your account is ready"]);
  expect(ready.text).toContain('href="https://app.example.com/">Continue to Almanac');
  expect(other.browser.cookies("/ui/next")).toContain(`signet-step=${service.orgId}`);
  const [user] = await usersWith(email);
  expect(
    await service.db.selectFrom("events").selectAll().where("aggregate_id", "=", String(user?.id)).execute(),
  ).toHaveLength(3);
  // Whoever opened the link in another browser is not signed in there, nor in the first one.
  expect((await other.open("/ui/account")).title).toBe("Sign in to Signet");
  expect((await person.open(signIn.url)).title).toBe("Sign in to Almanac");
  const { url } = await enter(person, await person.open(signIn.url), email);
  expect(url.origin).toBe("https://app.example.com");
});

test("a person registers with a passkey instead", async () => {
  const { person, request, page, email } = await begin();
  const { challenge, ...options } = requestOptionsOf(page) as ReturnType<typeof requestOptionsOf> & {
    user: { name: string };
  };
  expect(options.user.name).toBe(email);
  const authenticator = createAuthenticator(siteOf(service));
  const passkey = JSON.stringify(authenticator.create(challenge));
  const { firstName, lastName } = ENTERED;
  const { url } = await person.submit(page, { firstName, lastName, passkey });
  const userId = String((await redeem(service, app, url, request)).claims()?.sub);
  expect(await userOf(service, userId)).toMatchObject({ email, password_hash: null, initialized: true });
  const passkeys = await service.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).execute();
  expect(passkeys).toMatchObject([{ id: authenticator.credentialId, name: "Passkey 1" }]);
  expect((await eventsAfter(service, userId, 0n)).map(([type]) => type)).toEqual([
    "user.human.added",
    "user.human.email.verified",
    "user.human.passwordless.registered",
    "user.human.registered",
    "user.human.signed.in",
  ]);
  // Another person cannot register with it.
  const second = await begin();
  const stolen = JSON.stringify(authenticator.create(requestOptionsOf(second.page).challenge));
  const refused = await second.person.submit(second.page, { firstName, lastName, passkey: stolen });
  expect([refused.status, refused.alert]).toEqual([422, "This passkey was not accepted. Please try again."]);
  expect(await usersWith(second.email)).toEqual([]);
});

test("a passkey that a user of another organization has is refused", async () => {
  const org_id = await service.createOrg("other");
  const profile = { firstName: "Grace", lastName: "Hopper" };
  const request = { userName: "grace", profile, email: { email: newAddress() } };
  const { userId } = await call(service, "ImportHumanUser", request, { "x-service-orgid": org_id });
  const authenticator = createAuthenticator(siteOf(service));
  await storeFakePasskey(service, String(userId), authenticator.credentialId, { org_id });
  const { person, page, email } = await begin();
  const passkey = JSON.stringify(authenticator.create(requestOptionsOf(page).challenge));
  const { firstName, lastName } = ENTERED;
  const refused = await person.submit(page, { firstName, lastName, passkey });
  expect([refused.status, refused.alert]).toEqual([422, "This passkey was not accepted. Please try again."]);
  expect(await usersWith(email)).toEqual([]);
});

test("a passkey for another registration, or without the user's verification, is refused", async () => {
  const { person, page, email } = await begin();
  const other = await begin();
  const { firstName, lastName } = ENTERED;
  for (const passkey of [
    createAuthenticator(siteOf(service)).create(requestOptionsOf(other.page).challenge),
    createAuthenticator(siteOf(service), { flags: 65 }).create(requestOptionsOf(page).challenge),
    createAuthenticator(siteOf(service), { origin: "https://evil.example" }).create(requestOptionsOf(page).challenge),
    {},
  ]) {
    const refused = await person.submit(page, { firstName, lastName, passkey: JSON.stringify(passkey) });
    expect([refused.status, refused.alert]).toEqual([422, "This passkey was not accepted. Please try again."]);
  }
  expect(await usersWith(email)).toEqual([]);
});

test("errors keep what was entered, except the password", async () => {
  const { person, page, email } = await begin();
  for (const [fields, alert] of [
    [{ ...ENTERED, firstName: " " }, "This value is missing or invalid."],
    [{ ...ENTERED, lastName: "a\u202eb" }, "This value is missing or invalid."],
    [{ ...ENTERED, repeat: "different" }, "The two passwords do not match. Please enter both again."],
    [{ ...ENTERED, password: email, repeat: email }, expect.stringContaining("password")],
    [{ firstName: "Ada", lastName: "Lovelace" }, expect.stringContaining("password")],
  ] as const) {
    const refused = await person.submit(page, fields);
    expect([refused.status, refused.alert]).toEqual([422, alert]);
    expect(refused.text).toContain(`value="${fields.firstName.trim()}"`);
    expect(refused.text).not.toContain(PASSWORD);
  }
  const fixed = await person.submit(await person.submit(page, { ...ENTERED, repeat: "x" }), ENTERED);
  expect(fixed.url.origin).toBe("https://app.example.com");
});

test("a link registers one user, also with two requests at once, and none after the user was removed", async () => {
  const { link, email } = await begin();
  const persons = [createPerson(service), createPerson(service), createPerson(service)];
  const pages = await Promise.all(persons.map((person) => person.open(link)));
  const results = await Promise.all(
    persons.map((person, index) => person.submit(pages[index] as Page, { ...ENTERED, firstName: `Ada ${index}` })),
  );
  expect(results.map(({ title }) => title)).toEqual(Array(3).fill("Your account is ready"));
  const [user, ...others] = await usersWith(email);
  expect(others).toEqual([]);
  const again = await createPerson(service).open(link);
  expect([again.status, again.title]).toEqual([200, "Your account is ready"]);
  await call(service, "RemoveUser", { id: String(user?.id) });
  const person = createPerson(service);
  await person.submit(pages[0] as Page, ENTERED);
  expect(await usersWith(email)).toEqual([]);
});

test("of two links to an address, one registers a user", async () => {
  const email = newAddress();
  const first = await begin(email);
  const second = await begin(email);
  expect(second.link).not.toBe(first.link);
  const results = await Promise.all([first, second].map(({ person, page }) => person.submit(page, ENTERED)));
  expect(await usersWith(email)).toHaveLength(1);
  expect(results.filter(({ url }) => url.origin === "https://app.example.com")).toHaveLength(1);
  const page = await createPerson(service).open(second.link);
  expect(["You already have an account", "Your account is ready"]).toContain(page.title);
});

test("of two links to an address, one registers a user, also with another name at the same time", async () => {
  const { firstName, lastName } = ENTERED;
  for (let n = 0; n < 3; n++) {
    const email = newAddress();
    const opened = [await begin(email), await begin(email)];
    // A passkey needs no time for a hash, so both requests look at the address before either registers its user.
    const requests = opened.map(({ page, person }, index) => {
      const { challenge } = requestOptionsOf(page);
      const passkey = JSON.stringify(createAuthenticator(siteOf(service)).create(challenge));
      const userName = index === 0 ? email : `nick-${n}`;
      return () => person.submit(page, { firstName, lastName, userName, passkey });
    });
    const results = await Promise.all(requests.map((send) => send()));
    expect(await usersWith(email)).toHaveLength(1);
    expect(results.map(({ url, title }) => title || url.origin).sort()).toEqual([
      "You already have an account",
      "https://app.example.com",
    ]);
  }
});

test("a link ends after a day, and another one has no effect", async () => {
  const { link, page, person, email, signIn } = await begin();
  expect(link.length).toBeLessThanOrEqual(120);
  const id = /sign-in\/([\w-]+)/.exec(String(signIn.url))?.[1] ?? "";
  const { signIn: other } = await open();
  const otherId = /sign-in\/([\w-]+)/.exec(String(other.url))?.[1] ?? "";
  const ofOther = String(page.url).replace(id, otherId);
  for (const mangled of [link.replace("&", "x&"), ofOther, `${link.split("code=")[0]}code=x`]) {
    const over = await person.open(mangled);
    expect([over.status, over.title]).toEqual([410, "This link is no longer valid"]);
    expect(over.text.includes("Start again")).toBe(mangled.includes("app="));
  }
  service.clockOffsetMs += 2 * DAY_MS;
  for (const over of [await person.open(link), await person.submit(page, ENTERED)]) {
    expect([over.status, over.title]).toEqual([410, "This link is no longer valid"]);
  }
  expect(await usersWith(email)).toEqual([]);
  // What an address has asked for does not stay.
  const now = new Date(service.clock().getTime() + 1);
  expect(await ENDED_REGISTRATIONS.deleteBatch(service.db, now)).toBeGreaterThan(0);
  expect(await service.db.selectFrom("registrations").selectAll().execute()).toEqual([]);
});

test("an email that could not be sent for a day is dropped", async () => {
  const email = newAddress();
  await ask(email);
  service.clockOffsetMs += DAY_MS;
  expect(await mailsTo(email)).toEqual([]);
  const rows = await service.db
    .selectFrom("messages")
    .select(["state", "content"])
    .where("recipient", "=", email)
    .execute();
  expect(rows).toEqual([{ state: "expired", content: null }]);
});

test("an address gets a few emails per day, whoever asks, and the response stays the same", async () => {
  const email = newAddress();
  const aliases = [
    email,
    email.replace("person", "PERSON"),
    email.replace("@", "+a@"),
    email.replace("person-", "p.erson-"),
  ];
  for (let count = 0; count < 2 * LIMITS.registrations.most; count++) {
    const { sent } = await ask(aliases[count % aliases.length] ?? email);
    expect([sent.status, sent.title]).toEqual([200, "Check your email"]);
  }
  const arrived = await Promise.all(aliases.map(mailsTo));
  expect(arrived.flat()).toHaveLength(LIMITS.registrations.most);
});

test("a client can ask for a few emails", async () => {
  const person = createPerson(service);
  const { page } = await open(person);
  const statuses: number[] = [];
  for (let count = 0; count <= LIMITS.wrongCodes.most; count++) {
    statuses.push((await person.submit(page, { email: newAddress() })).status);
  }
  expect(statuses).toEqual([...Array(LIMITS.wrongCodes.most).fill(200), 429]);
  service.clockOffsetMs += DAY_MS;
});

test("an address that is someone's user name asks for another user name", async () => {
  const email = newAddress();
  await importAda(service, { userName: email, email: { email: newAddress(), isEmailVerified: true } });
  const { person, page, request } = await begin(email);
  expect([page.status, page.alert]).toEqual([422, "This user name is taken. Please choose another one."]);
  const other = `other-${addresses}`;
  await importAda(service, { userName: other });
  const refused = await person.submit(page, { ...ENTERED, userName: other });
  expect([refused.status, refused.alert]).toEqual([422, "This user name is taken. Please choose another one."]);
  const { url } = await person.submit(refused, { ...ENTERED, userName: `ada-of-${addresses}` });
  const userId = String((await redeem(service, app, url, request)).claims()?.sub);
  expect(await userOf(service, userId)).toMatchObject({ user_name: `ada-of-${addresses}`, email });
});

test("nobody takes the address of somebody else as user name, also if it has no account yet", async () => {
  const [taken, free] = [newAddress(), newAddress()];
  await importAda(service, { email: { email: taken, isEmailVerified: true } });
  const { person, page, email, request } = await begin();
  for (const userName of [taken, free, ` ${free.toUpperCase()}`, "ada@work"]) {
    const refused = await person.submit(page, { ...ENTERED, userName });
    expect([refused.status, refused.alert]).toEqual([422, FOREIGN]);
    expect(refused.text).toContain('id="userName-error"');
  }
  expect(await usersWith(email)).toEqual([]);
  const { url } = await person.submit(page, { ...ENTERED, userName: email.toUpperCase() });
  const userId = String((await redeem(service, app, url, request)).claims()?.sub);
  expect(await userOf(service, userId)).toMatchObject({ user_name: email.toUpperCase(), email });
  const owner = await begin(free);
  expect([owner.page.status, owner.page.alert]).toEqual([200, ""]);
  expect((await owner.person.submit(owner.page, ENTERED)).url.origin).toBe("https://app.example.com");
});

test("the page of the link looks up no name in its URL, which nothing would limit", async () => {
  const userName = `named-${newAddress()}`;
  await importAda(service, { userName });
  const { person, page: opened } = await begin();
  const page = await person.open(`${opened.url}&${new URLSearchParams({ userName })}`);
  expect([page.status, page.alert]).toEqual([200, ""]);
});

test("user names cannot be tried without limit", async () => {
  const email = newAddress();
  await importAda(service, { userName: email, email: { email: newAddress(), isEmailVerified: true } });
  const { person, page } = await begin(email);
  const statuses = new Set<number>();
  for (let count = 0; count < LIMITS.wrongCodes.most; count++) {
    statuses.add((await person.submit(page, { ...ENTERED, userName: email })).status);
  }
  expect([...statuses]).toEqual([422, 429]);
  service.clockOffsetMs += DAY_MS;
});

test("without the policy, nobody registers, also with a link from before", async () => {
  const { person, page, link, email } = await begin();
  const form = await open();
  await setPolicy({ allowRegister: false });
  const signIn = await createPerson(service).open(createRequest(app).url);
  expect(signIn.text).not.toContain("Create an account");
  const other = newAddress();
  expect((await form.person.submit(form.page, { email: other })).title).toBe("Sign in to Almanac");
  expect((await form.person.open(registerPath(form.signIn))).title).toBe("Sign in to Almanac");
  expect(await mailsTo(other)).toEqual([]);
  for (const over of [await person.open(link), await person.submit(page, ENTERED)]) {
    expect([over.status, over.title]).toEqual([410, "This link is no longer valid"]);
  }
  expect(await usersWith(email)).toEqual([]);
});

test("the policy's second factor holds for a registered user", async () => {
  await setPolicy({ forceMfa: true });
  const { person, page } = await begin();
  const factor = await person.submit(page, ENTERED);
  expect([factor.status, factor.title]).toEqual([200, "Protect your account"]);
});

test("the policy's ways to sign in hold for a registered user", async () => {
  await setPolicy({ passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED", hidePasswordReset: true });
  const { person, page, email, signIn } = await begin();
  expect(signIn.text).not.toContain("Forgotten?");
  expect(page.text).not.toContain("passkey");
  const passkey = JSON.stringify(createAuthenticator(siteOf(service)).create("AAAA"));
  const refused = await person.submit(page, { ...ENTERED, passkey });
  expect([refused.status, await usersWith(email)]).toEqual([422, []]);

  await setPolicy({ allowUsernamePassword: false });
  const second = await begin();
  expect(second.page.text).not.toContain('name="password"');
  const { status } = await second.person.submit(second.page, ENTERED);
  expect([status, await usersWith(second.email)]).toEqual([422, []]);
});

test("a sign-in that requires a specific user does not offer it", async () => {
  const { person, page, request } = await begin();
  const { url } = await person.submit(page, ENTERED);
  await redeem(service, app, url, request);
  const again = await person.open(createRequest(app, { prompt: "login" }).url);
  expect(again.title).toBe("Sign in to Almanac");
  expect(again.text).not.toContain("Create an account");
  expect((await person.open(registerPath(again))).title).toBe("Sign in to Almanac");
});

test("what was entered on the first page is kept, if it is an address", async () => {
  const person = createPerson(service);
  const signIn = await person.open(createRequest(app).url);
  const pressed = { ...signIn, text: signIn.text.replace(/ action="[^"]*"/, ` action="${registerPath(signIn)}"`) };
  const email = newAddress();
  for (const [username, value] of [
    [email, email],
    ["ada", ""],
  ] as const) {
    const page = await person.submit(pressed, { username, password: PASSWORD, do: "open" });
    expect(page.text).toMatch(new RegExp(`name="email" type="email" value="${value}"`));
    const back = await person.submit(page, { email, do: "back" });
    expect(back.text).toMatch(new RegExp(`name="username" type="text" value="${email}"`));
  }
  const invalid = await person.submit(await person.open(registerPath(signIn)), { email: "ada" });
  expect([invalid.status, invalid.alert]).toEqual([422, "Please enter an email address, such as name@example.com."]);
});

test("the email and the pages are in the language of the page", async () => {
  const person = createPerson(service, undefined, { "accept-language": "de" });
  const email = newAddress();
  const { sent } = await ask(email, person);
  expect(sent.title).toBe("Prüfen Sie Ihren Posteingang");
  const [mail] = await mailsTo(email);
  expect(mail?.subject).toBe("Schließen Sie Ihre Registrierung ab");
  const page = await createPerson(service).open(mail?.link ?? "");
  expect(page.title).toBe("Schließen Sie Ihre Registrierung ab");
});

function registerPath({ url }: Page): string {
  return String(url).replace("?", "/register?");
}
