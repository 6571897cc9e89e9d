import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DATABASE_KINDS } from "../../support/database.ts";
import { createPerson, type Page } from "../../support/person.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/relying-party.ts";
import { startService, type TestService } from "../../support/service.ts";
import { call, importAda, lastReceived, received, VERIFIED, VISITED } from "../../support/visitor.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ADA = { ...VERIFIED, password: PASSWORD };
const SENT = "Check your email";

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  let app: RelyingParty;
  beforeAll(async () => {
    service = await startService(kind, VISITED);
    service.stopClock();
    for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
    app = await createRelyingParty(service);
  });
  afterAll(() => service?.close());

  /** Opens the page from the link of the sign-in page. */
  async function openForgotten(person = createPerson(service)) {
    const signIn = await person.open(createRequest(app).url);
    const link = /<a href="([^"]*forgotten[^"]*)">Forgot your password\?/.exec(signIn.text)?.[1] ?? "";
    return { person, signIn, page: await person.open(link.replaceAll("&amp;", "&")) };
  }

  const ask = async (username: string): Promise<Page> => {
    const { person, page } = await openForgotten();
    return person.submit(page, { username });
  };

  test("a user sets a new password with the link, and signs in with it on the same page", async () => {
    const userId = await importAda(service, { userName: "ada", ...ADA });
    const { person, signIn, page } = await openForgotten();
    expect([page.status, page.title]).toEqual([200, "Forgot your password?"]);
    const sent = await person.submit(page, { username: " ADA " });
    expect([sent.status, sent.title]).toEqual([200, SENT]);
    const { code, path } = await lastReceived(service, userId, "password");
    expect((await person.open(path)).text).toContain("<dd>ada</dd>");
    const done = await person.browser.post("/ui/password", { code, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
    expect(done.text).toContain(`href="/ui/account?org=${service.orgId}">Sign in<`);
    // Failures of others no longer delay the user in this browser.
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(/^signet-device=.*; HttpOnly; SameSite=Lax$/)]);
    const { url } = await person.submit(signIn, { username: "ada", password: NEW_PASSWORD });
    expect(url.searchParams.has("code")).toBe(true);
  });

  if (kind === "embedded") return;

  test("the response is the same whether or not a link is sent", async () => {
    const fields = { known: ADA, unverified: { password: PASSWORD }, locked: ADA, none: { email: ADA.email } };
    const ids: Record<string, string> = {};
    for (const [userName, user] of Object.entries(fields))
      ids[userName] = await importAda(service, { userName, ...user });
    await call(service, "LockUser", { id: ids.locked ?? "" });
    const normal = ({ status, text, url }: Page) => [
      status,
      text.replaceAll(url.pathname.replace("/forgotten", ""), "/id"),
    ];
    const expected = normal(await ask("known"));
    for (const name of ["unverified", "locked", "none", "nobody", "known", "admin", "a\0", "x".repeat(9_000)]) {
      expect([name.slice(0, 12), normal(await ask(name))]).toEqual([name.slice(0, 12), expected]);
    }
    const counts = Object.entries(ids).map(async ([name, id]) => [
      name,
      (await received(service, id, "password")).length,
    ]);
    expect(Object.fromEntries(await Promise.all(counts))).toEqual({ known: 1, unverified: 0, locked: 0, none: 1 });
  });

  test("an empty user name shows the form again, and a form without its token the sign-in", async () => {
    const { person, page } = await openForgotten();
    expect((await person.submit(page, { username: " " })).title).toBe("Forgot your password?");
    const refused = await person.submit(page, { username: "ada", token: "" });
    expect([refused.status, refused.title]).toEqual([422, "Sign in"]);
  });

  test("an address with too many requests is rejected for a while", async () => {
    const { person, page } = await openForgotten();
    const titles: string[] = [];
    for (let count = 0; count < 31; count += 10) {
      const pages = await Promise.all(Array.from({ length: 10 }, () => person.submit(page, { username: "nobody" })));
      titles.push(...pages.map(({ title }) => title));
    }
    expect(titles.filter((title) => title === SENT).length).toBeLessThanOrEqual(30);
    expect(titles.at(-1)).toBe("Too many attempts");
  });
});
