import { compareSync } from "bcryptjs";
import {
  allRows,
  call,
  codeOf,
  createVisitor,
  eventsAfter,
  importAda,
  lastReceived,
  received,
  userOf,
  VERIFIED,
  VISITED,
  type Visitor,
} from "../../support/browsers/visitor.ts";
import { BCRYPT, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const HOUR = 3_600_000;
const DONE = "All done";

// test/web/links/embedded.wire.test.ts tests a selection on the embedded database.
describe("on PostgreSQL", () => {
  let service: TestService;
  let visitor: Visitor;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    service.stopClock();
    service.secret(PASSWORD);
    visitor = createVisitor(service);
  });
  afterAll(() => service?.close());

  const link = async (userId: string) => lastReceived(service, userId, "initialization");

  async function newUser(fields: object = {}) {
    const userId = await importAda(service, fields);
    const before = await userOf(service, userId);
    return { userId, before, got: await link(userId) };
  }

  const setPassword = (code: string, password = PASSWORD, repeat = password) =>
    visitor.post("/ui/init", { code, password, repeat });

  test("the page shows the user's name and address, and asks for a password", async () => {
    const { got } = await newUser();
    const page = await visitor.open(got.path);
    expect(page.status).toBe(200);
    expect(page.title).toBe("Set up your account");
    expect(page.text).toContain("<dd>Ada Lovelace</dd>");
    expect(page.text).toContain("<dd>ada@example.com</dd>");
    expect(page.text).toMatch(/<input id="password"[^>]* type="password" autocomplete="new-password"[^>]* required/);
    expect(page.text).toContain("At least 8 characters.");
    expect(page.text).not.toContain("bytes");
  });

  test("the form verifies the address and sets the password in one change of the user", async () => {
    const { userId, before, got } = await newUser();
    service.clockOffsetMs += 60_000;
    const page = await setPassword(got.code);
    expect([page.status, page.title]).toEqual([200, DONE]);
    const user = await userOf(service, userId);
    expect(compareSync(PASSWORD, user.password_hash ?? "")).toBe(true);
    expect(user).toEqual({
      ...before,
      email_verified: true,
      initialized: true,
      password_changed_at: expect.any(Date),
      password_hash: expect.stringMatching(/^\$2b\$04\$/),
      sequence: before.sequence + 3n,
      changed_at: expect.any(Date),
    });
    expect(user.changed_at.getTime() - before.changed_at.getTime()).toBeGreaterThanOrEqual(60_000);
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.email.verified", { email: "ada@example.com" }],
      ["user.human.password.changed", {}],
      ["user.human.initialized", { codeId: got.id }],
    ]);
    expect(await codeOf(service, got)).toMatchObject({ used_at: user.changed_at });
  });

  test.each(["password", "hash"])(
    "the form confirms only the address of a user with a %s, which is kept",
    async (what) => {
      const stored = what === "hash" ? { hashedPassword: { value: BCRYPT } } : { password: PASSWORD };
      const { userId, before, got } = await newUser({ ...stored, passwordChangeRequired: true });
      const page = await visitor.open(got.path);
      expect(page.title).toBe("Confirm your email address");
      expect(page.text).not.toContain('type="password"');
      expect((await setPassword(got.code, "another one altogether")).title).toBe(DONE);
      const user = await userOf(service, userId);
      expect(user).toMatchObject({ password_hash: before.password_hash, password_change_required: true });
      expect(user.email_verified).toBe(true);
      expect(await eventsAfter(service, userId, before.sequence)).toEqual([
        ["user.human.email.verified", { email: "ada@example.com" }],
        ["user.human.initialized", { codeId: got.id }],
      ]);
    },
  );

  test.each([
    ["en", "Set your password", "Your password is set.", /confirm/i],
    ["de", "Legen Sie Ihr Passwort fest", "Ihr Passwort ist festgelegt.", /bestätig/i],
    ["fr", "Définissez votre mot de passe", "Votre mot de passe a été défini.", /confirm/i],
    ["es", "Establezca su contraseña", "Se ha establecido su contraseña.", /confirm/i],
  ])("a verified address is not to be confirmed again, in %s", async (preferredLanguage, title, done, confirming) => {
    const { got } = await newUser({
      ...VERIFIED,
      profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage },
    });
    const page = await visitor.open(got.path);
    expect([page.status, page.title]).toEqual([200, title]);
    expect(page.text).not.toMatch(confirming);
    expect(page.text).toContain('type="password"');
    const finished = await setPassword(got.code);
    expect(finished.status).toBe(200);
    expect(finished.text).toContain(done);
    expect(finished.text).not.toMatch(confirming);
  });

  test("a user with a verified address and a passkey can finish without a password", async () => {
    const { userId, got } = await newUser(VERIFIED);
    await addPasskey(userId);
    const page = await setPassword(got.code, "");
    expect([page.status, page.title]).toEqual([200, DONE]);
    expect(page.text).toContain("No password was set.");
  });

  test("a user with a verified address and a password has nothing left to do", async () => {
    const { userId, got } = await newUser(VERIFIED);
    await service.db.updateTable("users").set({ password_hash: BCRYPT }).where("id", "=", userId).execute();
    const before = await allRows(service);
    for (const page of [await visitor.open(got.path), await setPassword(got.code)]) {
      expect([page.status, page.title]).toEqual([410, "Nothing left to do"]);
    }
    expect(await allRows(service)).toEqual(before);
  });

  test("no second event records that an address is verified", async () => {
    const { userId, before, got } = await newUser(VERIFIED);
    expect((await setPassword(got.code)).title).toBe(DONE);
    expect((await eventsAfter(service, userId, before.sequence)).map(([type]) => type)).toEqual([
      "user.human.password.changed",
      "user.human.initialized",
    ]);
  });

  test("a user who has just set a password does not have to change it", async () => {
    const { userId, got } = await newUser({ passwordChangeRequired: true });
    await setPassword(got.code);
    expect(await userOf(service, userId)).toMatchObject({ password_change_required: false });
  });

  async function addPasskey(userId: string): Promise<void> {
    const key = { id: `key-${userId}`, public_key: Buffer.from("key"), counter: 0n, transports: [] };
    const model = { aaguid: service.orgId, device_type: "multiDevice", backed_up: true } as const;
    const owner = { user_id: userId, org_id: service.orgId, created_at: new Date() };
    await service.db
      .insertInto("passkeys")
      .values({ ...key, ...model, ...owner })
      .execute();
  }

  async function newUserOf(what: "passkey" | "provider") {
    if (what === "provider") {
      const { idpId } = await call(service, "AddOrgOIDCIDP", IDP);
      return newUser({ idps: [{ configId: idpId, externalUserId: "ada", displayName: "Ada" }] });
    }
    const user = await newUser();
    await addPasskey(user.userId);
    return user;
  }

  test.each(["passkey", "provider"] as const)("a user with a %s can leave the password empty", async (what) => {
    const { userId, before, got } = await newUserOf(what);
    const page = await visitor.open(got.path);
    expect(page.text).toContain("You can leave this empty");
    expect(page.text).not.toMatch(/<input id="password"[^>]* required/);
    expect((await setPassword(got.code, "short")).status).toBe(422);
    expect((await setPassword(got.code, "")).title).toBe(DONE);
    expect(await userOf(service, userId)).toMatchObject({ password_hash: null, email_verified: true });
    expect((await eventsAfter(service, userId, before.sequence)).map(([type]) => type)).toEqual([
      "user.human.email.verified",
      "user.human.initialized",
    ]);
  });

  test("a user with another way to sign in can set a password", async () => {
    const { userId, got } = await newUserOf("passkey");
    expect((await setPassword(got.code)).title).toBe(DONE);
    expect(compareSync(PASSWORD, (await userOf(service, userId)).password_hash ?? "")).toBe(true);
  });

  test.each([
    ["none", "", "", "Please choose a password"],
    ["seven characters", "1234567", "1234567", "too short"],
    ["seven characters in 14 UTF-16 units", "\u{1f511}".repeat(7), "\u{1f511}".repeat(7), "too short"],
    ["73 bytes", "x".repeat(73), "x".repeat(73), "too long: it can have at most 72 bytes"],
    ["a common one", "Password1", "Password1", "Many people use this password"],
    ["the user's name and a year", "lovelace-2026", "lovelace-2026", "little more than a name"],
    ["the name of the service", "signet-12345", "signet-12345", "little more than a name"],
    ["73 bytes in 37 characters", `${"é".repeat(36)}x`, `${"é".repeat(36)}x`, "too long"],
    ["two different passwords", PASSWORD, `${PASSWORD}!`, "do not match"],
    ["only the second field", "", PASSWORD, "too short"],
  ])("a password is rejected: %s", async (_what, password, repeat, text) => {
    const { got } = await newUser();
    const before = await allRows(service);
    const page = await setPassword(got.code, password, repeat);
    expect(page.status).toBe(422);
    const error = /<p class="error[^"]*" id="(\w+)-error" role="alert">([^<]*)</.exec(page.text);
    expect(error?.[2]).toContain(text);
    expect(page.text).toMatch(
      new RegExp(`<input id="${error?.[1]}"[^>]* aria-describedby="[^"]*${error?.[1]}-error" aria-invalid="true"`),
    );
    // The form must not contain the submitted values.
    expect(page.text).not.toMatch(/type="password"[^>]* value=/);
    expect(await allRows(service)).toEqual(before);
  });

  test("a password that is not UTF-8 is rejected, because all such passwords would be equal", async () => {
    const { got } = await newUser();
    const [latin1, lone] = ["caf%E9+analytical", "%ED%A0%80+analytical"];
    for (const text of [latin1, lone]) {
      const page = await visitor.open("/ui/init", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `code=${got.code}&password=${text}&repeat=${text}`,
      });
      expect([page.status, page.text]).toEqual([
        400,
        expect.stringContaining("password: must be percent-encoded UTF-8"),
      ]);
    }
  });

  test.each([
    ["8 characters of four bytes", "\u{1f511}".repeat(8)],
    ["72 bytes", "x".repeat(72)],
    ["spaces at both ends", "  analytical  "],
  ])("a password is accepted: %s", async (_what, password) => {
    const { userId, got } = await newUser();
    expect((await setPassword(got.code, password)).title).toBe(DONE);
    expect(compareSync(password, (await userOf(service, userId)).password_hash ?? "")).toBe(true);
  });

  test("a used link says that nothing is left to do, and changes nothing", async () => {
    const { got } = await newUser();
    await setPassword(got.code);
    const before = await allRows(service);
    for (const page of [
      await visitor.open(got.path),
      await setPassword(got.code),
      await visitor.post("/ui/init", { code: got.code, do: "send" }),
    ]) {
      expect([page.status, page.title]).toEqual([410, "Nothing left to do"]);
      expect(page.text).not.toContain("<form");
    }
    expect(await allRows(service)).toEqual(before);
  });

  test("an expired link offers a new one; the new one works, and the old one does not", async () => {
    const { userId, before, got } = await newUser();
    await service.db
      .updateTable("codes")
      .set({ expires_at: new Date(service.clock().getTime() + HOUR) })
      .where("id", "=", got.id)
      .execute();
    service.clockOffsetMs += HOUR;
    expect([(await setPassword(got.code)).status, (await visitor.open(got.path)).status]).toEqual([410, 410]);
    const expired = await visitor.open(got.path);
    expect(expired.title).toBe("This link has expired");
    expect(expired.text).toContain("we can send one to ada@example.com");

    const sent = await visitor.post("/ui/init", { code: got.code, do: "send" });
    expect([sent.status, sent.title]).toEqual([200, "A new link is on its way"]);
    const [, second] = await received(service, userId, "initialization");
    if (second === undefined) throw new Error("no new link was sent");
    expect(await eventsAfter(service, userId, before.sequence)).toEqual([
      ["user.human.initialization.requested", { codeId: second.id }],
    ]);
    expect(await codeOf(service, second)).toMatchObject({
      sequence: before.sequence + 1n,
      recipient: "ada@example.com",
      expires_at: null,
    });
    expect((await visitor.open(got.path)).title).toBe("There is a newer link");
    expect((await setPassword(got.code)).status).toBe(410);
    expect((await userOf(service, userId)).email_verified).toBe(false);
    expect((await setPassword(second.code)).title).toBe(DONE);
  });

  test("without a mail server no new link is offered, and the old one stays valid", async () => {
    const silent = await startService("postgres", {
      ...VISITED,
      // This only satisfies the configuration: the service uses the database of the test.
      DATABASE_URL: "postgres://nowhere.example.com/signet",
      PUBLIC_URL: "http://localhost:8080",
      MASTER_KEY: Buffer.alloc(32, 4).toString("base64"),
    });
    try {
      const userId = await importAda(silent);
      const [got] = await received(silent, userId, "initialization");
      const other = createVisitor(silent);
      silent.clockOffsetMs += 2 * 60_000;
      const response = await other.post("/ui/init", { code: got?.code ?? "", do: "send" });
      expect(response.title).not.toBe("A new link is on its way");
      expect(await received(silent, userId, "initialization")).toHaveLength(1);
      await silent.db.updateTable("codes").set({ expires_at: new Date() }).execute();
      const expired = await other.open(got?.path ?? "");
      expect(expired.text).toContain("ask your administrator");
      expect(expired.text).not.toContain('value="send"');
    } finally {
      await silent.close();
    }
  });

  test("a link that has not expired stops working once a new one is sent", async () => {
    const { userId, got } = await newUser();
    service.clockOffsetMs += 60_000;
    expect((await visitor.post("/ui/init", { code: got.code, do: "send" })).title).toBe("A new link is on its way");
    expect((await setPassword(got.code)).status).toBe(410);
    expect(await userOf(service, userId)).toMatchObject({ email_verified: false, password_hash: null });
  });

  test("the page sends one link per minute, and five in 24 hours including that of the import", async () => {
    const { userId, got } = await newUser();
    const send = () => visitor.post("/ui/init", { code: got.code, do: "send" });
    const early = await send();
    expect([early.status, early.title]).toEqual([429, "Please wait a moment"]);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(Number(early.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    for (let sent = 2; sent <= 5; sent++) {
      service.clockOffsetMs += 60_000;
      expect((await send()).status).toBe(200);
      expect((await send()).status).toBe(429);
    }
    service.clockOffsetMs += HOUR;
    const sixth = await send();
    expect(sixth.status).toBe(429);
    expect(sixth.text).toMatch(/in 23 hours/);
    expect(await received(service, userId, "initialization")).toHaveLength(5);
    service.clockOffsetMs += 23 * HOUR;
    expect((await send()).status).toBe(200);
    expect(await received(service, userId, "initialization")).toHaveLength(6);
  });

  test("of many concurrent requests for a new link, one is sent", async () => {
    const { userId, got } = await newUser();
    service.clockOffsetMs += 60_000;
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => visitor.post("/ui/init", { code: got.code, do: "send" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(429)]);
    expect(await received(service, userId, "initialization")).toHaveLength(2);
  });

  test("of many concurrent forms, one succeeds, and its password is stored", async () => {
    const { userId, before, got } = await newUser();
    const passwords = Array.from({ length: 8 }, (_, index) => service.secret(`${PASSWORD} ${index}`));
    const responses = await Promise.all(passwords.map((password) => setPassword(got.code, password)));
    const won = responses.flatMap(({ title }, index) => (title === DONE ? [index] : []));
    expect(won).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 410)).toHaveLength(7);
    const { password_hash } = await userOf(service, userId);
    expect(compareSync(passwords[won[0] ?? 0] ?? "", password_hash ?? "")).toBe(true);
    expect(await eventsAfter(service, userId, before.sequence)).toHaveLength(3);
  });

  test("of a form and a request for a new link at the same time, one succeeds and the other is 410", async () => {
    for (let round = 0; round < 5; round++) {
      const { userId, got } = await newUser();
      service.clockOffsetMs += 60_000;
      const [finished, sent] = await Promise.all([
        setPassword(got.code),
        visitor.post("/ui/init", { code: got.code, do: "send" }),
      ]);
      const { email_verified, password_hash } = await userOf(service, userId);
      const links = await received(service, userId, "initialization");
      expect(finished.status === 200).toBe(email_verified && password_hash !== null);
      expect(links).toHaveLength(sent.status === 200 ? 2 : 1);
      expect([finished.status, sent.status].sort()).toEqual([200, 410]);
    }
  });

  test("the link to a former address verifies nothing and shows nothing about the user", async () => {
    const { userId, got } = await newUser({
      profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "fr" },
    });
    await service.db.updateTable("users").set({ email: "countess@example.com" }).where("id", "=", userId).execute();
    for (const page of [
      await visitor.open(got.path),
      await setPassword(got.code),
      await visitor.post("/ui/init", { code: got.code, do: "send" }),
    ]) {
      expect([page.status, page.title]).toEqual([410, "This link is no longer valid"]);
      expect(page.text).not.toMatch(/countess|Ada|<form|lang="fr"/);
    }
    expect(await userOf(service, userId)).toMatchObject({ email_verified: false, password_hash: null });
    expect(await received(service, userId, "initialization")).toHaveLength(1);
  });

  test("the page is in the user's language, or else in the browser's", async () => {
    const german = await newUser({ profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "de-CH" } });
    const other = await newUser({ profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "tlh" } });
    const headers = { "accept-language": "pt, fr-CA;q=0.9, es;q=0.8" };
    expect((await visitor.open(german.got.path, { headers })).text).toContain('<html lang="de">');
    expect((await visitor.open(other.got.path, { headers })).text).toContain('<html lang="fr">');
    expect((await visitor.open(other.got.path)).text).toContain('<html lang="en">');
  });

  test("a name with markup is shown as text", async () => {
    const displayName = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`;
    const { got } = await newUser({
      userName: `"><script>alert(3)</script>`,
      profile: { firstName: "Ada", lastName: "Lovelace", displayName },
    });
    const { text } = await visitor.open(got.path);
    expect(text).not.toMatch(/<script>|<img/);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img src=x");
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(3)');
  });
});
