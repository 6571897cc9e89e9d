import type { JsonObject } from "@bufbuild/protobuf";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, signInAtIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const TITLE = "Protect your account";
const CONFIRM = "Confirm with your passkey";
const DAY_MS = 86_400_000;
const ALL = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
  mfaInitSkipLifetime: "0s",
};

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
let names = 0;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
beforeEach(async () => {
  await setPolicy({ forceMfa: true });
});
afterAll(() => service?.close());

const setPolicy = (changes: JsonObject) => call(service, "UpdateLoginPolicy", { ...ALL, ...changes });

async function newUser(fields: object = {}) {
  const userName = `user-${++names}`;
  return { userName, userId: await importAda(service, { userName, password: PASSWORD, ...VERIFIED, ...fields }) };
}

async function enter(username: string, person: Person = createPerson(service)) {
  const request = createRequest(app, { prompt: "login" });
  const page = await person.submit(await person.open(request.url), { username, password: PASSWORD });
  return { person, page, request };
}

/** The code that an authenticator app shows after it has scanned the page. */
function codeOf({ text }: Page): string {
  const secret = parseTotpSecret(/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? "");
  if (secret === undefined) throw new Error("the page has no secret");
  return codeOfStep(secret, stepAt(secret, service.clock()));
}

test("a user without a second factor sets up one-time codes, saves the recovery codes, and is signed in", async () => {
  const { userName, userId } = await newUser();
  const { person, page, request } = await enter(userName);
  expect([page.status, page.title]).toEqual([200, TITLE]);
  expect(page.text).not.toContain('value="later"');
  const scan = await person.submit(page, { do: "app" });
  expect(scan.title).toBe("Set up one-time codes");
  const wrong = await person.submit(scan, { do: "code", code: "000000" });
  expect([wrong.status, wrong.title]).toEqual([422, "Set up one-time codes"]);
  const saved = await person.submit(wrong, { do: "code", code: codeOf(wrong) });
  expect(saved.title).toBe("Save your recovery codes");
  expect(saved.text.match(/<li><code>/g)).toHaveLength(10);
  const done = await person.submit(saved, {});
  const claims = (await redeem(service, app, done.url, request)).claims();
  expect(claims).toMatchObject({ sub: userId, amr: ["pwd", "otp", "mfa"] });
  expect((await userOf(service, userId)).otp_code).not.toBeNull();
  expect((await enter(userName)).page.title).toBe("Enter your one-time code");
});

test("a forced second factor leads back: from the setup to the choice, and from there to the first page", async () => {
  const { userName } = await newUser();
  const { person, page } = await enter(userName);
  const scan = await person.submit(page, { do: "app" });
  const choice = await person.submit(scan, { do: "back" });
  expect(scan.text).toContain('value="back" formnovalidate');
  expect(choice.title).toBe(TITLE);
  const [, path = ""] = /<p class="cancel"><a href="([^"]+)">Back to sign-in/.exec(choice.text) ?? [];
  const first = await person.open(new URL(path.replaceAll("&amp;", "&"), choice.url).href);
  expect([first.status, first.title]).toEqual([200, expect.stringMatching(/^Sign in/)]);
});

test("a user of whom a second factor is required sets it up, whatever the policy says, and is free of it then", async () => {
  await setPolicy({ forceMfa: true, forceMfaFrom: new Date(service.clock().getTime() + DAY_MS).toISOString() });
  const { userName, userId } = await newUser({ secondFactorRequired: true });
  const { person, page, request } = await enter(userName);
  expect(page.title).toBe(TITLE);
  expect(page.text).not.toContain('value="later"');
  expect((await person.submit(page, { do: "later" })).title).toBe(TITLE);
  const scan = await person.submit(page, { do: "app" });
  const saved = await person.submit(scan, { do: "code", code: codeOf(scan) });
  const done = await person.submit(saved, {});
  expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId });
  expect((await userOf(service, userId)).second_factor_required).toBe(false);
  await setPolicy({});
  expect((await enter(userName)).page.title).toBe("Enter your one-time code");
  await call(service, "RemoveHumanAuthFactorOTP", { userId });
  expect(isDone((await enter(userName)).page)).toBe(true);
});

test("a user of whom a second factor is required is asked for the passkey in each sign-in with a password", async () => {
  await setPolicy({});
  const { userName, userId } = await newUser({ secondFactorRequired: true });
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  for (let count = 0; count < 2; count++) {
    const { person, page } = await enter(userName);
    expect(page.title).toBe(CONFIRM);
    const response = authenticator.get(requestOptionsOf(page).challenge, { userHandle: toUserHandle(userId) });
    expect(isDone(await submitPasskey(person, page, response))).toBe(true);
  }
});

test("whatever a form says, a sign-in does not continue without the second factor", async () => {
  const { userName } = await newUser();
  const { person, page } = await enter(userName);
  for (const answer of ["later", "code", "continue", ""]) {
    expect((await person.submit(page, { do: answer })).title).toBe(TITLE);
  }
  const toOffer = { ...page, text: page.text.replace("/second-factor", "/add-passkey") };
  for (const answer of ["later", ""]) expect((await person.submit(toOffer, { do: answer })).title).toBe(TITLE);
  const scan = await person.submit(page, { do: "app" });
  const other = await enter((await newUser()).userName);
  const foreign = { ...scan, text: scan.text.replace(/name="secret" value="[^"]*"/, 'name="secret" value="x"') };
  expect((await person.submit(foreign, { do: "code", code: codeOf(scan) })).title).toBe(TITLE);
  expect(other.page.title).toBe(TITLE);
});

test("a user with a passkey has to use it, and cannot set up one-time codes instead", async () => {
  const { userName, userId } = await newUser();
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  const { person, page, request } = await enter(userName);
  expect(page.title).toBe(CONFIRM);
  expect(requestOptionsOf(page).allowCredentials).toHaveLength(1);
  for (const answer of ["app", "passkey", "later", "code"]) {
    expect((await person.submit(page, { do: answer })).title).toBe(CONFIRM);
  }
  const stranger = createAuthenticator(siteOf(service));
  const { userId: other } = await newUser();
  await storePasskey(service, other, stranger, {});
  const foreign = stranger.get(requestOptionsOf(page).challenge, { userHandle: toUserHandle(other) });
  const refused = await submitPasskey(person, page, foreign);
  expect([refused.status, refused.title]).toEqual([422, CONFIRM]);
  const response = authenticator.get(requestOptionsOf(refused).challenge, { userHandle: toUserHandle(userId) });
  const done = await submitPasskey(person, refused, response);
  const claims = (await redeem(service, app, done.url, request)).claims();
  expect(claims).toMatchObject({ sub: userId, amr: ["pwd", "hwk", "user", "mfa"] });
});

test("a passkey that is added in the sign-in has to be used once", async () => {
  const { userName, userId } = await newUser();
  const { person, page } = await enter(userName);
  const add = await person.submit(page, { do: "passkey" });
  expect(add.title).toBe("Set up a passkey");
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  const next = await person.submit({ ...add, text: add.text.slice(add.text.indexOf('id="continue"') - 6) }, {});
  expect(next.title).toBe(CONFIRM);
  const response = authenticator.get(requestOptionsOf(next).challenge, { userHandle: toUserHandle(userId) });
  expect(isDone(await submitPasskey(person, next, response))).toBe(true);
});

test("until the date, users are asked in each sign-in, and can postpone it", async () => {
  const { userName } = await newUser();
  const from = new Date(service.clock().getTime() + 3 * DAY_MS);
  await setPolicy({ forceMfa: true, forceMfaFrom: from.toISOString() });
  for (let count = 0; count < 2; count++) {
    const { person, page } = await enter(userName);
    expect(page.title).toBe(TITLE);
    expect(page.text).toContain(from.toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" }));
    expect(isDone(await person.submit(page, { do: "later" }))).toBe(true);
  }
  service.clockOffsetMs += 3 * DAY_MS;
  const { person, page } = await enter(userName);
  expect(page.text).not.toContain('value="later"');
  expect((await person.submit(page, { do: "later" })).title).toBe(TITLE);
});

test("a sign-in with an identity provider needs a second factor too, unless it is for local users only", async () => {
  const { idp } = await scene.newLinkedUser();
  const forced = await scene.open();
  expect((await signInAtIdp(forced.person, forced.page, idp)).title).toBe(TITLE);
  await setPolicy({ forceMfa: true, forceMfaLocalOnly: true });
  const free = await scene.open();
  expect(isDone(await signInAtIdp(free.person, free.page, idp))).toBe(true);
  await setPolicy({ forceMfaLocalOnly: true });
  const { userName } = await newUser();
  expect((await enter(userName)).page.title).toBe(TITLE);
});
