import { LIMITS } from "../../../src/limits.ts";
import { call, eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, signInAtIdp, startOtherProviders } from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const MINUTE = 60_000;

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(() => service?.close());

const linksOf = (userId: string) =>
  service.db
    .selectFrom("user_idp_links")
    .select(["idp_id", "external_user_id", "display_name"])
    .where("user_id", "=", userId)
    .execute();
const userWithName = (name: string) =>
  service.db.selectFrom("users").selectAll().where("user_name", "=", name).executeTakeFirst();

test("an unknown external user is registered immediately if the provider has autoRegister", async () => {
  const sub = newSub();
  const account = { ...PERSON, sub, preferred_username: "grace", nickname: "Amazing", locale: "en_US" };
  const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
  const { person, request, page } = await scene.open();
  const done = await signInAtIdp(person, page, idp);
  const userId = (await redeem(service, app, done.url, request)).claims()?.sub ?? "";
  const user = await userOf(service, userId);
  expect(user).toMatchObject({
    org_id: service.orgId,
    user_name: "grace",
    first_name: "Grace",
    last_name: "Hopper",
    nick_name: "Amazing",
    display_name: "Grace Hopper",
    preferred_language: "en-US",
    email: "grace@example.com",
    email_verified: true,
    initialized: true,
    state: "active",
    password_hash: null,
  });
  expect(await linksOf(userId)).toEqual([{ idp_id: idp.id, external_user_id: sub, display_name: "Grace Hopper" }]);
  expect((await eventsAfter(service, userId, 0n)).map(([type]) => type)).toEqual([
    "user.human.added",
    "user.human.idp.linked",
    "user.human.email.verified",
    "user.human.idp.check.succeeded",
    "user.human.signed.in",
  ]);
  // The second sign-in finds the link.
  const again = await scene.open();
  const second = await signInAtIdp(again.person, again.page, idp);
  expect((await redeem(service, app, second.url, again.request)).claims()?.sub).toBe(userId);
});

test("Google's claims, which contain no user name, register a user without a form", async () => {
  const email = `${newSub()}@example.com`;
  const { name, given_name, family_name, email_verified } = PERSON;
  const account = { sub: newSub(), name, given_name, family_name, email, email_verified };
  const idp = await scene.newIdp({ fields: { autoRegister: true, stylingType: "STYLING_TYPE_GOOGLE" }, account });
  const { person, page } = await scene.open();
  expect(isDone(await signInAtIdp(person, page, idp))).toBe(true);
  expect(await userWithName(email)).toMatchObject({ display_name: "Grace Hopper", email, email_verified: true });
});

test("an unknown external user is asked, signs in to the existing account, and confirms the link", async () => {
  const userName = `existing-${newSub()}`;
  const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
  const sub = newSub();
  const idp = await scene.newIdp({ account: { ...PERSON, sub, preferred_username: "ada.l" } });
  const { person, request, page } = await scene.open();
  const asked = await signInAtIdp(person, page, idp);
  expect([asked.status, asked.title]).toEqual([200, "Account not linked yet"]);
  const signIn = await person.submit(asked, { do: "to-link" });
  expect(signIn.text).toContain(`Sign in to the account that you want to link to your account at ${idp.name}.`);
  const { sequence } = await userOf(service, userId);
  const confirm = await person.submit(signIn, { username: userName, password: PASSWORD });
  expect(confirm.title).toBe(`Link your account at ${idp.name}?`);
  expect(confirm.text).toContain("<dd>Grace Hopper</dd>");
  expect(await linksOf(userId)).toEqual([]);
  const done = await person.submit(confirm, { do: "link" });
  expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId, amr: ["pwd"] });
  expect(await linksOf(userId)).toEqual([{ idp_id: idp.id, external_user_id: sub, display_name: "Grace Hopper" }]);
  expect((await eventsAfter(service, userId, sequence)).slice(1)).toEqual([
    ["user.human.idp.linked", { idpId: idp.id, externalUserId: sub, displayName: "Grace Hopper" }],
    [
      "user.human.signed.in",
      { appId: app.id, methods: ["pwd"], network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) },
    ],
  ]);
  const again = await scene.open();
  const second = await signInAtIdp(again.person, again.page, idp);
  expect((await redeem(service, app, second.url, again.request)).claims()?.sub).toBe(userId);
});

describe("registering", () => {
  const COMPLETE = { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" };

  test("a user who wants a new account checks the values of the provider", async () => {
    const email = `${newSub()}@example.com`;
    const account = { ...PERSON, sub: newSub(), preferred_username: `grace-${newSub()}`, email };
    const idp = await scene.newIdp({ account });
    const { person, request, page } = await scene.open();
    const asked = await signInAtIdp(person, page, idp);
    const form = await person.submit(asked, { do: "to-register" });
    expect(form.title).toBe("Create your account");
    for (const value of ["Grace", "Hopper", email, account.preferred_username]) {
      expect(form.text).toContain(`value="${value}"`);
    }
    const done = await person.submit(form, {
      ...COMPLETE,
      email,
      userName: account.preferred_username,
      do: "register",
    });
    const userId = (await redeem(service, app, done.url, request)).claims()?.sub ?? "";
    expect(await userOf(service, userId)).toMatchObject({ email_verified: true, first_name: "Grace" });
  });

  test("an address other than the provider's is not verified", async () => {
    const userName = `grace-${newSub()}`;
    const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
    const { person, page } = await scene.open();
    const form = await person.submit(await signInAtIdp(person, page, idp), { do: "to-register" });
    const gate = await person.submit(form, { ...COMPLETE, email: "victim@example.com", userName, do: "register" });
    expect(gate.title).toBe("Confirm your email address");
    expect(await userWithName(userName)).toMatchObject({ email: "victim@example.com", email_verified: false });
  });

  test("many accounts registered with one address send ten links to it in 24 hours", async () => {
    service.stopClock();
    const email = `victim-${newSub()}@example.com`;
    const register = async (address: string) => {
      const account = {
        ...PERSON,
        sub: newSub(),
        preferred_username: newSub(),
        email: address,
        email_verified: false,
      };
      const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
      const { person, page } = await scene.open();
      const gate = await signInAtIdp(person, page, idp);
      expect(gate.title).toBe("Confirm your email address");
      return { person, gate };
    };
    const sentTo = async (recipient: string) => {
      const query = service.db.selectFrom("messages").select("id").where("recipient", "=", recipient);
      return (await query.execute()).length;
    };
    const first = await register(email);
    // A link that is refused for another reason does not count.
    for (let times = 0; times < LIMITS.signInLinks.most; times++) await first.person.submit(first.gate, { do: "send" });
    expect(await sentTo(email)).toBe(1);
    for (let accounts = 2; accounts <= LIMITS.signInLinks.most + 2; accounts++) {
      await register(accounts % 2 === 0 ? email : email.toUpperCase());
    }
    const late = await register(email);
    const limited = await late.person.submit(late.gate, { do: "send" });
    expect([limited.status, limited.alert]).toEqual([
      429,
      "Too many links were sent to this address. Please try again tomorrow.",
    ]);
    const addresses = [email, email.toUpperCase()];
    expect((await Promise.all(addresses.map(sentTo))).reduce((sum, sent) => sum + sent)).toBe(LIMITS.signInLinks.most);
    const other = `other-${newSub()}@example.com`;
    await register(other);
    expect(await sentTo(other)).toBe(1);
    service.clockOffsetMs += 24 * 60 * MINUTE;
    const { person, gate } = await register(email);
    expect(gate.title).toBe("Confirm your email address");
    service.clockOffsetMs += MINUTE;
    await person.submit(gate, { do: "send" });
    expect((await Promise.all(addresses.map(sentTo))).reduce((sum, sent) => sum + sent)).toBe(
      LIMITS.signInLinks.most + 2,
    );
  });

  test("spellings of an address that reach the same mailbox count together", async () => {
    service.stopClock();
    const name = `bombed-${newSub()}`;
    const spell = (index: number) => {
      const dotted = `${name.slice(0, index + 1)}.${name.slice(index + 1)}`;
      return [`${name}+${index}@bücher.example`, `${dotted}@xn--bcher-kva.example`, `${name}@BÜCHER.example`][
        index % 3
      ];
    };
    const addresses = Array.from({ length: LIMITS.signInLinks.most + 5 }, (_, index) => String(spell(index)));
    for (const email of addresses) {
      const account = { ...PERSON, sub: newSub(), preferred_username: newSub(), email, email_verified: false };
      const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
      const { person, page } = await scene.open();
      expect((await signInAtIdp(person, page, idp)).title).toBe("Confirm your email address");
    }
    const sent = await service.db.selectFrom("messages").select("id").where("recipient", "in", addresses).execute();
    expect(sent).toHaveLength(LIMITS.signInLinks.most);
  });

  test("another active user's verified address is not taken over, but proved by a link", async () => {
    const email = `${newSub()}@example.com`;
    const userId = await importAda(service, { email: { email, isEmailVerified: true }, password: PASSWORD });
    const userName = `grace-${newSub()}`;
    const account = { ...PERSON, sub: newSub(), preferred_username: userName, email: email.toUpperCase() };
    const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
    const { person, page } = await scene.open();
    const asked = await signInAtIdp(person, page, idp);
    expect(asked.title).toBe("Account not linked yet");
    expect(await userWithName(userName)).toBeUndefined();
    const form = await person.submit(asked, { do: "to-register" });
    const gate = await person.submit(form, { ...COMPLETE, email: account.email, userName, do: "register" });
    expect(gate.title).toBe("Confirm your email address");
    expect(await userWithName(userName)).toMatchObject({ email: account.email, email_verified: false });
    // The owner still signs in by the address.
    const owner = await scene.open();
    const done = await owner.person.submit(owner.page, { username: email, password: PASSWORD });
    expect((await redeem(service, app, done.url, owner.request)).claims()?.sub).toBe(userId);
    // The address of a user who is not active is free.
    await call(service, "DeactivateUser", { id: userId });
    const again = { ...PERSON, sub: newSub(), preferred_username: `grace-${newSub()}`, email };
    await idp.behave({ account: again });
    const free = await scene.open();
    expect(isDone(await signInAtIdp(free.person, free.page, idp))).toBe(true);
  });

  test("a trusted provider's address is verified without its word, but not against it, and not if it is taken", async () => {
    const providerOptions = { isCreationAllowed: true, isAutoCreation: true, trustEmail: true };
    const { email_verified: _, ...person } = PERSON;
    const signIn = async (changes: object) => {
      const userName = `grace-${newSub()}`;
      const own = { sub: newSub(), preferred_username: userName, email: `${userName}@example.com` };
      const idp = await scene.newIdp({ account: { ...person, ...own, ...changes } });
      const client = { name: idp.name, issuer: idp.issuer, clientId: `signet-${idp.name}` };
      await call(service, "AdminService.UpdateGenericOIDCProvider", { id: idp.id, ...client, providerOptions });
      const opened = await scene.open();
      const page = await signInAtIdp(opened.person, opened.page, idp);
      return { page, user: await userWithName(userName) };
    };
    const trusted = await signIn({});
    expect([isDone(trusted.page), trusted.user?.email_verified]).toEqual([true, true]);
    const denied = await signIn({ email_verified: false });
    expect([denied.page.title, denied.user?.email_verified]).toEqual(["Confirm your email address", false]);
    const taken = await signIn({ email: trusted.user?.email });
    expect([taken.page.title, taken.user]).toEqual(["Account not linked yet", undefined]);
  });

  test("an address that is another user's name is not taken over either", async () => {
    const email = `${newSub()}@example.com`;
    await importAda(service, { userName: email });
    const account = { ...PERSON, sub: newSub(), preferred_username: `grace-${newSub()}`, email };
    const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).title).toBe("Account not linked yet");
  });

  test("another user's verified address is a taken user name, and taken names are limited", async () => {
    const email = `${newSub()}@example.com`;
    await importAda(service, { email: { email, isEmailVerified: true } });
    const idp = await scene.newIdp({
      fields: { autoRegister: true },
      account: { ...PERSON, sub: newSub(), preferred_username: undefined, email },
    });
    const { person, page } = await scene.open();
    let form = await person.submit(await signInAtIdp(person, page, idp), { do: "to-register" });
    for (let count = 0; count <= LIMITS.wrongCodes.most; count++) {
      form = await person.submit(form, { ...COMPLETE, userName: email.toUpperCase(), do: "register" });
      if (form.status !== 422) break;
      expect(form.alert).toBe("This user name is taken. Please choose another one.");
    }
    expect([form.status, form.title]).toEqual([429, "Too many attempts"]);
    expect(await userWithName(email.toUpperCase())).toBeUndefined();
  });

  test("a user name that is entered is an address only if the provider has verified it, and no number", async () => {
    const sub = newSub();
    const [claim, email, other] = [`${sub}@corp.example`, `${sub}@example.com`, `other-${sub}@example.com`];
    const idp = await scene.newIdp({ account: { ...PERSON, sub, preferred_username: claim, email } });
    const { person, page } = await scene.open();
    const form = await person.submit(await signInAtIdp(person, page, idp), { do: "to-register" });
    for (const userName of [other, other.toUpperCase(), claim, "+41791112299"]) {
      // The address that the user enters is not verified.
      const refused = await person.submit(form, { ...COMPLETE, email: other, userName, do: "register" });
      expect([refused.status, refused.alert]).toEqual([
        422,
        "A user name with an @ or a phone number must be your own, confirmed address or number.",
      ]);
      expect(refused.text).toContain('id="userName-error"');
      expect(await userWithName(userName)).toBeUndefined();
    }
    expect(form.text).toContain(`value="${email}" autocomplete="username"`);
    expect(isDone(await person.submit(form, { ...COMPLETE, email, userName: email, do: "register" }))).toBe(true);
    expect(await userWithName(email)).toMatchObject({ email, email_verified: true });
  });

  test("a taken user name shows the form again, and another name completes it", async () => {
    const taken = `taken-${newSub()}`;
    await importAda(service, { userName: taken, ...VERIFIED });
    const idp = await scene.newIdp({
      fields: { autoRegister: true },
      account: { ...PERSON, sub: newSub(), preferred_username: taken.toUpperCase(), email: `${taken}@example.com` },
    });
    const { person, page } = await scene.open();
    let form = await signInAtIdp(person, page, idp);
    for (const userName of [taken, taken.toUpperCase()]) {
      expect([form.status, form.alert]).toEqual([422, "This user name is taken. Please choose another one."]);
      form = await person.submit(form, { ...COMPLETE, email: `${taken}@example.com`, userName, do: "register" });
    }
    const other = { ...COMPLETE, email: `${taken}@example.com`, userName: `${taken}-2` };
    expect(isDone(await person.submit(form, { ...other, do: "register" }))).toBe(true);
  });

  test.each([
    ["no name", { given_name: undefined, family_name: undefined }],
    ["no address", { email: undefined, email_verified: undefined }],
    ["no user name", { preferred_username: undefined, email_verified: false }],
    ["an address that is none", { email: "grace" }],
  ])("a user with %s gets the form, although the provider has autoRegister", async (_, changes) => {
    const userName = `grace-${newSub()}`;
    const email = `${userName}@example.com`;
    const account = { ...PERSON, sub: newSub(), preferred_username: userName, email, ...changes };
    const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
    const { person, page } = await scene.open();
    const form = await signInAtIdp(person, page, idp);
    expect([form.status, form.title, form.alert]).toEqual([200, "Create your account", ""]);
    const refused = await person.submit(form, { ...COMPLETE, userName, lastName: " ", do: "register" });
    expect([refused.status, refused.alert]).toEqual([422, "This value is missing or invalid."]);
    const done = await person.submit(refused, { ...COMPLETE, userName, email, do: "register" });
    const isVerified = !("email" in changes || "email_verified" in changes);
    expect(isDone(done)).toBe(isVerified);
    expect(await userWithName(userName)).toMatchObject({ email_verified: isVerified });
  });

  test.each([
    ["the address, which is verified", true, "grace@example.org"],
    ["the user name, because the address is not verified", false, "grace-mapped"],
  ])("the mapping OIDC_MAPPING_FIELD_EMAIL uses %s", async (_, email_verified, expected) => {
    const fields = {
      autoRegister: true,
      usernameMapping: "OIDC_MAPPING_FIELD_EMAIL",
      displayNameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    };
    const email = "grace@example.org";
    const account = { ...PERSON, sub: newSub(), preferred_username: "grace-mapped", email, email_verified };
    const idp = await scene.newIdp({ fields, account });
    const { person, page } = await scene.open();
    await signInAtIdp(person, page, idp);
    const user = await userWithName(expected);
    expect(user).toMatchObject({ display_name: expected, email_verified });
    expect(await linksOf(user?.id ?? "")).toMatchObject([{ display_name: expected }]);
  });

  test("of the same external user in two tabs creates one user", async () => {
    const userName = `grace-${newSub()}`;
    const email = `${userName}@example.com`;
    const account = { ...PERSON, sub: newSub(), preferred_username: userName, email };
    const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
    const tabs = await Promise.all([scene.open(), scene.open()]);
    const pages = await Promise.all(tabs.map(({ person, page }) => signInAtIdp(person, page, idp)));
    expect(pages.filter(isDone).length).toBeGreaterThan(0);
    const users = await service.db.selectFrom("users").select("id").where("user_name", "=", userName).execute();
    expect(users).toHaveLength(1);
  });

  test("a form of one sign-in is rejected in another one, or after 15 minutes", async () => {
    const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
    const { person, page } = await scene.open();
    const asked = await signInAtIdp(person, page, idp);
    const external = /name="external" value="([^"]*)"/.exec(asked.text)?.[1] ?? "";
    const { page: other } = await scene.open({ person });
    const token = /name="token" value="([^"]*)"/.exec(other.text)?.[1] ?? "";
    const path = `${other.url.pathname}/external`;
    const stale = await person.post(path, { token, external, do: "to-register" });
    expect(stale.text).toContain("open for too long");
    service.clockOffsetMs += 15 * MINUTE;
    expect((await person.submit(asked, { do: "to-register" })).alert).toContain("open for too long");
  });
});

describe("linking", () => {
  /** A user with a password, at the page that asks to confirm the link. */
  async function reachConfirmation(fields: object = {}) {
    const userName = `linking-${newSub()}`;
    const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD, ...fields });
    const sub = newSub();
    const idp = await scene.newIdp({ account: { ...PERSON, sub } });
    const { person, page } = await scene.open();
    const signIn = await person.submit(await signInAtIdp(person, page, idp), { do: "to-link" });
    const next = await person.submit(signIn, { username: userName, password: PASSWORD });
    return { userId, userName, sub, idp, person, next };
  }

  test("a user can continue without a passkey", async () => {
    const { userId, person, next } = await reachConfirmation();
    expect(isDone(await person.submit(next, { do: "skip" }))).toBe(true);
    expect(await linksOf(userId)).toEqual([]);
  });

  test("the gates come before the confirmation", async () => {
    const { userId, person, next } = await reachConfirmation({ passwordChangeRequired: true });
    expect(next.title).toBe("Choose a new password");
    const password = "difference engine no. 2";
    const confirm = await person.submit(next, { password, repeat: password });
    expect(confirm.title).toMatch(/^Link your account/);
    expect(isDone(await person.submit(confirm, { do: "link" }))).toBe(true);
    expect(await linksOf(userId)).toHaveLength(1);
  });

  test("the confirmation is rejected once the password has changed", async () => {
    const { userId, person, next } = await reachConfirmation();
    await call(service, "SetHumanPassword", { userId, password: "difference engine no. 3" });
    expect((await person.submit(next, { do: "link" })).title).toBe("This sign-in has ended");
    expect(await linksOf(userId)).toEqual([]);
  });

  test("an external user that was linked to another account in the meantime is not linked again", async () => {
    const { userId, sub, idp, person, next } = await reachConfirmation();
    await importAda(service, { idps: [{ configId: idp.id, externalUserId: sub, displayName: "x" }], ...VERIFIED });
    const refused = await person.submit(next, { do: "link" });
    expect([refused.status, refused.alert]).toEqual([
      422,
      "The accounts could not be linked. Please try again, or continue without linking.",
    ]);
    expect(await linksOf(userId)).toEqual([]);
    expect(isDone(await person.submit(refused, { do: "skip" }))).toBe(true);
  });
});

test("external users are identified by their ids, case-sensitively", async () => {
  const { idp, sub } = await scene.newLinkedUser();
  await idp.behave({ account: { ...PERSON, sub: sub.toUpperCase() } });
  const { person, page } = await scene.open();
  expect((await signInAtIdp(person, page, idp)).title).toBe("Account not linked yet");
});

test("the pages are in the language that the application requests", async () => {
  const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
  const { person, page } = await scene.open({ parameters: { ui_locales: "de" } });
  expect(page.text).toContain(`Mit ${idp.name} anmelden`);
  const asked = await signInAtIdp(person, page, idp);
  expect(asked.title).toBe("Konto noch nicht verknüpft");
  expect((await person.submit(asked, { do: "to-register" })).title).toBe("Erstellen Sie Ihr Konto");
});
