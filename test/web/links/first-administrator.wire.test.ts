import { grantRole } from "../../../src/access/grant-role.ts";
import { CONSOLE_APP_ID } from "../../../src/apps/console-app.ts";
import { createId } from "../../../src/crypto/secrets.ts";
import { createAdministratorLink } from "../../../src/instance/administrator-link.ts";
import { ensureConsole } from "../../../src/instance/ensure-console.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { importAda, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import type { DatabaseKind } from "../../support/databases/database.ts";
import { createRelyingParty, createRequest, signIn } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const FIELDS = {
  firstName: "Grace",
  lastName: "Hopper",
  email: "grace@example.com",
  password: PASSWORD,
  repeat: PASSWORD,
};
const MISSING = "This service has no administrator yet";
const OVER = "This link no longer works";

let service: TestService;
afterEach(() => service?.close());

async function start(kind: DatabaseKind = "postgres"): Promise<void> {
  service = await startService(kind, VISITED);
  service.secret(PASSWORD);
  await ensureConsole(service, service.config.publicUrl);
}

/** The path and the query of a new link. */
async function newLink(): Promise<string> {
  const { publicUrl } = service.config;
  const link = (await createAdministratorLink(service, publicUrl)) ?? "";
  expect(link.startsWith(`${publicUrl}/ui/first-administrator?code=`)).toBe(true);
  service.secret(link.slice(link.indexOf("=") + 1));
  return link.slice(publicUrl.length);
}

async function accept(person: Person, link: string, fields: object = {}): Promise<Page> {
  return person.submit(await person.open(link), { ...FIELDS, ...fields });
}

const codeOf = (link: string) => link.slice(link.indexOf("=") + 1);

/** The people with a role in the instance. */
async function administrators() {
  return await service.db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["role", "user_name", "display_name", "email", "email_verified", "org_id"])
    .where("scope_id", "=", service.instanceId)
    .where("kind", "=", "human")
    .execute();
}

describe.each<DatabaseKind>(["postgres", "embedded"])("on %s", (kind) => {
  beforeEach(() => start(kind));

  test("the link makes the first administrator, who is signed in and enters the console, and then no link works", async () => {
    const [link, other] = [await newLink(), await newLink()];
    const person = createPerson(service);
    const page = await accept(person, link);
    expect([page.status, page.url.pathname, page.text]).toEqual([
      200,
      "/console",
      expect.stringContaining("console.js"),
    ]);
    const grace = {
      role: "INSTANCE_OWNER",
      user_name: FIELDS.email,
      display_name: "Grace Hopper",
      email: FIELDS.email,
      email_verified: true,
      org_id: service.orgId,
    };
    expect(await administrators()).toEqual([grace]);
    expect((await person.open("/ui/account")).text).toContain(FIELDS.email);
    // Nothing is sent, because there may be no mail server yet.
    expect(await service.db.selectFrom("messages").select("id").execute()).toEqual([]);

    const stranger = createPerson(service);
    for (const each of [link, other]) {
      expect(await stranger.open(each)).toMatchObject({ status: 410, title: OVER });
      const posted = await stranger.post(each, { ...FIELDS, email: "eve@example.com", code: codeOf(each) });
      expect(posted).toMatchObject({ status: 410, title: OVER });
    }
    expect(await administrators()).toEqual([grace]);
    expect(await createAdministratorLink(service, service.config.publicUrl)).toBeUndefined();
    expect((await stranger.open("/ui/first-administrator")).url.pathname).toBe("/console");
  });
});

describe("on PostgreSQL", () => {
  beforeEach(() => start());

  test("until then, /console leads to a page that only says where the link is, and its other addresses do not", async () => {
    const stranger = createPerson(service);
    const page = await stranger.open("/console");
    expect([page.status, page.title, page.url.pathname]).toEqual([200, MISSING, "/ui/first-administrator"]);
    expect(page.text).toContain("signet admin link");
    expect(page.text).not.toContain("<form");
    for (const code of ["", "x", `${codeOf(await newLink())}x`]) {
      const posted = await stranger.post("/ui/first-administrator", { ...FIELDS, code });
      expect([code, posted.status, posted.title]).toEqual([code, 410, OVER]);
      expect(posted.text).toContain("signet admin link");
    }
    expect(await administrators()).toEqual([]);

    const { href = "" } = /<a href="(?<href>\/console[^"]*)"/.exec(page.text)?.groups ?? {};
    for (const path of [href, "/console/signed-in"]) {
      expect((await stranger.open(path)).text).toContain("console.js");
    }
  });

  test("a person with a role in an organization uses the console meanwhile", async () => {
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    const user = { id: userId, orgId: service.orgId };
    await grantRole(service, { user, role: "ORG_OWNER", scopeId: service.orgId });
    const person = createPerson(service);
    const app = await createRelyingParty(service);
    await signIn(service, person.browser, createRequest(app).url, userId);
    expect((await person.open("/console")).text).toContain("console.js");
    expect((await createPerson(service).open("/console")).title).toBe(MISSING);

    await grantRole(service, { user, role: "INSTANCE_VIEWER", scopeId: service.instanceId });
    expect((await createPerson(service).open("/console")).text).toContain("console.js");
  });

  test.each([
    ["no name", { firstName: " " }, "firstName", "This value is missing or invalid."],
    ["no address", { email: "grace" }, "email", "Please enter an email address, such as name@example.com."],
    [
      "the address of a user",
      { email: "ada@example.com" },
      "email",
      expect.stringContaining("There is already a user"),
    ],
    ["a short password", { password: "short", repeat: "short" }, "password", expect.stringContaining("too short")],
    ["two passwords", { repeat: `${PASSWORD}0` }, "password", expect.stringContaining("do not match")],
  ])("with %s, the form says so and keeps the rest, and the link still works", async (_what, wrong, field, alert) => {
    await importAda(service, VERIFIED);
    const link = await newLink();
    const person = createPerson(service);
    const page = await accept(person, link, wrong);
    expect([page.status, page.alert, page.text]).toEqual([
      422,
      alert,
      expect.stringMatching(new RegExp(`name="${field}"[^>]* aria-invalid="true"`)),
    ]);
    expect(page.text).toContain('value="Hopper"');
    expect(await administrators()).toEqual([]);
    expect((await person.submit(page, FIELDS)).url.pathname).toBe("/console");
  });

  test("a link that two people use at once makes one person", async () => {
    const code = codeOf(await newLink());
    const emails = ["grace@example.com", "eve@example.com"];
    await Promise.all(
      emails.map((email) => createPerson(service).post("/ui/first-administrator", { ...FIELDS, email, code })),
    );
    expect(await administrators()).toHaveLength(1);
  });

  test("a link works for 72 hours, and for its instance only", async () => {
    const link = await newLink();
    service.clockOffsetMs = 72 * 3_600_000 - 60_000;
    expect((await createPerson(service).open(link)).title).toBe("Create the first administrator");
    await service.db.updateTable("instance").set({ id: createId() }).execute();
    expect((await createPerson(service).open(link)).title).toBe(OVER);
    await service.db.updateTable("instance").set({ id: service.instanceId }).execute();
    service.clockOffsetMs = 72 * 3_600_000 + 60_000;
    expect((await createPerson(service).open(link)).title).toBe(OVER);
  });

  test("without the console, the first administrator continues on the account page", async () => {
    await service.db.updateTable("apps").set({ state: "inactive" }).where("id", "=", CONSOLE_APP_ID).execute();
    expect((await createPerson(service).open("/console")).title).toBe(MISSING);
    const page = await accept(createPerson(service), await newLink());
    expect([page.title, page.url.pathname]).toEqual(["Your account", "/ui/account"]);
  });

  test("the link does not end the session of another user, and a browser without cookies shows what to do next", async () => {
    const person = createPerson(service);
    const app = await createRelyingParty(service);
    await signIn(service, person.browser, createRequest(app).url, await importAda(service, VERIFIED));
    const page = await accept(person, await newLink());
    expect([page.title, page.text]).toEqual(["All done", expect.stringContaining("Another account is signed in")]);

    const { browser } = createPerson(service);
    const fields = { ...FIELDS, email: "second@example.com", code: codeOf(await newLink()) };
    const { location } = await browser.post("/ui/first-administrator", fields);
    const next = await createPerson(service).open(location);
    expect([next.title, next.text]).toEqual(["All done", expect.stringContaining(">Sign in</a>")]);
  });
});
