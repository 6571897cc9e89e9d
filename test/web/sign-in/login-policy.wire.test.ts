import type { JsonObject } from "@bufbuild/protobuf";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, importAda, lastReceived, received, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const MINUTE_MS = 60_000;
const ALL = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: "PASSWORDLESS_TYPE_ALLOWED",
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
  service = await startService("postgres", { ...VISITED, PASSKEY_OFFER: "once" });
  service.stopClock();
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
beforeEach(async () => {
  await service.db.deleteFrom("login_policies").execute();
});
afterAll(() => service?.close());

const setPolicy = (changes: JsonObject) => call(service, "UpdateLoginPolicy", { ...ALL, ...changes });

async function newUser(fields: object = {}) {
  const userName = `user-${++names}`;
  return { userName, userId: await importAda(service, { userName, password: PASSWORD, ...VERIFIED, ...fields }) };
}

const open = async (person: Person = createPerson(service), parameters: Record<string, string> = {}) => ({
  person,
  page: await person.open(createRequest(app, parameters).url),
});

async function enter(username: string, opened?: Page, person = createPerson(service)) {
  const page = opened ?? (await open(person)).page;
  return { person, page: await person.submit(page, { username, password: PASSWORD }) };
}

test("without passwords, the page has no field for them, and a password is not verified", async () => {
  const { userName } = await newUser();
  const before = await open();
  await setPolicy({ allowUsernamePassword: false });
  const { page } = await open();
  expect(page.text).not.toMatch(/name="password"|name="username"|forgotten/);
  const refused = await enter(userName, before.page, before.person);
  expect([refused.page.status, isDone(refused.page)]).toEqual([200, false]);
  expect(refused.page.text).not.toContain('name="password"');
});

test("an organization's own policy replaces that of the instance", async () => {
  const { userName } = await newUser();
  await setPolicy({ allowUsernamePassword: false });
  await call(service, "AddCustomLoginPolicy", ALL);
  expect((await enter(userName)).page.title).toBe("Sign in faster next time?");
  await call(service, "ResetLoginPolicyToDefault", {});
  expect((await open()).page.text).not.toContain('name="password"');
});

test("a sign-in that has begun with a password ends if passwords are no longer allowed", async () => {
  const { userName } = await newUser({ email: { email: "ada@example.com" } });
  const gate = await enter(userName);
  expect(gate.page.title).toBe("Confirm your email address");
  await setPolicy({ allowUsernamePassword: false });
  const next = await gate.person.submit(gate.page, { do: "send" });
  expect([next.status, next.alert]).toEqual([422, expect.stringMatching(/./)]);
});

test.each([{ hidePasswordReset: true }, { allowUsernamePassword: false }])(
  "with %j, no password can be reset on the pages",
  async (changes) => {
    const { userName, userId } = await newUser();
    const { person, page } = await open();
    const link = /formaction="([^"]*forgotten[^"]*)"/.exec(page.text)?.[1] ?? "";
    const forgotten = await person.open(link.replaceAll("&amp;", "&"));
    await setPolicy(changes);
    expect((await open()).page.text).not.toContain("forgotten");
    expect((await person.open(forgotten.url)).title).toMatch(/^Sign in to /);
    expect((await person.submit(forgotten, { username: userName })).title).toMatch(/^Sign in to /);
    expect(await received(service, userId, "password")).toEqual([]);
  },
);

test("without identity providers, none is offered, and neither their buttons nor their responses work", async () => {
  const { idp } = await scene.newLinkedUser();
  const chosen = await scene.open();
  const begun = await scene.open();
  const callback = await passProvider(await chooseIdp(begun.person, begun.page, idp));
  await setPolicy({ allowExternalIdp: false });
  expect((await scene.open()).page.text).not.toContain('name="idp"');
  for (const refused of [await chooseIdp(chosen.person, chosen.page, idp), await begun.person.open(callback)]) {
    expect([refused.status, refused.alert]).toEqual([422, "This service can no longer be used to sign in."]);
  }
});

test("without passkeys, the page does not ask for them, and none is accepted or offered", async () => {
  const { userName, userId } = await newUser();
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, {});
  const { person, page } = await open();
  await setPolicy({ passwordlessType: "PASSWORDLESS_TYPE_NOT_ALLOWED" });
  const response = authenticator.get(requestOptionsOf(page).challenge, { userHandle: toUserHandle(userId) });
  const refused = await submitPasskey(person, page, response);
  expect([refused.status, isDone(refused)]).toEqual([422, false]);
  const fresh = await open();
  expect(fresh.page.text).not.toMatch(/id="passkey"|webauthn|passkey-sign-in/);
  expect(isDone((await enter(userName)).page)).toBe(true);
  const { userName: other } = await newUser();
  expect(isDone((await enter(other)).page)).toBe(true);
});

test("mfaInitSkipLifetime decides when a user who has declined a passkey is asked again", async () => {
  const { userName } = await newUser();
  await setPolicy({ mfaInitSkipLifetime: "600s" });
  const { person, page } = await enter(userName);
  expect(page.title).toBe("Sign in faster next time?");
  expect(isDone(await person.submit(page, { do: "later" }))).toBe(true);
  expect(isDone((await enter(userName)).page)).toBe(true);
  service.clockOffsetMs += 10 * MINUTE_MS;
  expect((await enter(userName)).page.title).toBe("Sign in faster next time?");
  await setPolicy({ mfaInitSkipLifetime: "0s" });
  expect(isDone((await enter(userName)).page)).toBe(true);
});

test("addresses and numbers identify users unless the policy excludes them", async () => {
  const email = `user-${++names}@example.com`;
  await newUser({ email: { email, isEmailVerified: true }, phone: { phone: "+41791234599", isPhoneVerified: true } });
  await setPolicy({ mfaInitSkipLifetime: "0s" });
  for (const entered of [email, "+41791234599"]) expect(isDone((await enter(entered)).page)).toBe(true);
  await setPolicy({ disableLoginWithEmail: true });
  expect((await enter(email)).page.status).toBe(422);
  expect(isDone((await enter("+41791234599")).page)).toBe(false);
});

const nextOf = (person: Person, org = service.orgId) => person.browser.open(`/ui/next?org=${org}`);
const REDIRECT_URI = "https://app.example.com/start?from=signet&a=1";

test("a browser without a step in the organization sees the host of the default redirect URI first", async () => {
  const person = createPerson(service);
  expect((await nextOf(person)).location).toBe(`/ui/account?org=${service.orgId}`);
  await setPolicy({ defaultRedirectUri: REDIRECT_URI });
  const page = await nextOf(person);
  expect([page.status, page.location]).toEqual([200, ""]);
  expect(page.text).toContain("Continue to app.example.com?</h1>");
  expect(page.text).toContain(`href="${REDIRECT_URI.replace("&", "&amp;")}">Continue</a>`);
  await setPolicy({ defaultRedirectUri: "com.example.app://signet.example.com/cb" });
  expect((await nextOf(person)).text).toContain("Continue to com.example.app?</h1>");
  for (const org of ["", "https://evil.example", "x".repeat(5_000)]) {
    expect((await nextOf(person, org)).location).toBe("/ui/account");
  }
  const otherOrg = await service.createOrg("Other");
  await enter((await newUser()).userName, undefined, person);
  expect((await nextOf(person, otherOrg)).status).toBe(200);
});

test.each<[string, (person: Person) => Promise<unknown>]>([
  ["a sign-in", async (person) => enter((await newUser()).userName, undefined, person)],
  ["an invitation", (person) => followLink(person, "initialization", {}, { password: PASSWORD, repeat: PASSWORD })],
  ["a confirmed address", (person) => followLink(person, "initialization", { password: PASSWORD }, {})],
  ["a confirmed number", (person) => followLink(person, "phone", { phone: { phone: "+41791234577" } }, {})],
  [
    "a new password",
    async (person) => {
      const { userId, userName } = await newUser();
      await call(service, "SendHumanResetPasswordNotification", { userId });
      const { path } = await lastReceived(service, userId, "password");
      await person.submit(await person.open(path), { password: `new ${PASSWORD}`, repeat: `new ${PASSWORD}` });
      return userName;
    },
  ],
])("after %s, it is redirected to the default redirect URI for 15 minutes", async (_, complete) => {
  await setPolicy({ mfaInitSkipLifetime: "0s", defaultRedirectUri: REDIRECT_URI });
  const person = createPerson(service);
  await complete(person);
  expect((await nextOf(person)).location).toBe(REDIRECT_URI);
  service.clockOffsetMs += 15 * MINUTE_MS;
  expect((await nextOf(person)).status).toBe(200);
});

/** Opens the link of a message to a new user, and submits its form. */
async function followLink(
  person: Person,
  kind: "initialization" | "phone",
  user: object,
  form: Record<string, string>,
) {
  const userId = await importAda(service, user);
  const { path, digits } = await lastReceived(service, userId, kind);
  const page = await person.open(path);
  await person.submit(page, kind === "phone" ? { digits } : form);
}

test("a session lasts as long as the policy allows for the methods of its sign-in", async () => {
  await setPolicy({ mfaInitSkipLifetime: "0s", passwordCheckLifetime: "3600s", externalLoginCheckLifetime: "300s" });
  const { userName } = await newUser();
  const { person } = await enter(userName);
  const isSignedIn = async () => isDone((await open(person)).page);
  service.clockOffsetMs += 59 * MINUTE_MS;
  expect(await isSignedIn()).toBe(true);
  service.clockOffsetMs += 2 * MINUTE_MS;
  expect(await isSignedIn()).toBe(false);

  const { idp } = await scene.newLinkedUser();
  const federated = await scene.open();
  await signInAtIdp(federated.person, federated.page, idp);
  expect(isDone((await open(federated.person)).page)).toBe(true);
  service.clockOffsetMs += 6 * MINUTE_MS;
  expect(isDone((await open(federated.person)).page)).toBe(false);
});
