import { LIMITS } from "../../src/limits.ts";
import { createOutbox } from "../../src/messages/outbox.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../src/sign-in/code/totp.ts";
import type { Notice } from "../../src/texts/en/notices.ts";
import { createAuthenticator } from "../support/browsers/passkey-authenticator.ts";
import { siteOf, storePasskey } from "../support/browsers/passkeys.ts";
import { createPerson, type Person } from "../support/browsers/person.ts";
import { call, importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { type OtherProviders, signInAtIdp, startOtherProviders } from "../support/oidc/other-provider.ts";
import { createRelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { ACCOUNT, formOf, PASSWORD } from "../web/account/account-scene.ts";
import { createIdpScene, type IdpScene, newSub, PERSON } from "../web/sign-in/idp-scene.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const BROWSER = "Browser: Firefox, Windows";
const BY_OTHER = "An administrator or an application made this change.";
const NEW_PASSWORD = "difference engine no. 2";
const HOUR = 3_600_000;

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let smtp: TestSmtp;
let service: TestService;
let scene: IdpScene;
beforeAll(async () => {
  smtp = await startSmtp();
  service = await startService("postgres", {
    ...VISITED,
    SMTP_URL: smtp.url,
    EMAIL_FROM: "Signet <no-reply@example.com>",
  });
  service.stopClock();
  for (const secret of [PASSWORD, NEW_PASSWORD]) service.secret(secret);
  scene = createIdpScene(service, await createRelyingParty(service), providers);
});
afterAll(async () => {
  await service?.close();
  await smtp?.close();
});

let users = 0;

async function newUser(fields: object = {}) {
  const userName = `user-${++users}`;
  const email = `${userName}@example.com`;
  const request = { userName, email: { email, isEmailVerified: true }, password: PASSWORD, ...fields };
  return { userName, email, userId: await importAda(service, request) };
}

const newBrowser = () => createPerson(service, undefined, { "user-agent": FIREFOX });

async function signIn(userName: string, person: Person = newBrowser()) {
  return {
    person,
    page: await person.submit(await person.open(ACCOUNT), { username: userName, password: PASSWORD }),
  };
}

/** Delivers what is queued. Returns the emails to an address, each as its subject and its text in one line. */
async function mailsTo(address: string): Promise<string[]> {
  await service.delivery.deliverDue();
  return smtp.arrived
    .filter(({ to }) => to === address)
    .map(({ email }) => `${email.subject}: ${email.text?.replace(/\s+/g, " ")}`);
}

/** The notices that a user got since the last call. */
async function noticesOf(userId: string) {
  const rows = await service.db
    .deleteFrom("messages")
    .where("user_id", "=", userId)
    .where("notice", "is not", null)
    .returning(["notice", "recipient"])
    .execute();
  return rows.map(({ notice, recipient }) => [notice, recipient]);
}

const change = (rpc: Parameters<typeof call>[1], request: object) => call(service, rpc, request as never);

/** A call of an administrator, and the subject of the email. */
const CALLS: [Notice, string, (user: { userId: string; email: string }) => Promise<unknown>][] = [
  [
    "password-changed",
    "Your password was changed",
    ({ userId }) => change("SetHumanPassword", { userId, password: NEW_PASSWORD }),
  ],
  [
    "email-changed",
    "Your email address was changed",
    ({ userId, email }) => change("UpdateHumanEmail", { userId, email: `new-${email}`, isEmailVerified: true }),
  ],
  [
    "phone-changed",
    "Your phone number was changed",
    ({ userId }) => change("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: true }),
  ],
  [
    "phone-removed",
    "Your phone number was removed",
    async ({ userId }) => {
      await change("UpdateHumanPhone", { userId, phone: "+41791234568" });
      await noticesOf(userId);
      await change("RemoveHumanPhone", { userId });
    },
  ],
  [
    "passkey-removed",
    "A passkey was removed",
    async ({ userId }) => {
      const authenticator = createAuthenticator(siteOf(service));
      await storePasskey(service, userId, authenticator);
      await change("RemoveHumanPasswordless", { userId, tokenId: authenticator.credentialId });
    },
  ],
  [
    "provider-linked",
    "A new way to sign in was added",
    async ({ userId }) => {
      const { id: idpId } = await scene.newIdp();
      await change("AddHumanLinkedIDP", { userId, idpId, externalUserId: newSub() });
    },
  ],
  [
    "provider-unlinked",
    "A way to sign in was removed",
    async ({ userId }) => {
      const { idp_id: idpId, external_user_id: linkedUserId } = await service.db
        .selectFrom("user_idp_links")
        .select(["idp_id", "external_user_id"])
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      await change("RemoveHumanLinkedIDP", { userId, idpId, linkedUserId });
    },
  ],
];

test.each(CALLS)("a call that causes %s tells the user by email", async (notice, subject, run) => {
  const idps =
    notice === "provider-unlinked" ? [{ configId: (await scene.newIdp()).id, externalUserId: newSub() }] : [];
  const user = await newUser({ idps });
  await run(user);
  const sent = (await mailsTo(user.email)).filter((mail) => mail.startsWith(subject));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain(`${new URL(service.config.publicUrl).host}`);
  expect(sent[0]).toContain(BY_OTHER);
  expect(sent[0]).not.toContain("Browser");
  expect(await noticesOf(user.userId)).toEqual([[notice, user.email]]);
});

test("a user who changes the password, one-time codes and recovery codes gets an email about each", async () => {
  const { userName, userId, email } = await newUser();
  const { person } = await signIn(userName);
  const fields = { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD };
  await person.submit(await person.open(`${ACCOUNT}/password`), fields);
  const setUp = await person.open(`${ACCOUNT}/one-time-code`);
  const base32 = /<code>([A-Z2-7 ]+)<\/code>/.exec(setUp.text)?.[1]?.replaceAll(" ", "") ?? "";
  const secret = parseTotpSecret(base32);
  if (secret === undefined) throw new Error("no secret");
  await person.submit(setUp, { code: codeOfStep(secret, stepAt(secret, service.clock())) });
  const codes = await person.open(`${ACCOUNT}/one-time-code/new-recovery-codes`);
  await person.submit(codes, {});
  const recovery = /<li><code>([A-Z2-7-]+)<\/code>/.exec(codes.text)?.[1] ?? "";
  const gate = await newBrowser().open(ACCOUNT);
  expect(gate.title).toBe("Sign in to Signet");
  const other = newBrowser();
  const code = await other.submit(await other.open(ACCOUNT), { username: userName, password: NEW_PASSWORD });
  await other.submit(code, { recovery });
  await person.submit(await person.open(`${ACCOUNT}/one-time-code/remove`), { password: NEW_PASSWORD });
  const mails = await mailsTo(email);
  expect(mails.map((mail) => mail.split(":")[0])).toEqual([
    "Your password was changed",
    "One-time codes were set up",
    "Your recovery codes were replaced",
    "A recovery code was used",
    "One-time codes were turned off",
  ]);
  for (const mail of mails) {
    expect(mail).toContain(BROWSER);
    expect(mail).not.toContain(BY_OTHER);
  }
  expect(await noticesOf(userId)).toHaveLength(5);
});

test("a user who resets the password, or adds a passkey by a link, gets an email", async () => {
  const { userId, email } = await newUser();
  await change("SendHumanResetPasswordNotification", { userId, type: "TYPE_EMAIL" });
  const person = newBrowser();
  const page = await person.open((await lastReceived(service, userId, "password")).path);
  await person.submit(page, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  const { link } = await change("AddPasswordlessRegistration", { userId });
  const code = new URL(String(link)).searchParams.get("code") ?? "";
  const post = async (path: string, body: object): Promise<{ challenge: string }> => {
    const { publicUrl } = service.config;
    const headers = { "content-type": "application/json", origin: publicUrl, "sec-fetch-site": "same-origin" };
    const init = { method: "POST", headers: { ...headers, "user-agent": FIREFOX }, body: JSON.stringify(body) };
    return (await (await fetch(`${service.origin}/ui/passkey/${path}`, init)).json()) as { challenge: string };
  };
  const { challenge } = await post("options", { code });
  await post("registration", { code, response: createAuthenticator(siteOf(service)).create(challenge) });
  const mails = (await mailsTo(email)).filter((mail) => mail.includes(BROWSER));
  expect(mails.map((mail) => mail.split(":")[0])).toEqual(["Your password was changed", "A passkey was added"]);
});

test("a user who links an external user gets an email", async () => {
  const { userId, userName, email } = await newUser();
  const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
  const { person, page } = await scene.open();
  const signInPage = await person.submit(await signInAtIdp(person, page, idp), { do: "to-link" });
  const confirm = await person.submit(signInPage, { username: userName, password: PASSWORD });
  await person.submit(confirm, { do: "link" });
  expect((await mailsTo(email)).map((mail) => mail.split(":")[0])).toEqual(["A new way to sign in was added"]);
  expect(await noticesOf(userId)).toEqual([["provider-linked", email]]);
});

test("a sign-in from a new browser is reported once, and not in the first hour of the user", async () => {
  const { userId, userName, email } = await newUser();
  await signIn(userName);
  expect(await noticesOf(userId)).toEqual([]);
  service.clockOffsetMs += HOUR + 1;
  const { person } = await signIn(userName);
  const [mail = ""] = await mailsTo(email);
  expect(mail).toMatch(/^New sign-in to your account: .* on a device that has not been used before\./);
  expect(mail).toContain(BROWSER);
  expect(await noticesOf(userId)).toEqual([["new-device", email]]);
  await person.submit(formOf(await person.open(ACCOUNT), `${ACCOUNT}/sign-out`), {});
  expect((await signIn(userName, person)).page.title).toBe("Your account");
  expect(await noticesOf(userId)).toEqual([]);
});

test("the import of a user is not reported", async () => {
  const { userId } = await newUser({ phone: { phone: "+41791234567", isPhoneVerified: true } });
  expect(await noticesOf(userId)).toEqual([]);
});

test("an address that is not verified gets no notice, also not after it was changed", async () => {
  const userId = await importAda(service, { password: PASSWORD });
  await change("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: true });
  await change("UpdateHumanEmail", { userId, email: "grace@example.com" });
  await change("SetHumanPassword", { userId, password: NEW_PASSWORD });
  expect(await noticesOf(userId)).toEqual([]);
});

test("what does not change the address or the number is not reported, nor is what asks for no messages", async () => {
  const { userId, email } = await newUser({ phone: { phone: "+41791234567", isPhoneVerified: true } });
  await change("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: false });
  await change("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: true });
  await change("UpdateHumanPhone", { userId, phone: "+41791234568", message: "MESSAGE_NONE" });
  await change("UpdateHumanEmail", { userId, email, isEmailVerified: false });
  await change("UpdateHumanEmail", { userId, email, isEmailVerified: true });
  expect(await noticesOf(userId)).toEqual([]);
});

test("an address is told only once that it was replaced", async () => {
  const { userId, email } = await newUser();
  await change("UpdateHumanEmail", { userId, email: "grace@example.com" });
  await change("UpdateHumanEmail", { userId, email: "other@example.com" });
  expect(await noticesOf(userId)).toEqual([["email-changed", email]]);
});

test("a new address of a user who has not completed the initialization is reported to the verified one", async () => {
  const { userId, email } = await newUser({ password: undefined });
  service.clockOffsetMs += 2 * 60_000;
  await change("ResendHumanInitialization", { userId });
  expect(await noticesOf(userId)).toEqual([]);
  service.clockOffsetMs += 2 * 60_000;
  await change("ResendHumanInitialization", { userId, email: "grace@example.com" });
  expect(await noticesOf(userId)).toEqual([["email-changed", email]]);
});

test("a user gets at most some notices of one kind in an hour", async () => {
  const { userId, email } = await newUser();
  const setPhone = (number: number) =>
    change("UpdateHumanPhone", { userId, phone: `+4179123450${number}`, isPhoneVerified: true });
  for (let number = 0; number < LIMITS.notices.most + 2; number++) await setPhone(number);
  await change("RemoveHumanPhone", { userId });
  const count = async (prefix: string) => (await mailsTo(email)).filter((mail) => mail.startsWith(prefix)).length;
  expect(await count("Your phone number was changed")).toBe(LIMITS.notices.most);
  expect(await count("Your phone number was removed")).toBe(1);
  service.clockOffsetMs += HOUR;
  await setPhone(9);
  expect(await count("Your phone number was changed")).toBe(LIMITS.notices.most + 1);
});

test("an administrator who removes one-time codes is named as someone else", async () => {
  const { userId, email } = await newUser({ otpCode: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" });
  await change("RemoveHumanAuthFactorOTP", { userId });
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatch(/^One-time codes were turned off: /);
  expect(mails[0]).toContain(BY_OTHER);
});

test("a login policy switches off the email about a sign-in from a new browser, and no other", async () => {
  const { userId, userName, email } = await newUser();
  service.clockOffsetMs += HOUR + 1;
  await change("AddCustomLoginPolicy", { allowUsernamePassword: true, disableNewDeviceNotice: true });
  const { page } = await signIn(userName);
  expect(page.title).toBe("Your account");
  expect(await noticesOf(userId)).toEqual([]);
  await change("UpdateHumanPhone", { userId, phone: "+41791234567", isPhoneVerified: true });
  expect(await noticesOf(userId)).toEqual([["phone-changed", email]]);
  await change("ResetLoginPolicyToDefault", {});
  await signIn(userName);
  expect(await noticesOf(userId)).toEqual([["new-device", email]]);
});

test("a service that sends no emails queues no notices", () => {
  const options = { keyring: service.keyring, publicUrl: service.config.publicUrl, sendsSms: true, onQueued() {} };
  expect(createOutbox({ ...options, sendsEmail: false }).notices("passkey-added", { isOwn: true })).toEqual([]);
  expect(createOutbox({ ...options, sendsEmail: true }).notices("passkey-added", { isOwn: true })).toHaveLength(1);
});

test("a user without an address signs in, and nothing is sent to the placeholder", async () => {
  const email = `${users}@csv.invalid`;
  const { userId, userName } = await newUser({ email: { email } });
  const { page } = await signIn(userName);
  expect(page.text).toContain('<div class="value">No address</div>');
  expect(page.text).not.toContain(email);
  const queued = () => service.db.selectFrom("messages").select("state").where("user_id", "=", userId).execute();
  expect(await queued()).toEqual([]);
  await change("UpdateHumanEmail", { userId, email: `other-${email}` });
  expect(await queued()).toEqual([]);
  // An administrator may say that it is verified.
  await change("UpdateHumanEmail", { userId, email, isEmailVerified: true });
  await change("SendHumanResetPasswordNotification", { userId, type: "TYPE_EMAIL" });
  await service.delivery.deliverDue();
  expect(smtp.arrived.filter(({ to }) => to.endsWith(".invalid"))).toEqual([]);
  expect((await queued()).map(({ state }) => state)).not.toContain("sent");
});
