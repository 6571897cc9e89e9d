import type { Page, Route } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { enterPassword, ORIGIN, openScene, type Scene } from "./console-scene.ts";

describeInChromium("signing in to the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const heading = (page: Page) => page.textContent("main h1");

  test("a deep link survives the sign-in, with its query", async () => {
    const path = `/orgs/${scene.service.orgId}/users?q=person&state=active`;
    const { page, problems, elsewhere, close } = await scene.signIn({ role: "ORG_OWNER", path });
    expect(page.url()).toBe(`${ORIGIN}/console${path}`);
    expect(await page.inputValue("main input[type=search]")).toBe("person");
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    await close();
  });

  test("a reload signs in without asking, and the token is stored nowhere", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER" });
    const tokens: string[] = [];
    page.on("request", (request) => {
      const { authorization } = request.headers();
      if (authorization) tokens.push(scene.service.secret(authorization.replace("Bearer ", "")));
    });
    const url = page.url();
    await page.reload();
    await page.waitForSelector("main table");
    expect(page.url()).toBe(url);
    expect(tokens.length).toBeGreaterThan(0);
    const stored = await page.evaluate<string>(
      "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state])",
    );
    for (const token of tokens) expect(stored).not.toContain(token);
    await close();
  });

  test("the address of another host leads to PUBLIC_URL", async () => {
    const context = await scene.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${scene.service.origin}/console/orgs`);
    await page.waitForSelector("#username");
    expect(new URL(page.url()).origin).toBe(ORIGIN);
    await context.close();
  });

  test("somebody without a role sees why there is nothing to manage", async () => {
    const { page, close } = await scene.signIn({});
    expect(await heading(page)).toBe("You have no role");
    await page.click("text=Sign out");
    await page.waitForURL(`${ORIGIN}/console/signed-out`);
    expect(await heading(page)).toBe("You are signed out");
    await close();
  });

  test("after signing out, nobody is signed in again, and the token is invalid", async () => {
    const { page, userName, close } = await scene.signIn({ role: "ORG_OWNER" });
    const request = page.waitForRequest((each) => each.url().endsWith("/ListUsers"));
    await page.click("text=Machines");
    const { authorization = "" } = (await request).headers();
    scene.service.secret(authorization.replace("Bearer ", ""));
    await page.click("button.person");
    await page.click("text=Sign out");
    await page.waitForURL(`${ORIGIN}/console/signed-out`);
    const response = await fetch(`${scene.service.origin}/management/v1/users/_search`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(401);
    await page.click("button >> text=Sign in");
    await enterPassword(page, userName);
    expect(await heading(page)).toBe("Overview");
    await close();
  });

  test("somebody who cancels the sign-in sees this, and can try again", async () => {
    const context = await scene.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${ORIGIN}/console/`);
    await page.click("[value=cancel]");
    await page.waitForSelector("main.card");
    expect(await page.textContent("main.card")).toContain("the user canceled the sign-in");
    expect(new URL(page.url()).search).toBe("");
    await page.click("button >> text=Sign in");
    await page.waitForSelector("#username");
    await context.close();
  });

  test("a session that has ended leads through the sign-in, and back to the same page", async () => {
    const { page, userId, userName, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.waitForSelector("main tbody tr");
    const endSession = async (route: Route) => {
      await scene.service.db.deleteFrom("oidc_artifacts").where("user_id", "=", userId).execute();
      await route.continue();
    };
    await page.route("**/ListUsers", endSession, { times: 1 });
    await page.click("text=Machines");
    await page.waitForSelector("#username");
    await enterPassword(page, userName);
    expect(page.url()).toBe(`${ORIGIN}/console/orgs/${scene.service.orgId}/users?type=machine`);
    await close();
  });
});
