import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ENDED_IDP_ATTEMPTS } from "../../../src/sign-in/ended-idp-attempts.ts";
import { DATABASE_KINDS } from "../../support/database.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  signInAtIdp,
  startOtherProviders,
} from "../../support/other-provider.ts";
import { createPerson } from "../../support/person.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/relying-party.ts";
import { startService, type TestService } from "../../support/service.ts";
import { call, eventsAfter, importAda, lastReceived, userOf, VISITED } from "../../support/visitor.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON, VERIFIED } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const MINUTE = 60_000;

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let app: RelyingParty;
  let scene: IdpScene;
  beforeAll(async () => {
    service = await startService(kind, VISITED);
    service.secret(PASSWORD);
    app = await createRelyingParty(service);
    scene = createIdpScene(service, app, providers);
  });
  afterAll(() => service?.close());

  const attempts = () => service.db.selectFrom("idp_attempts").selectAll().execute();
  const linksOf = (userId: string) =>
    service.db
      .selectFrom("user_idp_links")
      .select(["idp_id", "external_user_id", "display_name"])
      .where("user_id", "=", userId)
      .execute();
  const userWithName = (name: string) =>
    service.db.selectFrom("users").selectAll().where("user_name", "=", name).executeTakeFirst();

  test("an imported user with a link signs in at the provider, and the application gets an ID token", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    const { sequence } = await userOf(service, userId);
    const { person, request, page } = await scene.open();
    expect(page.text).toContain(`>Sign in with ${idp.name}</button>`);
    const done = await signInAtIdp(person, page, idp);
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims).toMatchObject({ sub: userId, amr: ["fed"] });
    expect(await eventsAfter(service, userId, sequence)).toEqual([
      ["user.human.idp.check.succeeded", { idpId: idp.id }],
      ["user.human.signed.in", { appId: app.id, methods: ["fed"], idpId: idp.id }],
    ]);
    expect(await attempts()).toEqual([]);
  });

  test("an unknown person is registered at once if the provider has autoRegister", async () => {
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
      display_name: "grace",
      preferred_language: "en-US",
      email: "grace@example.com",
      email_verified: true,
      initialized: true,
      state: "active",
      password_hash: null,
    });
    expect(await linksOf(userId)).toEqual([{ idp_id: idp.id, external_user_id: sub, display_name: "grace" }]);
    expect((await eventsAfter(service, userId, 0n)).map(([type]) => type)).toEqual([
      "user.human.added",
      "user.human.idp.linked",
      "user.human.email.verified",
      "user.human.idp.check.succeeded",
      "user.human.signed.in",
    ]);
    // The second time, the link is found.
    const again = await scene.open();
    const second = await signInAtIdp(again.person, again.page, idp);
    expect((await redeem(service, app, second.url, again.request)).claims()?.sub).toBe(userId);
  });

  test("an unknown person is asked, signs in to the existing account, and confirms the link", async () => {
    const userName = `existing-${newSub()}`;
    const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    const sub = newSub();
    const idp = await scene.newIdp({ account: { ...PERSON, sub, preferred_username: "ada.l" } });
    const { person, request, page } = await scene.open();
    const asked = await signInAtIdp(person, page, idp);
    expect([asked.status, asked.title]).toEqual([200, "No account yet"]);
    const signIn = await person.submit(asked, { do: "to-link" });
    expect(signIn.text).toContain(`Sign in to the account that your account at ${idp.name} shall belong to.`);
    const { sequence } = await userOf(service, userId);
    const confirm = await person.submit(signIn, { username: userName, password: PASSWORD });
    expect(confirm.title).toBe(`Link your account at ${idp.name}?`);
    expect(confirm.text).toContain("<dd>ada.l</dd>");
    expect(await linksOf(userId)).toEqual([]);
    const done = await person.submit(confirm, { do: "link" });
    expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId, amr: ["pwd"] });
    expect(await linksOf(userId)).toEqual([{ idp_id: idp.id, external_user_id: sub, display_name: "ada.l" }]);
    expect((await eventsAfter(service, userId, sequence)).slice(1)).toEqual([
      ["user.human.idp.linked", { idpId: idp.id, externalUserId: sub, displayName: "ada.l" }],
      ["user.human.signed.in", { appId: app.id, methods: ["pwd"] }],
    ]);
    const again = await scene.open();
    const second = await signInAtIdp(again.person, again.page, idp);
    expect((await redeem(service, app, second.url, again.request)).claims()?.sub).toBe(userId);
  });

  if (kind === "embedded") return;

  describe("the buttons", () => {
    test("are those of the active providers of the instance and of the organization, by name", async () => {
      const other = await service.createOrg("Others");
      const ofOrg = await scene.newIdp({ orgId: service.orgId, fields: { name: "B & <Sons>" } });
      const ofInstance = await scene.newIdp({ fields: { name: "a company" } });
      const ofOther = await scene.newIdp({ orgId: other, fields: { name: "Elsewhere" } });
      const inactive = await scene.newIdp({ orgId: service.orgId, fields: { name: "Switched off" } });
      await call(service, "DeactivateOrgIDP", { idpId: inactive.id });
      const { page } = await scene.open();
      const buttons = [...page.text.matchAll(/name="idp" value="([^"]*)"[^>]*>([^<]*)</g)].map(([, id, text]) => [
        id,
        text,
      ]);
      expect(buttons).toContainEqual([ofOrg.id, "Sign in with B &amp; &lt;Sons&gt;"]);
      expect(buttons).not.toContainEqual([ofOther.id, expect.anything()]);
      expect(buttons).not.toContainEqual([inactive.id, expect.anything()]);
      const order = buttons.map(([id]) => id).filter((id) => id === ofOrg.id || id === ofInstance.id);
      expect(order).toEqual([ofInstance.id, ofOrg.id]);
      // Buttons are no secret, but providers of others must not be usable.
      const { person, page: fresh } = await scene.open();
      for (const { id } of [ofOther, inactive]) {
        const refused = await chooseIdp(person, { ...fresh, text: fresh.text.replaceAll(ofOrg.id, id) }, { id });
        expect([refused.status, refused.alert]).toEqual([422, "This service can no longer be used to sign in."]);
      }
    });

    test("of Google follow its branding guidelines", async () => {
      await scene.newIdp({ fields: { name: "Workspace", stylingType: "STYLING_TYPE_GOOGLE" } });
      const { page } = await scene.open();
      expect(page.text).toMatch(
        /<button class="google" [^>]*><svg .*?<\/svg><span>Sign in with Google<\/span><\/button>/,
      );
    });

    test("cost one query of an organization in five seconds", async () => {
      const { person } = await scene.open();
      const before = await scene.newIdp();
      const request = createRequest(app);
      expect((await person.open(request.url)).text).not.toContain(before.id);
      service.clockOffsetMs += 5_000;
      expect((await person.open(createRequest(app).url)).text).toContain(before.id);
    });
  });

  describe("the request to the provider", () => {
    test("has code, PKCE, state and nonce, and the default scopes", async () => {
      const idp = await scene.newIdp();
      const { person, page } = await scene.open();
      const { url } = await chooseIdp(person, page, idp);
      expect(`${url.origin}${url.pathname}`).toBe(`${idp.issuer}/auth`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: `signet-${new URL(idp.issuer).pathname.slice(1)}`,
        response_type: "code",
        redirect_uri: `${service.config.publicUrl}/ui/idps/${idp.id}/callback`,
        scope: "openid profile email",
        state: expect.stringMatching(/^[\w-]{12}\.[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256",
      });
      // Neither the database nor the log has a value that the browser or the provider presents.
      for (const name of ["state", "nonce", "code_challenge"]) service.secret(url.searchParams.get(name) ?? "");
      for (const [name, value] of person.browser.jar()) {
        if (name.startsWith("signet-idp-")) service.secret(value.split(".")[0] ?? "");
      }
      expect(await attempts()).toHaveLength(1);
    });

    test("has the configured scopes, and openid always", async () => {
      const idp = await scene.newIdp({ fields: { scopes: ["email", "groups"] } });
      const { person, page } = await scene.open();
      const { url } = await chooseIdp(person, page, idp);
      expect(url.searchParams.get("scope")).toBe("openid email groups");
    });

    test.each(["client_secret_basic", "client_secret_post"])("authenticates with %s", async (method) => {
      const { idp, userId } = await scene.newLinkedUser();
      await idp.behave({
        clients: [
          {
            client_id: `signet-${idp.name}`,
            client_secret: `client-secret-of-${idp.name}`,
            redirect_uris: [`${service.config.publicUrl}/ui/idps/${idp.id}/callback`],
            token_endpoint_auth_method: method,
          } as never,
        ],
        metadata: { token_endpoint_auth_methods_supported: [method] },
      });
      const { person, request, page } = await scene.open();
      const done = await signInAtIdp(person, page, idp);
      expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
    });
  });

  test("“keep me signed in” applies to a sign-in with a provider", async () => {
    const { idp } = await scene.newLinkedUser();
    const lifetimes = [];
    for (const fields of [{}, { remember: "yes" }]) {
      const { person, page } = await scene.open();
      expect(isDone(await signInAtIdp(person, page, idp, fields))).toBe(true);
      const session = await service.db
        .selectFrom("oidc_artifacts")
        .select("payload")
        .where("kind", "=", "Session")
        .orderBy("created_at", "desc")
        .executeTakeFirstOrThrow();
      lifetimes.push((session.payload as { transient?: boolean }).transient ?? false);
    }
    expect(lifetimes).toEqual([true, false]);
  });

  describe("an attempt", () => {
    test("works once", async () => {
      const { idp } = await scene.newLinkedUser();
      const { person, page } = await scene.open();
      const callback = await passProvider(await chooseIdp(person, page, idp));
      expect(isDone(await person.open(callback))).toBe(true);
      const again = await person.open(callback);
      expect([again.status, again.title]).toEqual([410, "This sign-in has ended"]);
    });

    test("belongs to the browser that has begun it", async () => {
      const { idp, userId } = await scene.newLinkedUser();
      const { person, page } = await scene.open();
      const callback = await passProvider(await chooseIdp(person, page, idp));
      const { sequence } = await userOf(service, userId);
      const victim = createPerson(service);
      const { page: own } = await scene.open({ person: victim });
      const ended = await victim.open(callback);
      expect([ended.status, ended.title]).toEqual([410, "This sign-in has ended"]);
      // Not even with an attempt of its own.
      await chooseIdp(victim, own, idp);
      expect((await victim.open(callback)).status).toBe(410);
      expect((await userOf(service, userId)).sequence).toBe(sequence);
      // It is still good where it was begun.
      expect(isDone(await person.open(callback))).toBe(true);
    });

    test("ends after ten minutes, and is then deleted", async () => {
      const { idp } = await scene.newLinkedUser();
      const { person, page } = await scene.open();
      const callback = await passProvider(await chooseIdp(person, page, idp));
      service.clockOffsetMs += 10 * MINUTE;
      const late = await person.open(callback);
      expect([late.status, late.alert]).toEqual([
        422,
        "The sign-in with the other service took too long, or was begun again. Please try again.",
      ]);
      const now = new Date(Date.now() + service.clockOffsetMs + 1);
      expect(await ENDED_IDP_ATTEMPTS.deleteBatch(service.db, now)).toBeGreaterThan(0);
      expect(await attempts()).toEqual([]);
    });

    test("replaces the one before of the same sign-in", async () => {
      const { idp } = await scene.newLinkedUser();
      const { person, page } = await scene.open();
      const former = await passProvider(await chooseIdp(person, page, idp));
      const before = (await attempts()).length;
      const callback = await passProvider(await chooseIdp(person, page, idp));
      expect(await attempts()).toHaveLength(before);
      expect((await person.open(former)).status).toBe(422);
      expect(isDone(await person.open(callback))).toBe(true);
    });

    test("of two tabs do not disturb each other", async () => {
      const { idp } = await scene.newLinkedUser();
      const { person, page } = await scene.open();
      const { page: other } = await scene.open({ person });
      const callbacks = [];
      for (const tab of [page, other]) callbacks.push(await passProvider(await chooseIdp(person, tab, idp)));
      for (const callback of callbacks) expect(isDone(await person.open(callback))).toBe(true);
    });
  });

  describe("the gates", () => {
    test("come after the provider as after a password", async () => {
      const { idp, userId } = await scene.newLinkedUser({});
      const { sequence } = await userOf(service, userId);
      const { person, request, page } = await scene.open();
      const gate = await signInAtIdp(person, page, idp);
      expect(gate.title).toBe("Confirm your email address");
      const { code } = await lastReceived(service, userId, "initialization");
      await person.browser.post("/ui/init", { code });
      const done = await person.submit(gate, {});
      expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId, amr: ["fed"] });
      expect((await eventsAfter(service, userId, sequence)).at(-1)).toEqual([
        "user.human.signed.in",
        { appId: app.id, methods: ["fed"], idpId: idp.id },
      ]);
    });

    test.each(["DeactivateUser", "LockUser"] as const)("refuse a user after %s", async (rpc) => {
      const { idp, userId } = await scene.newLinkedUser();
      await call(service, rpc, { id: userId });
      const { sequence } = await userOf(service, userId);
      const { person, page } = await scene.open();
      const refused = await signInAtIdp(person, page, idp);
      expect([refused.status, refused.alert]).toEqual([422, "You cannot sign in with this account."]);
      expect((await userOf(service, userId)).sequence).toBe(sequence);
    });

    test("refuse another user than the one whom the application requires", async () => {
      const { idp } = await scene.newLinkedUser();
      const first = await scene.open();
      expect(isDone(await signInAtIdp(first.person, first.page, idp))).toBe(true);
      const other = await scene.newLinkedUser();
      const again = await scene.open({ person: first.person, parameters: { prompt: "login" } });
      const refused = await signInAtIdp(first.person, again.page, other.idp);
      expect(refused.alert).toMatch(/^The application asks for another account\. Please sign in as ada-\d+\.$/);
      // Nor is somebody new registered.
      const unknown = await scene.newIdp({
        fields: { autoRegister: true },
        account: { ...PERSON, sub: newSub(), preferred_username: "too-many" },
      });
      const third = await scene.open({ person: first.person, parameters: { prompt: "login" } });
      const asked = await signInAtIdp(first.person, third.page, unknown);
      expect(asked.title).toBe("No account yet");
      expect(asked.text).not.toContain("Create a new account");
      const forced = await first.person.submit(asked, { do: "register", userName: "too-many" });
      expect(forced.title).toBe("No account yet");
      expect(await userWithName("too-many")).toBeUndefined();
    });
  });

  describe("registering", () => {
    const COMPLETE = { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" };

    test("a person who wants a new account checks what the provider said", async () => {
      const account = { ...PERSON, sub: newSub(), preferred_username: `grace-${newSub()}` };
      const idp = await scene.newIdp({ account });
      const { person, request, page } = await scene.open();
      const asked = await signInAtIdp(person, page, idp);
      const form = await person.submit(asked, { do: "to-register" });
      expect(form.title).toBe("Create your account");
      for (const value of ["Grace", "Hopper", "grace@example.com", account.preferred_username]) {
        expect(form.text).toContain(`value="${value}"`);
      }
      const done = await person.submit(form, { ...COMPLETE, userName: account.preferred_username, do: "register" });
      const userId = (await redeem(service, app, done.url, request)).claims()?.sub ?? "";
      expect(await userOf(service, userId)).toMatchObject({ email_verified: true, first_name: "Grace" });
    });

    test("another address than the provider's is not verified", async () => {
      const userName = `grace-${newSub()}`;
      const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
      const { person, page } = await scene.open();
      const form = await person.submit(await signInAtIdp(person, page, idp), { do: "to-register" });
      const gate = await person.submit(form, { ...COMPLETE, email: "victim@example.com", userName, do: "register" });
      expect(gate.title).toBe("Confirm your email address");
      expect(await userWithName(userName)).toMatchObject({ email: "victim@example.com", email_verified: false });
    });

    test("a user name that is taken leads to the form, again and again, and another one out of it", async () => {
      const taken = `taken-${newSub()}`;
      await importAda(service, { userName: taken, ...VERIFIED });
      const idp = await scene.newIdp({
        fields: { autoRegister: true },
        account: { ...PERSON, sub: newSub(), preferred_username: taken.toUpperCase() },
      });
      const { person, page } = await scene.open();
      let form = await signInAtIdp(person, page, idp);
      for (const userName of [taken, taken.toUpperCase()]) {
        expect([form.status, form.alert]).toEqual([422, "This user name is taken. Please choose another one."]);
        form = await person.submit(form, { ...COMPLETE, userName, do: "register" });
      }
      expect(isDone(await person.submit(form, { ...COMPLETE, userName: `${taken}-2`, do: "register" }))).toBe(true);
    });

    test.each([
      ["no name", { given_name: undefined, family_name: undefined }],
      ["no address", { email: undefined, email_verified: undefined }],
      ["no user name", { preferred_username: undefined }],
      ["an address that is none", { email: "grace" }],
    ])("a person with %s gets the form, although the provider has autoRegister", async (_, changes) => {
      const userName = `grace-${newSub()}`;
      const account = { ...PERSON, sub: newSub(), preferred_username: userName, ...changes };
      const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
      const { person, page } = await scene.open();
      const form = await signInAtIdp(person, page, idp);
      expect([form.status, form.title, form.alert]).toEqual([200, "Create your account", ""]);
      const refused = await person.submit(form, { ...COMPLETE, userName, lastName: " ", do: "register" });
      expect([refused.status, refused.alert]).toEqual([422, "This value is missing or not valid."]);
      const done = await person.submit(refused, { ...COMPLETE, userName, email: "grace@example.com", do: "register" });
      const isVerified = !("email" in changes);
      expect(isDone(done)).toBe(isVerified);
      expect(await userWithName(userName)).toMatchObject({ email_verified: isVerified });
    });

    test.each([
      ["the address, which is verified", true, "grace@example.org"],
      ["the user name, because the address is not verified", false, "grace-mapped"],
    ])("the mapping OIDC_MAPPING_FIELD_EMAIL takes %s", async (_, email_verified, expected) => {
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

    test("of the same person in two tabs makes one user", async () => {
      const userName = `grace-${newSub()}`;
      const account = { ...PERSON, sub: newSub(), preferred_username: userName };
      const idp = await scene.newIdp({ fields: { autoRegister: true }, account });
      const tabs = await Promise.all([scene.open(), scene.open()]);
      const pages = await Promise.all(tabs.map(({ person, page }) => signInAtIdp(person, page, idp)));
      expect(pages.filter(isDone).length).toBeGreaterThan(0);
      const users = await service.db.selectFrom("users").select("id").where("user_name", "=", userName).execute();
      expect(users).toHaveLength(1);
    });

    test("a form of one sign-in is of no use in another one, or after 15 minutes", async () => {
      const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
      const { person, page } = await scene.open();
      const asked = await signInAtIdp(person, page, idp);
      const external = /name="external" value="([^"]*)"/.exec(asked.text)?.[1] ?? "";
      const { page: other } = await scene.open({ person });
      const token = /name="token" value="([^"]*)"/.exec(other.text)?.[1] ?? "";
      const path = `${other.url.pathname}/external`;
      const stale = await person.browser.post(path, { token, external, do: "to-register" });
      expect(stale.text).toContain("open for too long");
      service.clockOffsetMs += 15 * MINUTE;
      expect((await person.submit(asked, { do: "to-register" })).alert).toContain("open for too long");
    });
  });

  describe("linking", () => {
    /** A user with a password, and a person at the page that asks for confirmation. */
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

    test("a person can go on without it", async () => {
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

    test("the confirmation is of no use once the password has changed", async () => {
      const { userId, person, next } = await reachConfirmation();
      await call(service, "SetHumanPassword", { userId, password: "difference engine no. 3" });
      expect((await person.submit(next, { do: "link" })).alert).toContain("open for too long");
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

  test("a person who declines at the provider is back at the sign-in page", async () => {
    const idp = await scene.newIdp({ declines: true });
    const { person, page } = await scene.open();
    const back = await signInAtIdp(person, page, idp);
    expect([back.status, back.title, back.alert]).toEqual([
      422,
      "Sign in",
      `The sign-in with ${idp.name} was canceled or declined.`,
    ]);
  });

  test("external users are the same only if their ids are, case-sensitively", async () => {
    const { idp, sub } = await scene.newLinkedUser();
    await idp.behave({ account: { ...PERSON, sub: sub.toUpperCase() } });
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).title).toBe("No account yet");
  });

  test("the pages are in the language that the application asks for", async () => {
    const idp = await scene.newIdp({ account: { ...PERSON, sub: newSub() } });
    const { person, page } = await scene.open({ parameters: { ui_locales: "de" } });
    expect(page.text).toContain(`Mit ${idp.name} anmelden`);
    const asked = await signInAtIdp(person, page, idp);
    expect(asked.title).toBe("Noch kein Konto");
    expect((await person.submit(asked, { do: "to-register" })).title).toBe("Legen Sie Ihr Konto an");
  });
});
