import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, userOf, VERIFIED } from "../support/browsers/visitor.ts";
import { ORIGIN, openScene, PASSWORD, picture, type Scene } from "./console-scene.ts";

describeInChromium("a user in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  async function openUser(options: Omit<Parameters<Scene["signIn"]>[0], "path"> = { role: "ORG_OWNER" }) {
    const { service } = scene;
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    const person = await scene.signIn({ ...options, path: `/orgs/${service.orgId}/users/${userId}` });
    await person.page.waitForSelector("section.part:last-of-type li");
    return { ...person, adaId: userId };
  }

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

  test.each([
    ["wide", "light", 1280],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
    ["narrow", "dark", 360],
  ] as const)("the page is accessible and fits: %s, %s", async (size, colorScheme, width) => {
    const { page, problems, close } = await openUser({
      role: "ORG_OWNER",
      colorScheme,
      viewport: { width, height: 800 },
    });
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await picture(page, `console-user-${size}-${colorScheme}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("the profile, the user name and the address are changed, and appear in the history", async () => {
    const { page, adaId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await field(page, "Display name").fill("Augusta Ada");
    await field(page, "Email").fill("augusta@example.com");
    await field(page, "Gender").selectOption("Female");
    await page.click("text=Save");
    await page.waitForSelector("h1 >> text=Augusta Ada");
    expect(await userOf(scene.service, adaId)).toMatchObject({
      first_name: "Augusta",
      last_name: "Lovelace",
      display_name: "Augusta Ada",
      email: "augusta@example.com",
      gender: 1,
    });
    await page.waitForSelector("section.part:last-of-type li >> text=/person|Person/");
    await close();
  });

  test("an error of the API is at its field, and what was entered is kept", async () => {
    const { page, close } = await openUser();
    await field(page, "User name").fill("\u202e");
    await page.click("text=Save");
    await page.waitForSelector(".field .error");
    expect(await field(page, "User name").getAttribute("aria-invalid")).toBe("true");
    expect(await field(page, "User name").inputValue()).toBe("\u202e");
    await page.click("text=Discard changes");
    expect(await page.locator(".field .error").count()).toBe(0);
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const { page, adaId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await call(scene.service, "UpdateUserName", { userId: adaId, userName: "elsewhere" });
    await page.click("text=Save");
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this user");
    expect(await userOf(scene.service, adaId)).toMatchObject({ first_name: "Ada", user_name: "elsewhere" });
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    await close();
  });

  test("roles in the organization are given, changed and taken away", async () => {
    const { page, adaId, close } = await openUser();
    const rolesOfAda = async () => {
      const rows = await scene.service.db.selectFrom("members").select("role").where("user_id", "=", adaId).execute();
      return rows.map(({ role }) => role).sort();
    };
    const save = async () => {
      await page.click("form:has(fieldset) >> text=Save");
      // Only a form with changes has this button.
      await page.waitForSelector("form:has(fieldset) >> text=Discard changes", { state: "detached" });
    };
    await page.check("text=User manager");
    await save();
    await page.click("dialog:has-text('invitation') >> text=Keep them");
    expect(await rolesOfAda()).toEqual(["ORG_USER_MANAGER"]);
    await page.check("text=Viewer");
    await save();
    await page.click("dialog button >> text=End them");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await rolesOfAda()).toEqual(["ORG_USER_MANAGER", "ORG_VIEWER"]);
    await page.uncheck("text=Viewer");
    await page.uncheck("text=User manager");
    await save();
    expect(await rolesOfAda()).toEqual([]);
    await close();
  });

  test("leaving with changes that are not saved asks first", async () => {
    const { page, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    const questions: string[] = [];
    let accepts = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void (accepts ? dialog.accept() : dialog.dismiss());
    });
    const url = page.url();
    await page.click("nav >> text=Users");
    expect(page.url()).toBe(url);
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    accepts = true;
    await page.click("nav >> text=Users");
    await page.waitForURL(/\/users$/);
    expect(questions).toHaveLength(2);
    await close();
  });

  test("a form outlives the end of the session", async () => {
    const { page, userId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await scene.service.db.deleteFrom("oidc_artifacts").where("user_id", "=", userId).execute();
    await page.click("text=Save");
    await page.waitForSelector("dialog >> text=You have been signed out");
    await page.click("dialog >> text=Cancel");
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    await close();
  });

  test("the state decides what is offered, and removing leads to the list", async () => {
    const { page, adaId, close } = await openUser();
    const offered = () => page.locator("main > .buttons > button").allTextContents();
    expect(await offered()).toEqual(["Lock", "Deactivate", "Remove"]);
    await page.click("main > .buttons >> text=Lock");
    await page.click("dialog .buttons >> text=Lock");
    await page.waitForSelector("main > .buttons >> text=Unlock");
    expect(await offered()).toEqual(["Unlock", "Remove"]);
    await page.click("main > .buttons >> text=Remove");
    await page.click("dialog .buttons >> text=Remove");
    await page.waitForURL(/\/users$/);
    const left = await scene.service.db.selectFrom("users").select("id").where("id", "=", adaId).execute();
    expect(left).toEqual([]);
    await close();
  });

  test("metadata is added and removed", async () => {
    const { page, close } = await openUser();
    await page.click("text=Add a value");
    await field(page, "Key").fill("plan");
    await field(page, "Value").fill("gold <b>");
    await page.click("details form >> text=Save");
    await page.waitForSelector(".rows >> text=gold <b>");
    await page.click("[aria-label='Remove plan']");
    await page.waitForSelector(".rows >> text=gold <b>", { state: "detached" });
    await close();
  });

  test("a viewer sees the user, and can change nothing", async () => {
    const { page, close } = await openUser({ role: "ORG_VIEWER" });
    expect(await field(page, "First name").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main button:not(.link)").count()).toBe(0);
    await close();
  });

  test("a user of another organization is not found there", async () => {
    const { page, adaId, close } = await openUser({ role: "INSTANCE_OWNER" });
    const orgId = await scene.service.createOrg("Elsewhere");
    await page.goto(`${ORIGIN}/console/orgs/${orgId}/users/${adaId}`);
    await page.waitForSelector("[role=alert] >> text=USER_NOT_FOUND");
    await close();
  });
});
