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
    await page.click(".steps >> text=Set up a mail server");
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
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}` });
    const number = (label: string) => page.locator(`[aria-label='${label}'] .number`);
    await page.waitForSelector("[aria-label='New users'] table");
    expect(await number("New users").textContent()).toBe("3");
    expect(await number("Sign-ins").textContent()).toBe("0");
    expect(await number("Waiting messages").textContent()).toBe("1");
    const counted = await page.locator("[aria-label='New users'] td").allTextContents();
    expect(counted.reduce((sum, text) => sum + Number(text), 0)).toBe(3);
    expect(await page.locator("[aria-label='New users'] rect").count()).toBe(24);
    await page.click("main >> text=New users");
    await page.waitForURL(/\/audit\?kind=newUsers$/);
    await page.waitForSelector("tbody tr >> nth=2");
    expect(await page.locator("tbody th").allTextContents()).toEqual(Array(3).fill("User createduser.human.added"));
    await close();
  });
});
