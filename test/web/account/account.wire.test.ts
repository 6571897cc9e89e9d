import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compareSync } from "bcryptjs";
import { DATABASE_KINDS } from "../../support/database.ts";
import { createPerson, type Page, type Person } from "../../support/person.ts";
import { createRelyingParty, createRequest, redeem } from "../../support/relying-party.ts";
import { IDP } from "../../support/requests.ts";
import { startService, type TestService } from "../../support/service.ts";
import { call, userOf, VERIFIED, VISITED } from "../../support/visitor.ts";
import { ACCOUNT, newPerson, PASSWORD, signIn } from "./account-scene.ts";

const NEW_PASSWORD = "difference engine no. 2";

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind, VISITED);
    service.stopClock();
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  });
  afterAll(() => service?.close());

  const act = (person: Person, page: Page, action: string, fields: Record<string, string> = {}) =>
    person.submit(page, { do: action, ...fields });

  test("without a session, the page redirects to a sign-in, and back", async () => {
    const person = createPerson(service);
    const first = await person.open(ACCOUNT);
    expect([first.url.pathname.startsWith("/ui/sign-in/"), first.title]).toEqual([true, "Sign in"]);
    const { page, userName } = await newPerson(service, { profile: { firstName: "Ada", lastName: "<Lovelace>" } });
    expect([page.status, page.title, page.url.pathname]).toEqual([200, "Your account", ACCOUNT]);
    for (const text of ["Ada &lt;Lovelace&gt;", userName, "ada@example.com", "default"]) {
      expect(page.text).toContain(`<dd>${text}</dd>`);
    }
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("a user changes the password, which ends the other sessions", async () => {
    const { userId, userName, person } = await newPerson(service);
    const { person: elsewhere } = await signIn(service, userName);
    const { sequence } = await userOf(service, userId);
    const form = await person.open(`${ACCOUNT}/password`);
    const fields = { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD };
    const wrong = await person.submit(form, { ...fields, current: "wrong" });
    expect([wrong.status, wrong.alert]).toEqual([422, "This is not your current password."]);
    const weak = await person.submit(form, { ...fields, password: "short" });
    expect([weak.status, weak.alert]).toEqual([422, "The password is too short: it must have at least 8 characters."]);
    const done = await person.submit(form, fields);
    expect([done.status, done.title]).toEqual([200, "Password changed"]);
    expect(compareSync(NEW_PASSWORD, (await userOf(service, userId)).password_hash ?? "")).toBe(true);
    expect((await eventsAfterOwn(userId, sequence)).at(-1)).toBe("user.human.password.changed");
    const notices = await service.db
      .selectFrom("messages")
      .select(["recipient", "notice", "code_id"])
      .where("user_id", "=", userId)
      .execute();
    expect(notices).toEqual([{ recipient: "ada@example.com", notice: "password-changed", code_id: null }]);
    await service.delivery.deliverDue();
    const sent = await service.db.selectFrom("messages").select("state").where("user_id", "=", userId).execute();
    expect(sent).toEqual([{ state: "sent" }]);
    expect((await person.open(ACCOUNT)).title).toBe("Your account");
    expect((await elsewhere.open(ACCOUNT)).title).toBe("Sign in");
  });

  test("a user ends the session of another browser", async () => {
    const { userName, person } = await newPerson(service);
    const { person: other } = await signIn(service, userName);
    const page = await person.open(ACCOUNT);
    expect(page.text.match(/Since /g)).toHaveLength(2);
    const ids = [...page.text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = ""]) => id);
    expect(ids).toHaveLength(1);
    expect((await act(person, page, "end-session", { id: ids[0] ?? "" })).text.match(/Since /g)).toHaveLength(1);
    expect((await other.open(ACCOUNT)).title).toBe("Sign in");
    expect((await person.open(ACCOUNT)).title).toBe("Your account");
  });

  test("a user signs out everywhere", async () => {
    const { userName, person, page } = await newPerson(service);
    const { person: other } = await signIn(service, userName);
    const done = await act(person, page, "sign-out-everywhere");
    expect(done.title).toBe("You are signed out");
    for (const browser of [person, other]) expect((await browser.open(ACCOUNT)).title).toBe("Sign in");
  });

  if (kind === "embedded") return;

  test("signing out ends the session of this browser only", async () => {
    const { userName, person, page } = await newPerson(service);
    const { person: other } = await signIn(service, userName);
    expect((await act(person, page, "sign-out")).title).toBe("You are signed out");
    expect((await person.open(ACCOUNT)).title).toBe("Sign in");
    expect((await other.open(ACCOUNT)).title).toBe("Your account");
  });

  test("the session is shared with the applications", async () => {
    const app = await createRelyingParty(service, { name: "Notes" });
    const { userName, person } = await newPerson(service);
    const request = createRequest(app);
    const { url } = await person.open(request.url);
    await redeem(service, app, url, request);
    expect((await person.open(ACCOUNT)).text).toContain("Notes");
    expect(userName).toBeDefined();
  });

  test("the sessions of other users cannot be ended", async () => {
    const { userId: otherId, person: other } = await newPerson(service);
    const { person, page } = await newPerson(service);
    const { session_uid: id } = await service.db
      .selectFrom("oidc_artifacts")
      .select("session_uid")
      .where("user_id", "=", otherId)
      .where("kind", "=", "Session")
      .executeTakeFirstOrThrow();
    await act(person, page, "end-session", { id: id ?? "" });
    expect((await other.open(ACCOUNT)).title).toBe("Your account");
  });

  test("an ended sign-in to the page offers to start again", async () => {
    const page = await createPerson(service).open("/ui/sign-in/unknown?app=account");
    expect([page.status, page.title]).toEqual([410, "This sign-in has ended"]);
    expect(page.text).toContain('href="/ui/account">Start again at Signet<');
  });

  test("a deactivated user is signed out", async () => {
    const { userId, person } = await newPerson(service);
    await call(service, "DeactivateUser", { id: userId });
    expect((await person.open(ACCOUNT)).title).toBe("Sign in");
  });

  test("a link with an organization redirects to the sign-in of its users", async () => {
    const orgId = await service.createOrg("Acme");
    const page = await createPerson(service).open(`${ACCOUNT}?org=${orgId}`);
    expect(page.text).toContain("<dd>Acme</dd>");
  });

  test("a user who cancels, or follows a link with an unknown organization, can sign in again", async () => {
    const person = createPerson(service);
    const canceled = await person.submit(await person.open(ACCOUNT), { do: "cancel" });
    for (const page of [canceled, await person.open(`${ACCOUNT}?org=unknown`)]) {
      expect([page.status, page.title]).toEqual([403, "You are not signed in"]);
      expect(page.text).toContain('href="/ui/account">Sign in<');
    }
  });

  test("a browser that keeps no cookies gets a page that says so, not a loop", async () => {
    const page = await createPerson(service).open(`${ACCOUNT}/signed-in?code=x`);
    expect([page.status, page.title]).toEqual([403, "Your browser blocks cookies"]);
  });

  test("a user adds a passkey through a link, and removes one", async () => {
    const { userId, userName, person, page } = await newPerson(service);
    const added = await act(person, page, "add-passkey");
    service.secret(added.url.searchParams.get("code")?.split(".")[1] ?? "");
    expect([added.url.pathname, added.status]).toEqual(["/ui/passkey", 200]);
    await addPasskey(userId, "passkey-1");
    const withPasskey = await person.open(ACCOUNT);
    expect(withPasskey.text).toContain("Passkey from ");
    const { person: other } = await signIn(service, userName);
    const removed = await act(person, withPasskey, "remove-passkey", { id: "passkey-1" });
    // This browser stays signed in.
    expect(removed.title).toBe("Your account");
    expect((await other.open(ACCOUNT)).title).toBe("Sign in");
    expect(await service.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).execute()).toEqual([]);
  });

  test("changing the ways to sign in requires a recent sign-in", async () => {
    const { userId, person } = await newPerson(service);
    await addPasskey(userId, "passkey-2");
    service.clockOffsetMs += 15 * 60_000;
    const page = await person.open(ACCOUNT);
    for (const [action, fields] of [
      ["add-passkey", {}],
      ["remove-passkey", { id: "passkey-2" }],
    ] as const) {
      const asked = await act(person, page, action, fields);
      expect([asked.title, asked.url.pathname.startsWith("/ui/sign-in/")]).toEqual(["Sign in", true]);
    }
    expect(await service.db.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute()).toHaveLength(
      1,
    );
    service.clockOffsetMs = 0;
  });

  test("the required sign-in is in the user's organization", async () => {
    const orgId = await service.createOrg("Elsewhere");
    const userName = "elsewhere";
    await call(
      service,
      "ImportHumanUser",
      { userName, profile: { firstName: "Ada", lastName: "Lovelace" }, ...VERIFIED, password: PASSWORD },
      { "x-service-orgid": orgId },
    );
    const person = createPerson(service);
    const fields = { username: userName, password: PASSWORD };
    expect((await person.submit(await person.open(`${ACCOUNT}?org=${orgId}`), fields)).title).toBe("Your account");
    service.clockOffsetMs += 15 * 60_000;
    for (const asked of [
      await act(person, await person.open(ACCOUNT), "add-passkey"),
      await person.open(`${ACCOUNT}/one-time-code`),
    ]) {
      expect([asked.title, asked.text.includes("<dd>Elsewhere</dd>")]).toEqual(["Sign in", true]);
    }
    service.clockOffsetMs = 0;
  });

  test("the only way to sign in cannot be removed", async () => {
    const { userId, person, page } = await newPerson(service);
    await addPasskey(userId, "passkey-3");
    await service.db.updateTable("users").set({ password_hash: null }).where("id", "=", userId).execute();
    const refused = await act(person, page, "remove-passkey", { id: "passkey-3" });
    expect([refused.status, refused.alert]).toEqual([
      422,
      "This is your only way to sign in. Add another one before you remove it.",
    ]);
  });

  test("a user removes the link to an identity provider", async () => {
    const { idpId } = await call(service, "AddOrgOIDCIDP", IDP);
    const idps = [{ configId: String(idpId), externalUserId: "ext <1>", displayName: "Ada at work" }];
    const { userId, userName, person, page } = await newPerson(service, { idps });
    expect(page.text).toContain("Ada at work");
    const gone = await act(person, page, "remove-link", { id: String(idpId), external: "unknown" });
    expect([gone.status, gone.alert]).toEqual([
      422,
      "The page was out of date, so nothing was changed. Please try again.",
    ]);
    const { person: other } = await signIn(service, userName);
    const removed = await act(person, page, "remove-link", { id: String(idpId), external: "ext <1>" });
    expect(removed.title).toBe("Your account");
    expect((await other.open(ACCOUNT)).title).toBe("Sign in");
    expect(await service.db.selectFrom("user_idp_links").selectAll().where("user_id", "=", userId).execute()).toEqual(
      [],
    );
  });

  test.each(["sign-out", "sign-out-everywhere", "add-passkey", "remove-passkey", "unknown"])(
    "the form for %s does nothing without its token, or with that of another session",
    async (action) => {
      const { page: foreign } = await newPerson(service);
      const { person, page } = await newPerson(service);
      for (const token of ["", /name="token" value="([^"]*)"/.exec(foreign.text)?.[1] ?? ""]) {
        const refused = await act(person, page, action, { token });
        expect([refused.status, refused.alert]).toEqual([
          422,
          "The page was out of date, so nothing was changed. Please try again.",
        ]);
      }
      expect((await person.open(ACCOUNT)).title).toBe("Your account");
    },
  );

  test("guesses of the current password are limited", async () => {
    const { person } = await newPerson(service);
    const form = await person.open(`${ACCOUNT}/password`);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const fields = { current: "guess", password: NEW_PASSWORD, repeat: NEW_PASSWORD };
      statuses.push((await person.submit(form, fields)).status);
    }
    expect(statuses).toContain(429);
  });

  test.each([
    ["de", "Ihr Konto"],
    ["fr", "Votre compte"],
    ["es", "Su cuenta"],
  ])("the page is in the language of the browser: %s", async (language, title) => {
    const { userName } = await newPerson(service);
    const person = createPerson(service, undefined, { "accept-language": language });
    expect((await signIn(service, userName, person)).page.title).toBe(title);
  });

  async function addPasskey(userId: string, id: string): Promise<void> {
    await service.db
      .insertInto("passkeys")
      .values({
        org_id: service.orgId,
        id,
        user_id: userId,
        public_key: Buffer.from("key"),
        counter: 0n,
        transports: [],
        aaguid: "00000000-0000-0000-0000-000000000000",
        device_type: "singleDevice",
        backed_up: false,
        created_at: new Date(),
      })
      .execute();
  }

  async function eventsAfterOwn(userId: string, sequence: bigint): Promise<string[]> {
    const events = await service.db
      .selectFrom("events")
      .select("type")
      .where("aggregate_id", "=", userId)
      .where("sequence", ">", sequence)
      .orderBy("sequence")
      .execute();
    return events.map(({ type }) => type);
  }
});
