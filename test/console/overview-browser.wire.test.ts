import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, VERIFIED } from "../support/browsers/visitor.ts";
import { IDP } from "../support/clients/requests.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { openScene, PASSWORD, picture, type Scene } from "./console-scene.ts";

describeInChromium("the overview in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  test.each([
    ["wide", "light", 1280],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
    ["narrow", "dark", 360],
  ] as const)("the page is accessible and fits: %s, %s", async (size, colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, problems, elsewhere, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: "",
      colorScheme,
      viewport,
    });
    await page.waitForSelector(".steps a");
    await page.waitForSelector(".stat table");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const widths = await page
      .locator(".steps li")
      .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
    await picture(page, `console-overview-${size}-${colorScheme}`);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    await close();
  });

  test("what to do first is what is not done", async () => {
    const { service } = scene;
    const orgId = await service.createOrg("New");
    const headers = { "x-service-orgid": orgId };
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}` });
    const left = async () => {
      await page.waitForSelector(".stat table, .stat .small");
      return await page.locator(".steps a").allTextContents();
    };
    await page.waitForSelector(".steps a");
    // The test service writes emails to files, and other tests have added owners of the instance.
    expect(await left()).toEqual(
      expect.arrayContaining(["Set up a mail server", "Add users", "Add an application", "Connect a provider"]),
    );
    for (const userName of ["ada", "grace"]) {
      const profile = { firstName: userName, lastName: "L" };
      await call(service, "ImportHumanUser", { userName, profile, ...VERIFIED, password: PASSWORD }, headers);
    }
    await createTestApp(service, orgId);
    await call(service, "AddOrgOIDCIDP", IDP, headers);
    await page.reload();
    await page.waitForSelector(".steps .done >> text=Connect a provider");
    expect(await left()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/Add users|Add an application|Connect a provider/)]),
    );
    // The next step is the first one that is not done.
    await page.waitForSelector(".next-step >> text=Next: Set up a mail server");
    await page.click(".next-step >> text=Begin");
    await page.waitForURL(/\/console\/instance$/);
    await close();
  });

  test("the last 24 hours are counted by hour, with links to the events", async () => {
    const { service } = scene;
    const orgId = await service.createOrg("Counted");
    const headers = { "x-service-orgid": orgId };
    for (const name of ["ada", "grace"]) {
      const user = { userName: name, profile: { firstName: name, lastName: "L" }, ...VERIFIED, password: PASSWORD };
      await call(service, "ImportHumanUser", user, headers);
    }
    const invited = { userName: "x", profile: { firstName: "X", lastName: "Y" }, email: { email: "x@example.com" } };
    await call(service, "ImportHumanUser", invited, headers);
    const failure = { orgId, userId: undefined, kind: "password", origin: {} } as const;
    for (let failures = 0; failures < 12; failures++) service.failedSignIns.add(failure, new Date());
    await service.failedSignIns.store(service.db);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}` });
    const number = (label: string) => page.locator(`[aria-label='${label}'] .number`);
    await page.waitForSelector("[aria-label='New users'] table");
    expect(await number("New users").textContent()).toBe("3");
    expect(await number("Sign-ins").textContent()).toBe("0");
    expect(await number("Failed sign-ins").textContent()).toBe("12");
    expect(await page.locator("[aria-label='Failed sign-ins'] td").allTextContents()).toEqual(["12"]);
    expect(await number("Waiting messages").textContent()).toBe("1");
    const counted = await page.locator("[aria-label='New users'] td").allTextContents();
    expect(counted.reduce((sum, text) => sum + Number(text), 0)).toBe(3);
    expect(await page.locator("[aria-label='New users'] .bar").count()).toBe(24);
    await page.click("main >> text=New users");
    await page.waitForURL(/\/audit\?kind=newUsers&since=/);
    await page.waitForSelector("tbody tr >> nth=2");
    expect(await page.locator("tbody th").allTextContents()).toEqual(Array(3).fill("User createduser.human.added"));
    await page.goBack();
    await page.click("main >> text=Failed sign-ins");
    await page.waitForURL(/\/audit\?kind=failures&since=/);
    await page.waitForSelector("li >> text=Wrong passwords: 12");
    expect(await page.locator(".hours a[aria-label$=': 12 events']").count()).toBe(1);
    await close();
  });

  test("a tile does not wait for another one", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "" });
    await page.waitForSelector("[aria-label='New users'] table");
    const held = Promise.withResolvers<void>();
    await page.route(/\/(ListUserMessages|CountFailedSignIns|ListUsers)$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.waitForSelector("[aria-label='New users'] table");
    expect(await page.locator("[aria-label='Failed sign-ins'] .number").textContent()).toBe("…");
    expect(await page.locator(".steps").count()).toBe(0);
    held.resolve();
    await page.waitForSelector(".steps li");
    await close();
  });
});
