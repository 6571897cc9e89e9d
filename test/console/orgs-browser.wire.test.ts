import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { ORIGIN, openScene, picture, type Scene } from "./console-scene.ts";

describeInChromium("the organizations in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const stateOf = async (id: string) =>
    await scene.service.db.selectFrom("orgs").select(["name", "state"]).where("id", "=", id).executeTakeFirst();

  test.each([
    ["wide", "light", 1280],
    ["narrow", "dark", 360],
  ] as const)("the pages are accessible and fit: %s, %s", async (size, colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, problems, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: "/orgs",
      colorScheme,
      viewport,
    });
    for (const [name, path] of [
      ["orgs", "/orgs"],
      ["settings", `/orgs/${scene.service.orgId}/settings`],
      ["missing", "/nothing"],
    ]) {
      await page.goto(`${ORIGIN}/console${path}`);
      await page.waitForSelector(name === "orgs" ? "tbody a" : name === "settings" ? "main form" : "main a");
      expect([name, await findViolations(page)]).toEqual([name, []]);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, width]);
      await picture(page, `console-${name}-${size}-${colorScheme}`);
    }
    expect(problems).toEqual([]);
    await close();
  });

  test("an organization is made, renamed, deactivated and reactivated", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings$/);
    const [, id = ""] = /orgs\/(.+)\/settings/.exec(page.url()) ?? [];
    await page.getByLabel("Name", { exact: true }).fill("Acme Inc.");
    await page.click("text=Rename");
    await page.waitForSelector("button.org >> text=Acme Inc.");
    const button = (label: string) => page.locator(`main > .buttons > button >> text="${label}"`);
    await button("Deactivate").click();
    await page.click("dialog .buttons >> text=Deactivate");
    await button("Reactivate").waitFor();
    expect(await stateOf(id)).toEqual({ name: "Acme Inc.", state: "inactive" });
    await button("Reactivate").click();
    await page.click("dialog .buttons >> text=Reactivate");
    await button("Deactivate").waitFor();
    expect(await stateOf(id)).toEqual({ name: "Acme Inc.", state: "active" });
    await close();
  });

  test("a name that is taken is reported in the dialog", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("DEFAULT");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog [role=alert] >> text=ORG_NAME_TAKEN");
    await close();
  });

  test("an owner of one organization sees no others", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER" });
    await scene.service.createOrg("Hidden");
    await page.click("button.org");
    await page.waitForSelector("#org-menu a");
    expect(await page.locator("#org-menu a").allTextContents()).toEqual(["default"]);
    expect(await page.locator("nav >> text=Organizations").count()).toBe(0);
    await close();
  });
});
