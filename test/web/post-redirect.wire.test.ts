import { randomBytes } from "node:crypto";
import { PAGE_PATHS } from "../../src/web/create-pages.ts";
import { STEPS } from "../../src/web/sign-in/steps.ts";
import { createPerson, type Page } from "../support/browsers/person.ts";
import {
  call,
  changePhone,
  importAda,
  lastReceived,
  VERIFIED,
  VISITED,
  wrongDigits,
} from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { storeFakePasskey } from "./account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";

/** The paths of links to which browsers post forms; the passkey page posts JSON from its script. */
const LINK_PATHS = ["/ui/init", "/ui/email", "/ui/new-email", "/ui/phone", "/ui/password"];

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, ACCOUNT_DELETION: "true" });
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

/** Posts a form, and expects a redirect to a page that a reload shows again. Returns the first view of the page. */
async function expectRedirect(
  url: string,
  fields: Record<string, string>,
  person = createPerson(service),
): Promise<Page> {
  const posted = await person.browser.post(url, fields);
  expect([url.split("?")[0], posted.status]).toEqual([url.split("?")[0], 303]);
  const first = await person.open(posted.location);
  const again = await person.open(posted.location);
  expect([again.status, again.title, again.alert]).toEqual([first.status, first.title, first.alert]);
  return first;
}

test("the paths of links are those of the pages", () => {
  expect(PAGE_PATHS.filter((path) => LINK_PATHS.includes(path))).toEqual(expect.arrayContaining(LINK_PATHS));
});

describe("a form of a link redirects:", () => {
  async function newLink(kind: "initialization" | "phone", fields: object = {}) {
    const userId = await importAda(service, fields);
    await changePhone(service, userId);
    return { userId, got: await lastReceived(service, userId, kind) };
  }

  test("a rejected password, an accepted one, and one for a used link", async () => {
    const { got } = await newLink("initialization");
    const { code } = got;
    const rejected = await expectRedirect("/ui/init", { code, password: "short", repeat: "short" });
    expect([rejected.status, rejected.alert]).toEqual([422, expect.stringContaining("too short")]);
    const form = { code, password: PASSWORD, repeat: PASSWORD };
    const person = createPerson(service);
    const accepted = await person.browser.post("/ui/init", form);
    expect([accepted.status, (await person.open(accepted.location)).title]).toEqual([303, "Your account"]);
    expect(await person.open(accepted.location)).toMatchObject({ status: 200, title: "All done" });
    expect((await expectRedirect("/ui/init", form)).status).toBe(410);
  });

  test("a request for a new link, which says when the next one can be requested", async () => {
    const { got } = await newLink("initialization");
    service.clockOffsetMs += 61_000;
    const sent = await expectRedirect("/ui/init", { code: got.code, do: "send" });
    expect([sent.status, sent.title]).toEqual([200, "A new link is on its way"]);
    expect(sent.text).toMatch(/The next one can be requested in (1 minute|\d+ seconds)\./);
    const early = await expectRedirect("/ui/init", { code: got.code, do: "send" });
    expect([early.status, early.title]).toEqual([429, "Please wait a moment"]);
  });

  test("a confirmed address", async () => {
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await call(service, "UpdateHumanEmail", { userId, email: "lovelace@example.com", isEmailVerified: false });
    const { code } = await lastReceived(service, userId, "email");
    expect(await expectRedirect("/ui/email", { code })).toMatchObject({ status: 200, title: "All done" });
    expect((await expectRedirect("/ui/email", { code })).status).toBe(410);
  });

  test("malformed, wrong and correct digits", async () => {
    const { got } = await newLink("phone");
    const digits = async (text: string) => (await expectRedirect("/ui/phone", { code: got.code, digits: text })).status;
    expect(await digits("12")).toBe(422);
    expect(await digits(wrongDigits(got))).toBe(422);
    expect(await digits(got.digits)).toBe(200);
  });

  test("a new password of a user who has forgotten it", async () => {
    const userName = "forgetful";
    const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    const person = createPerson(service);
    const { url, text } = await person.open(createRequest(app).url);
    const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
    await expectRedirect(`${url.pathname}${STEPS.forgotten}${url.search}`, { token, username: userName }, person);
    const { code } = await lastReceived(service, userId, "password");
    expect((await expectRedirect("/ui/password", { code, password: "x", repeat: "x" })).status).toBe(422);
    const form = { code, password: "difference engine no. 2", repeat: "difference engine no. 2" };
    expect((await expectRedirect("/ui/password", form)).title).toBe("All done");
  });
});

describe("a form of the account page redirects:", () => {
  const tokenOf = ({ text }: Page) => /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";

  async function newPerson(userName: string) {
    await importAda(service, { userName, ...VERIFIED, password: PASSWORD });
    const person = createPerson(service);
    const page = await person.submit(await person.open("/ui/account"), { username: userName, password: PASSWORD });
    expect(page.title).toBe("Your account");
    return { person, page };
  }

  const REJECTED: Record<string, Record<string, string>> = {
    name: { firstName: "", lastName: "Lovelace", displayName: "" },
    "user-name": { userName: "" },
    email: { email: "nobody" },
    phone: { phone: "123" },
    password: { current: "wrong", password: "difference engine no. 4", repeat: "difference engine no. 4" },
    language: { language: "tlh" },
    "one-time-code": { code: "12" },
    delete: { userName: "somebody" },
  };

  test.each(Object.entries(REJECTED))("%s", async (name, fields) => {
    const { person } = await newPerson(`rejected-${name}`);
    const path = `/ui/account/${name}`;
    const token = tokenOf(await person.open(path));
    const rejected = await expectRedirect(path, { ...fields, token }, person);
    expect([rejected.status, rejected.alert]).toEqual([422, expect.stringMatching(/./)]);
    const stale = await expectRedirect(path, { ...fields, token: "x" }, person);
    expect([stale.status, stale.alert]).toEqual([422, expect.stringContaining("out of date")]);
    // The first page was replaced, and the form is not the one that was rejected.
    for (const url of [rejected.url, path]) expect(await person.open(url)).toMatchObject({ status: 200, alert: "" });
  });

  test("a wrong first one-time code, and the page still has its secret and QR code", async () => {
    const { person } = await newPerson("codes");
    const path = "/ui/account/one-time-code";
    const drawn = ({ text }: Page) => /<svg class="qr"[\s\S]*<\/details>/.exec(text)?.[0];
    const page = await person.open(path);
    const secret = /name="secret" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    const rejected = await expectRedirect(path, { token: tokenOf(page), secret, code: "12" }, person);
    expect([rejected.status, rejected.alert]).toEqual([422, expect.stringMatching(/incorrect/)]);
    expect(drawn(page)).toMatch(/<code>[A-Z2-7 ]+<\/code>/);
    expect(drawn(await person.open(rejected.url))).toBe(drawn(page));
    // A page that is opened anew has another secret.
    expect(drawn(await person.open(path))).not.toBe(drawn(page));
  });

  test("the page belongs to the session", async () => {
    const [first, second] = [await newPerson("first"), await newPerson("second")];
    const token = tokenOf(first.page);
    const { location } = await first.person.browser.post("/ui/account/email", { email: "nobody", token });
    expect((await first.person.open(location)).status).toBe(422);
    expect((await second.person.open(location)).status).toBe(200);
    const kept = /signet-account-page=[^;]*/.exec(first.person.browser.cookies("/ui/account"))?.[0];
    const cookie = `${second.person.browser.cookies("/ui/account")}; ${kept}`;
    expect((await fetch(new URL(location, service.origin), { headers: { cookie } })).status).toBe(200);
  });

  test("a page that is too large for a cookie is the response itself", async () => {
    const { person, page } = await newPerson("large");
    const { id: userId } = await service.db
      .selectFrom("users")
      .select("id")
      .where("user_name", "=", "large")
      .executeTakeFirstOrThrow();
    for (let count = 0; count < 100; count++) {
      await storeFakePasskey(service, userId, `of-large-${count}`, { name: randomBytes(60).toString("base64url") });
    }
    const answer = await person.browser.post("/ui/account/sessions/end", { id: "x", token: "x" });
    expect([page.title, answer.status]).toEqual(["Your account", 422]);
  });

  test("a sign-out", async () => {
    const { person, page } = await newPerson("signed-out");
    const signedOut = await expectRedirect("/ui/account/sign-out", { token: tokenOf(page) }, person);
    expect(signedOut.title).toBe("You are signed out");
  });
});

describe("a form of a sign-in redirects:", () => {
  test.each(Object.entries(STEPS))("%s", async (_name, step) => {
    const person = createPerson(service);
    const { url, text } = await person.open(createRequest(app).url);
    const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const target = `${url.pathname}${step}${url.search}`;
    await expectRedirect(target, { token, username: "nobody", password: "wrong" }, person);
    const stale = await expectRedirect(target, { token: "x" }, person);
    expect([stale.status, stale.title]).toEqual([422, expect.stringMatching(/^Sign in to /)]);
    // In another browser, the sign-in has ended.
    expect((await expectRedirect(target, { token })).status).toBe(410);
  });

  test("the page of a gate, whose form works after a reload", async () => {
    const userName = "gated";
    await importAda(service, { userName, ...VERIFIED, password: PASSWORD, passwordChangeRequired: true });
    const person = createPerson(service);
    const { url, text } = await person.open(createRequest(app).url);
    const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const form = { token, username: userName, password: PASSWORD };
    const gate = await expectRedirect(`${url.pathname}${url.search}`, form, person);
    expect(gate.title).toBe("Choose a new password");
    const repeat = "difference engine no. 3";
    expect((await person.submit(gate, { password: repeat, repeat })).url.searchParams.has("code")).toBe(true);
  });
});
