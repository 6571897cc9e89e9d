import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, userOf, VERIFIED } from "../support/browsers/visitor.ts";
import { INVITED, ORIGIN, openScene, PASSWORD, picture, type Scene } from "./console-scene.ts";

describeInChromium("the instance in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const rolesOf = async (userId: string) => {
    const rows = await scene.service.db.selectFrom("members").select("role").where("user_id", "=", userId).execute();
    return rows.map(({ role }) => role).sort();
  };

  test.each([
    ["wide", "light", 1280],
    ["narrow", "dark", 360],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
  ] as const)("the pages are accessible and fit: %s, %s", async (size, colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, problems, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: "/instance",
      colorScheme,
      viewport,
    });
    for (const [name, path] of [
      ["instance", "/instance"],
      ["members", "/instance/members"],
      ["instance-audit", "/instance/audit"],
    ]) {
      await page.goto(`${ORIGIN}/console${path}`);
      await page.waitForSelector("main table");
      expect([name, await findViolations(page)]).toEqual([name, []]);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, width]);
      await picture(page, `console-${name}-${size}-${colorScheme}`);
    }
    await page.goto(`${ORIGIN}/console/instance/members`);
    await page.click("text=Add a member");
    await page.waitForSelector("dialog");
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  test("the state of the instance contains versions, keys, queues and settings", async () => {
    const { service } = scene;
    const { page, close } = await scene.signIn({ role: "INSTANCE_VIEWER", path: "/instance" });
    await page.waitForSelector("main table");
    const text = (await page.textContent("main")) ?? "";
    for (const shown of [service.instanceId, "1.2.3", service.keyring.currentKeyId, "PUBLIC_URL", ORIGIN, "0 days"]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain("Written to files: SMTP_URL is not set");
    await importAda(service);
    await page.click("text=Check again");
    await page.waitForSelector("li:has-text('Waiting emails') >> text=the oldest since");
    await close();
  });

  test("members are added by name or id, changed, and removed", async () => {
    const { service } = scene;
    const katherine = await importAda(service, INVITED);
    const orgId = await service.createOrg("Elsewhere");
    const { userId: foreignId } = await call(
      service,
      "ImportHumanUser",
      { userName: "grace", profile: { firstName: "Grace", lastName: "Hopper" }, ...VERIFIED, password: PASSWORD },
      { "x-service-orgid": orgId },
    );
    const grace = String(foreignId);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/instance/members" });
    const add = async (text: string, choice: string, role: string) => {
      await page.click("main >> text=Add a member");
      await page.getByLabel("User", { exact: true }).fill(text);
      await page.click(`[role=option] >> text=${choice}`);
      await page.check(`dialog >> text="${role}"`);
      await page.click("dialog .buttons >> text=Add a member");
    };
    await add("kathe", "Katherine Johnson", "Viewer");
    await page.click("dialog >> text=Keep them");
    await page.waitForSelector("main table >> text=Katherine Johnson");
    expect(await rolesOf(katherine)).toEqual(["INSTANCE_VIEWER"]);
    await add(grace, "by its id", "User manager");
    await page.waitForSelector("dialog li >> text=Password");
    await page.click("dialog button >> text=End them");
    await page.waitForSelector("main table >> text=Grace Hopper");
    expect(await userOf(service, grace)).toMatchObject({ password_hash: null });
    expect(await rolesOf(grace)).toEqual(["INSTANCE_USER_MANAGER"]);
    await page.click("[aria-label='Change: Grace Hopper']");
    await page.uncheck('dialog >> text="User manager"');
    await page.check('dialog >> text="Viewer"');
    await page.click("dialog >> text=Save");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await rolesOf(grace)).toEqual(["INSTANCE_VIEWER"]);
    await page.click("[aria-label='Remove Katherine Johnson']");
    await page.click("dialog .buttons >> text=Remove");
    await page.waitForSelector("main table >> text=Katherine Johnson", { state: "detached" });
    expect(await rolesOf(katherine)).toEqual([]);
    await close();
  });

  test("nobody is offered to change their own roles, nor a viewer any", async () => {
    const owner = await scene.signIn({ role: "INSTANCE_OWNER", path: "/instance/members" });
    const row = owner.page.locator(`tbody tr:has(a[href$='${owner.userId}'])`);
    await row.waitFor();
    expect(await row.locator("button").count()).toBe(0);
    await owner.close();
    const viewer = await scene.signIn({ role: "INSTANCE_VIEWER", path: "/instance/members" });
    await viewer.page.waitForSelector("tbody tr");
    expect(await viewer.page.locator("main button:not([aria-disabled=true])").count()).toBe(0);
    await viewer.close();
  });
});
