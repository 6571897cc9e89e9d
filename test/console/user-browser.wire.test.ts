import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, userOf, VERIFIED } from "../support/browsers/visitor.ts";
import { ORIGIN, openScene, PASSWORD, picture, SAVE, type Scene, save } from "./console-scene.ts";

/** The last part of a tab once it is loaded. */
const LAST_PART = "section.part:last-of-type :is(.rows > li, .quiet, fieldset)";

describeInChromium("a user in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  async function openUser(options: Omit<Parameters<Scene["signIn"]>[0], "path"> = { role: "ORG_OWNER" }, tab = "") {
    const { service } = scene;
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    const person = await scene.signIn({ ...options, path: `/orgs/${service.orgId}/users/${userId}${tab}` });
    await person.page.waitForSelector("section.part");
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
    await field(page, "First name").fill("Augusta");
    await page.waitForSelector(SAVE);
    for (const tab of ["Profile", "Security", "Roles", "Activity"]) {
      await page.click(`.tabs >> text=${tab}`);
      await page.waitForSelector(LAST_PART);
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await picture(page, `console-user-${tab.toLowerCase()}-${size}-${colorScheme}`);
      if (tab === "Profile") await page.click("text=Discard changes");
    }
    expect(problems).toEqual([]);
    await close();
  });

  test("the history has the changes of the roles, in the organization and in the instance", async () => {
    const userId = await importAda(scene.service);
    await call(scene.service, "AddOrgMember", { userId, roles: ["ORG_VIEWER"] });
    await call(scene.service, "AddIAMMember", { userId, roles: ["INSTANCE_VIEWER"] });
    const path = `/orgs/${scene.service.orgId}/users/${userId}/activity`;
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    await page.waitForSelector("ol li >> text=Role in the instance granted");
    const rows = await page.locator("ol li .value").allTextContents();
    expect(rows.slice(0, 2)).toEqual([
      expect.stringMatching(/^Role in the instance granted INSTANCE_VIEWER · /),
      expect.stringMatching(/^Role in the organization granted ORG_VIEWER · /),
    ]);
    expect(rows.at(-1)).toMatch(/^User created/);
    expect(problems).toEqual([]);
    await close();
  });

  test("the profile, the user name and the address are changed, and appear in the history", async () => {
    const { page, adaId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await field(page, "Display name").fill("Augusta Ada");
    await field(page, "Email").fill("augusta@example.com");
    await field(page, "Gender").selectOption("Female");
    await page.click(SAVE);
    await page.waitForSelector("h1 >> text=Augusta Ada");
    expect(await userOf(scene.service, adaId)).toMatchObject({
      first_name: "Augusta",
      last_name: "Lovelace",
      display_name: "Augusta Ada",
      email: "augusta@example.com",
      gender: 1,
    });
    await page.click(".tabs >> text=Activity");
    await page.waitForSelector("section.part:last-of-type li >> text=/person|Person/");
    await close();
  });

  test("failed sign-ins are shown with their network and browser", async () => {
    const { page, adaId, close } = await openUser(undefined, "/security");
    const { service } = scene;
    const origin = { network: "192.0.2.0/24", browser: "Firefox" };
    const failure = { orgId: service.orgId, userId: adaId, kind: "password", origin } as const;
    for (let failures = 0; failures < 3; failures++) service.failedSignIns.add(failure, new Date());
    await service.failedSignIns.store(service.db);
    await page.reload();
    const section = page.locator("section.part", { hasText: "Failed sign-ins of the last 7 days" });
    await section.locator("li >> text=192.0.2.0/24 · Firefox").waitFor();
    expect(await section.locator("li").textContent()).toContain("Wrong passwords: 3");
    expect(await findViolations(page)).toEqual([]);
    await close();
  });

  test("a form says that it was saved, and the focus stays where it was", async () => {
    const { page, close } = await openUser();
    const saved = page.locator(".announcement >> text=Saved");
    const isStored = () => page.waitForSelector(SAVE, { state: "detached" });
    await field(page, "First name").fill("Augusta");
    await page.keyboard.press("Enter");
    await saved.waitFor();
    await isStored();
    expect(await page.evaluate("document.activeElement.value")).toBe("Augusta");
    await field(page, "Last name").fill("King");
    await page.waitForSelector(SAVE);
    expect(await saved.count()).toBe(0);
    await page.locator(SAVE).focus();
    await page.keyboard.press("Enter");
    await saved.waitFor();
    await isStored();
    // The button is gone.
    expect(await page.evaluate("document.activeElement.value")).toBe("King");
    await close();
  });

  test("each change says what has happened, and the focus stays near", async () => {
    const { page, close } = await openUser();
    const said = (text: string) => page.waitForSelector(`.announcement >> text=${text}`);
    const focused = (selector: string) => page.waitForSelector(`${selector}:focus`);
    await page.context().grantPermissions(["clipboard-write"]);
    await page.locator("dl [aria-label^=Copy]").first().press("Enter");
    await said("Copied");
    // The same text is read again.
    await page.evaluate("document.querySelector('.announcement p').dataset.earlier = ''");
    await page.locator("dl [aria-label^=Copy]").first().press("Enter");
    await page.waitForSelector(".announcement p:not([data-earlier])");
    await page.click(".tabs >> text=Security");
    await page.locator("text=Send a link to set a new one").press("Enter");
    await said("Sent to ada");
    await focused("button:text-is('Send a link to set a new one')");
    await page.locator("main > .buttons >> text=Lock").press("Enter");
    await page.waitForSelector("dialog >> text=nobody can sign in until it is unlocked");
    await page.keyboard.press("Enter");
    await said("Ada Lovelace is locked");
    await page.waitForSelector("main > .buttons > button >> text=Unlock");
    // The button "Lock" is gone.
    await focused("main > .buttons");
    await page.click(".tabs >> text=Profile");
    await page.click("text=Add a value");
    await field(page, "Key").fill("plan");
    await field(page, "Value").fill("gold");
    await page.keyboard.press("Enter");
    await said("plan was added");
    await page.locator("[aria-label='Remove plan']").press("Enter");
    await said("plan was removed");
    await focused("section:has-text('Metadata')");
    await close();
  });

  test("what is entered while a form is saved is kept, and not said to be saved", async () => {
    const { page, adaId, close } = await openUser();
    await page.route("**/UpdateHumanProfile", async (route) => {
      await field(page, "Nickname").fill("Countess");
      // What is being saved can no longer be discarded.
      await page.locator("text=Discard changes").press("Enter");
      await route.continue();
    });
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await field(page, "First name").fill("Augusta");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${SAVE}[aria-disabled=false]`);
    expect(await userOf(scene.service, adaId)).toMatchObject({ first_name: "Augusta", nick_name: null });
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    expect(await field(page, "Nickname").inputValue()).toBe("Countess");
    expect(await page.locator(".announcement >> text=Saved").count()).toBe(0);
    await page.click("nav >> text=Users");
    expect(questions).toHaveLength(1);
    await close();
  });

  test("an error of the API is at its field, and what was entered is kept", async () => {
    const { page, close } = await openUser();
    await field(page, "User name").fill("\u202e");
    await page.click(SAVE);
    await page.waitForSelector(".field .error");
    expect(await field(page, "User name").getAttribute("aria-invalid")).toBe("true");
    expect(await field(page, "User name").inputValue()).toBe("\u202e");
    await page.click("text=Discard changes");
    expect(await page.locator(".field .error").count()).toBe(0);
    await close();
  });

  test.each([
    ["en-US", "A user with this name or address exists.", "Show the user", "User name"],
    [
      "de-DE",
      "Einen Benutzer mit diesem Namen oder dieser Adresse gibt es schon.",
      "Benutzer anzeigen",
      "Benutzername",
    ],
  ])("a name that is taken is said at its field, with the way to its user: %s", async (locale, words, next, name) => {
    const userName = `taken-${locale}`;
    const otherId = await importAda(scene.service, { userName, ...VERIFIED });
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", locale });
    await page.locator("main .actions button").first().click();
    const inputs = page.locator("dialog .field input");
    const entered = ["Grace", "Hopper", `grace-${locale}@example.com`];
    for (const [index, text] of entered.entries()) await inputs.nth(index).fill(text);
    await page.getByRole("textbox", { name }).fill(userName);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`dialog .field .error >> text=${words}`);
    expect(await page.locator("dialog input:focus").inputValue()).toBe(userName);
    await page.click(`dialog .error a >> text=${next}`);
    await page.waitForURL(new RegExp(`/users/${otherId}$`));
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const { page, adaId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await call(scene.service, "UpdateUserName", { userId: adaId, userName: "elsewhere" });
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    expect(await userOf(scene.service, adaId)).toMatchObject({ first_name: "Ada", user_name: "elsewhere" });
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    await close();
  });

  test("roles in the organization are given, changed and taken away", async () => {
    const { page, adaId, close } = await openUser(undefined, "/roles");
    const rolesOfAda = async () => {
      const rows = await scene.service.db.selectFrom("members").select("role").where("user_id", "=", adaId).execute();
      return rows.map(({ role }) => role).sort();
    };
    await page.check("text=User manager");
    await save(page);
    await page.click("dialog:has-text('invitation') >> text=Keep them");
    expect(await rolesOfAda()).toEqual(["ORG_USER_MANAGER"]);
    await page.check("text=Viewer");
    await save(page);
    await page.click("dialog button >> text=End them");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await rolesOfAda()).toEqual(["ORG_USER_MANAGER", "ORG_VIEWER"]);
    await page.uncheck("text=Viewer");
    await page.uncheck("text=User manager");
    await save(page);
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

  test("the bar says which forms are not saved, and saves or discards them", async () => {
    const { page, adaId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await field(page, "Phone").fill("+41 44 668 18 00");
    await page.waitForSelector(".save-bar >> text=Changes to save: Profile, Phone and verification");
    await page.click("text=Discard changes");
    await page.waitForSelector(".save-bar", { state: "detached" });
    expect(await field(page, "First name").inputValue()).toBe("Ada");
    expect(await field(page, "Phone").inputValue()).toBe("");
    await field(page, "First name").fill("Augusta");
    await field(page, "Phone").fill("+41 44 668 18 00");
    await save(page);
    expect(await userOf(scene.service, adaId)).toMatchObject({ first_name: "Augusta", phone: "+41446681800" });
    await close();
  });

  test("a tab has an address, and changes that are not saved hold the person back", async () => {
    const { page, close } = await openUser(undefined, "/security");
    await page.waitForSelector("h2 >> text=Ways to sign in");
    await page.click(".tabs >> text=Profile");
    await page.waitForURL(/[^y]$/);
    await page.goBack();
    await page.waitForSelector("h2 >> text=Ways to sign in");
    expect(page.url()).toMatch(/\/security$/);
    await page.click(".tabs >> text=Profile");
    await field(page, "First name").fill("Augusta");
    page.on("dialog", (dialog) => void dialog.dismiss());
    await page.click(".tabs >> text=Security");
    expect(await field(page, "First name").inputValue()).toBe("Augusta");
    await close();
  });

  test("a form outlives the end of the session", async () => {
    const { page, userId, close } = await openUser();
    await field(page, "First name").fill("Augusta");
    await scene.service.db.deleteFrom("oidc_artifacts").where("user_id", "=", userId).execute();
    await page.click(SAVE);
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
    await page.waitForSelector("main > .buttons > button >> text=Unlock");
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
    await page.click("details form >> text=Add a value");
    await page.waitForSelector(".rows >> text=gold <b>");
    await page.click("[aria-label='Remove plan']");
    await page.waitForSelector(".rows >> text=gold <b>", { state: "detached" });
    await close();
  });

  test("a viewer sees the user, and can change nothing", async () => {
    const { page, close } = await openUser({ role: "ORG_VIEWER" });
    expect(await field(page, "First name").getAttribute("readonly")).not.toBeNull();
    for (const tab of ["Security", "Roles", "Activity"]) {
      expect(await page.locator("main button:not(.link)").count()).toBe(0);
      await page.click(`.tabs >> text=${tab}`);
      await page.waitForSelector(LAST_PART);
    }
    expect(await page.locator("main button:not(.link)").count()).toBe(0);
    await close();
  });

  test("a user of another organization is not found there", async () => {
    const { page, adaId, close } = await openUser({ role: "INSTANCE_OWNER" });
    const orgId = await scene.service.createOrg("Elsewhere");
    await page.goto(`${ORIGIN}/console/orgs/${orgId}/users/${adaId}`);
    await page.waitForSelector("[role=alert] >> text=This user does not exist in the organization");
    await page.click("[role=alert] summary");
    await page.waitForSelector("[role=alert] >> text=USER_NOT_FOUND");
    await page.waitForSelector("[role=alert] >> text=/Request [\\w-]+/");
    await close();
  });
});
