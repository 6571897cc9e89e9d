import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { INVITED, ORIGIN, openScene, PASSWORD, type Scene } from "./console-scene.ts";

describeInChromium("the organizations in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const stateOf = async (id: string) =>
    await scene.service.db.selectFrom("orgs").select(["name", "state"]).where("id", "=", id).executeTakeFirst();

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const found = await lookAt(scene, screen, "INSTANCE_OWNER", [
      ["orgs", "/orgs", "tbody a"],
      ["settings", `/orgs/${scene.service.orgId}/settings`, "main form"],
      ["missing", "/nothing", "main a"],
    ]);
    expect(found).toEqual([]);
  });

  test.each(["light", "dark"] as const)("the dialogs are accessible: %s", async (colorScheme) => {
    const { page, problems, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: `/orgs/${await scene.service.createOrg(`Looked at ${colorScheme}`)}/settings`,
      colorScheme,
    });
    for (const [name, open] of [
      ["remove", "main section button >> text=Remove organization"],
      ["deactivate", 'main > .buttons > button >> text="Deactivate"'],
      ["new org", "text=New organization"],
    ] as const) {
      if (name === "new org") await page.goto(`${ORIGIN}/console/orgs`);
      await page.click(open);
      await page.waitForSelector("dialog[open] button");
      expect([name, await findViolations(page)]).toEqual([name, []]);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog[open]", { state: "detached" });
    }
    expect(problems).toEqual([]);
    await close();
  });

  test("an organization is made, renamed, deactivated and reactivated", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await page.uncheck("text=With a first owner");
    await page.click("dialog .buttons >> text=New organization");
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
    expect(await page.locator("main dl .state:not(.good)").textContent()).toBe("Inactive");
    await button("Reactivate").click();
    await page.click("dialog .buttons >> text=Reactivate");
    await button("Deactivate").waitFor();
    expect(await stateOf(id)).toEqual({ name: "Acme Inc.", state: "active" });
    expect(await page.locator("main dl .state.good").textContent()).toBe("Active");
    await close();
  });

  test("a name that is taken is reported in the dialog", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("DEFAULT");
    await page.uncheck("text=With a first owner");
    const add = "dialog .buttons >> text=New organization";
    await page.click(add);
    await page.waitForSelector("dialog .field .error >> text=Another organization has this name");
    // Also where the request has the name within another message.
    await page.check("text=With a first owner");
    for (const label of ["First name", "Last name"]) await page.getByLabel(label).fill("Grace");
    await page.getByLabel("Email", { exact: true }).fill("grace@example.com");
    await page.click(add);
    await page.waitForSelector("dialog .field:has-text('Name') .error >> text=Another organization has this name");
    await close();
  });

  test("an organization is made with its first owner, who is invited", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("Umbrella");
    await page.getByLabel("First name").fill("Grace");
    await page.getByLabel("Last name").fill("Hopper");
    await page.getByLabel("Email", { exact: true }).fill("grace@example");
    await page.click("dialog .buttons >> text=New organization");
    // Each error is at its field.
    await page.waitForSelector("dialog .field .error");
    expect(await page.getByLabel("Email", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Email", { exact: true }).fill("grace@example.com");
    await page.click("dialog .buttons >> text=New organization");
    await page.waitForURL(/\/settings$/);
    await page.waitForSelector("main table >> text=Grace Hopper");
    expect(await page.locator("main tbody tr").allTextContents()).toEqual([expect.stringContaining("Owner")]);
    await page.click("main tbody a");
    await page.click(".tabs >> text=Activity");
    await page.waitForSelector("section >> text=Invitation");
    await close();
  });

  test("an organization is made with an owner who has a password, and must change it", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs" });
    await page.click("text=New organization");
    await page.getByLabel("Name", { exact: true }).fill("Initech");
    await page.getByLabel("First name").fill("Peter");
    await page.getByLabel("Last name").fill("Gibbons");
    await page.getByLabel("Email", { exact: true }).fill("peter@example.com");
    await page.check("dialog >> text=Create with a password");
    await page.getByLabel("Password", { exact: true }).fill("x".repeat(73));
    await page.check("dialog >> text=The address is known to belong to the user");
    await page.waitForSelector("dialog .aside >> text=Nobody gets a message.");
    const add = "dialog .buttons >> text=New organization";
    await page.click(add);
    await page.waitForSelector("dialog .field:has-text('Password') .error");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.click(add);
    await page.waitForURL(/\/settings$/);
    const owner = await scene.service.db
      .selectFrom("users")
      .select(["state", "email_verified", "password_change_required"])
      .where("email", "=", "peter@example.com")
      .executeTakeFirst();
    expect(owner).toEqual({ state: "active", email_verified: true, password_change_required: true });
    await close();
  });

  /** A pass leaves out an organization that a call is locking. */
  async function removeUntil(page: Page, text: string): Promise<void> {
    while (!(await page.isVisible(`dialog >> text=${text}`))) {
      await scene.service.orgRemoval.removeDue();
      await page.waitForTimeout(200);
    }
  }

  test("removing asks for the name, shows the progress, and leads to the others", async () => {
    const id = await scene.service.createOrg("Short-lived");
    const ada = { userName: "ada", profile: { firstName: "Ada", lastName: "Byron" }, ...VERIFIED, password: PASSWORD };
    await call(scene.service, "ImportHumanUser", ada, { "x-service-orgid": id });
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${id}/settings` });
    await page.click("main section button >> text=Remove organization");
    const remove = page.locator("dialog .buttons >> text=Remove organization");
    const field = page.getByLabel("Type Short-lived to confirm");
    await field.fill("short-lived");
    expect(await remove.isDisabled()).toBe(true);
    await field.fill("Short-lived");
    await remove.click();
    await page.waitForSelector("dialog >> text=Users erased so far: 0");
    await removeUntil(page, "Users erased: 1");
    await page.click("dialog >> text=Close");
    await page.waitForURL(`${ORIGIN}/console/orgs`);
    await page.waitForSelector("tbody a");
    expect(await page.locator("tbody a").allTextContents()).not.toContain("Short-lived");
    // The last pass begins when no call of before can be running.
    scene.service.clockOffsetMs += 60_000;
    await scene.service.orgRemoval.removeDue();
    expect(await stateOf(id)).toBeUndefined();
    await close();
  });

  test("members of the organization are added, changed and removed", async () => {
    const { service } = scene;
    const userId = await importAda(service, INVITED);
    const path = `/orgs/${service.orgId}/settings`;
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    const rolesOf = async () => {
      const rows = await service.db.selectFrom("members").select("role").where("user_id", "=", userId).execute();
      return rows.map(({ role }) => role).sort();
    };
    const isInvited = async () => {
      const codes = service.db.selectFrom("codes").select("expires_at").where("user_id", "=", userId);
      return Number((await codes.executeTakeFirstOrThrow()).expires_at) > Date.now() + scene.service.clockOffsetMs;
    };
    await page.click("main section >> text=Add a member");
    await page.getByLabel("User", { exact: true }).fill("katherine");
    await page.click("[role=option] >> text=Katherine Johnson");
    await page.check("dialog >> text=Viewer");
    await page.click("dialog .buttons >> text=Add a member");
    // The invitation, whose link an owner has got.
    const invitation = page.locator("dialog li:has-text('invitation')");
    await invitation.waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Keep them");
    await page.click("dialog >> text=Keep them");
    await page.waitForSelector("main table >> text=Katherine Johnson");
    expect(await rolesOf()).toEqual(["ORG_VIEWER"]);
    expect(await isInvited()).toBe(true);
    await page.click("[aria-label='Change: Katherine Johnson']");
    await page.check("dialog >> text=User manager");
    await page.click("dialog >> text=Save");
    await invitation.waitFor();
    await page.click("dialog button >> text=End them");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("main td >> text=User manager");
    expect(await isInvited()).toBe(false);
    expect(await rolesOf()).toEqual(["ORG_USER_MANAGER", "ORG_VIEWER"]);
    await page.click("[aria-label='Remove Katherine Johnson']");
    await page.click("dialog .buttons >> text=Remove");
    await page.waitForSelector("main table >> text=Katherine Johnson", { state: "detached" });
    expect(await rolesOf()).toEqual([]);
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
