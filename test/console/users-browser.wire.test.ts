import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, userOf } from "../support/browsers/visitor.ts";
import { until } from "../support/until.ts";
import { ORIGIN, openScene, picture, type Scene } from "./console-scene.ts";

const NARROW = { viewport: { width: 360, height: 740 } };
const WIDE = { viewport: { width: 1280, height: 800 } };

describeInChromium("the users in the console, in Chromium", () => {
  let scene: Scene;
  let acorn: string;
  beforeAll(async () => {
    scene = await openScene();
    const invited = { email: { email: "katherine@example.com" }, password: undefined };
    const people = { "Ada Lovelace": {}, "Grace Hopper": {}, "Katherine Johnson": invited };
    acorn = (await newOrg(people, "Acorn")).orgId;
  });
  afterAll(() => scene?.close());

  /** The names in the list, once it shows what the address says. */
  async function names(page: Page): Promise<string[]> {
    await page.waitForSelector(".table:not([aria-busy=true])");
    return await page.locator("tbody th a").allTextContents();
  }

  /** Imports users of a new organization. */
  async function newOrg(people: Readonly<Record<string, object>>, orgName = `Org ${Math.random()}`) {
    const orgId = await scene.service.createOrg(orgName);
    const ids: Record<string, string> = {};
    for (const [name, fields] of Object.entries(people)) {
      const [firstName = "", lastName = "Lovelace"] = name.split(" ");
      const { userId } = await call(
        scene.service,
        "ImportHumanUser",
        {
          userName: name.toLowerCase().replace(" ", "."),
          profile: { firstName, lastName },
          email: { email: `${firstName.toLowerCase()}@example.com`, isEmailVerified: true },
          password: "a password of 9",
          ...fields,
        },
        { "x-service-orgid": orgId },
      );
      ids[name] = String(userId);
    }
    return { orgId, ids };
  }

  test.each([
    ["wide", "light", WIDE],
    ["wide", "dark", WIDE],
    ["narrow", "light", NARROW],
    ["narrow", "dark", NARROW],
  ] as const)("the list is accessible and fits: %s, %s", async (size, colorScheme, screen) => {
    const { page, problems, elsewhere, close } = await scene.signIn({
      ...{ role: "INSTANCE_OWNER", path: `/orgs/${acorn}/users`, colorScheme, ...screen },
    });
    await names(page);
    await page.check("tbody input >> nth=0");
    await page.waitForSelector(".bulk >> text=1 selected");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(screen.viewport.width);
    await picture(page, `console-users-${size}-${colorScheme}`);
    await page.keyboard.press("?");
    await page.waitForSelector("dialog");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.click("button.person");
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    await close();
  });

  test("one box finds users by a part of the name or address, by phone number, by id, and by id in another system", async () => {
    const metadata = [{ key: "external_id", value: Buffer.from("crm-17").toString("base64") }];
    const phone = { phone: "+41791234567" };
    const people = { "Ada Lovelace": { phone }, "Grace Hopper": { metadata }, "Katherine Johnson": {} };
    const { orgId, ids } = await newOrg(people);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/users` });
    const search = async (text: string) => {
      await page.fill("main input[type=search]", text);
      await page.waitForURL((url) => url.searchParams.get("q") === text);
      return await names(page);
    };
    expect(await search("OVELA")).toEqual(["Ada Lovelace"]);
    expect(await search("katherine@")).toEqual(["Katherine Johnson"]);
    expect(await search(ids["Grace Hopper"] ?? "")).toEqual(["Grace Hopper"]);
    expect(await search("crm-17")).toEqual(["Grace Hopper"]);
    expect(await search("+41791234567")).toEqual(["Ada Lovelace"]);
    expect(await search(ids["Katherine Johnson"] ?? "")).toEqual(["Katherine Johnson"]);
    expect(await search("+41 79 123")).toEqual(["Ada Lovelace"]);
    await page.fill("main input[type=search]", "nobody");
    await page.waitForSelector("text=No users");
    await close();
  });

  test("the address says what is sorted and filtered, and the button of the browser goes back", async () => {
    const { orgId, ids } = await newOrg({ "Ada Lovelace": {}, "Grace Hopper": {}, "Katherine Johnson": {} });
    await call(scene.service, "LockUser", { id: ids["Grace Hopper"] ?? "" }, { "x-service-orgid": orgId });
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/users` });
    expect(await names(page)).toEqual(["Katherine Johnson", "Grace Hopper", "Ada Lovelace"]);
    await page.click("th >> text=Name");
    await page.waitForURL(/sort=name&dir=asc/);
    expect(await names(page)).toEqual(["Ada Lovelace", "Grace Hopper", "Katherine Johnson"]);
    await page.click(".chip >> text=Locked");
    await page.waitForURL(/state=locked/);
    expect(await names(page)).toEqual(["Grace Hopper"]);
    await page.goBack();
    expect(await names(page)).toEqual(["Ada Lovelace", "Grace Hopper", "Katherine Johnson"]);
    expect(new URL(page.url()).searchParams.get("state")).toBeNull();
    await close();
  });

  test("pages have a size, a total and numbers", async () => {
    const people = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`Person ${number + 10}`, {}]));
    const { orgId } = await newOrg(people);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/users?size=25` });
    expect(await names(page)).toHaveLength(25);
    expect(await page.textContent(".pager p")).toBe("1 to 25 of 30");
    await page.click("text=Next");
    await page.waitForURL(/page=2/);
    expect(await names(page)).toHaveLength(5);
    expect(await page.textContent(".pager p")).toBe("26 to 30 of 30");
    expect(await page.isDisabled("text=Next")).toBe(true);
    await page.selectOption(".pager select", "50");
    await page.waitForURL(/size=50/);
    expect(await names(page)).toHaveLength(30);
    await close();
  });

  test("several users are locked at once, and each has its result", async () => {
    const { orgId, ids } = await newOrg({ "Ada Lovelace": {}, "Grace Hopper": {} });
    await call(scene.service, "LockUser", { id: ids["Grace Hopper"] ?? "" }, { "x-service-orgid": orgId });
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/users` });
    await names(page);
    expect(await page.locator(".bulk button").count()).toBe(0);
    await page.check("[aria-label='Select all on this page']");
    await page.waitForSelector(".bulk >> text=2 selected");
    await page.click(".bulk >> text=Lock");
    await page.waitForSelector("dialog >> text=For an account that may be misused");
    await page.click("dialog .buttons >> text=Lock");
    await page.waitForSelector("text=1 done, 1 failed, 0 waiting");
    await page.waitForSelector(".results >> text=The user is locked");
    const results = await page.locator(".results li").allTextContents();
    expect(results.sort()).toEqual(["Ada Lovelace done", expect.stringMatching(/^Grace Hopper The user is locked/)]);
    await page.click("dialog >> text=Close");
    expect((await userOf(scene.service, ids["Ada Lovelace"] ?? "")).state).toBe("locked");
    await page.locator("td .state >> text=Locked").nth(1).waitFor();
    await close();
  });

  test("what one may not do is not offered", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_VIEWER" });
    await names(page);
    expect(await page.locator(".bulk").count()).toBe(0);
    expect(await page.locator("tbody input[type=checkbox]").count()).toBe(0);
    expect(await page.locator("nav a").allTextContents()).toEqual([
      "Overview",
      "Users",
      "Messages",
      "Applications",
      "APIs",
      "Providers",
      "Sign-in page",
      "Audit",
      "Settings",
    ]);
    expect(await page.locator("main .heading button").count()).toBe(0);
    await close();
  });

  test("somebody who may not read users gets no link to them", async () => {
    const { page, problems, close } = await scene.signIn({ role: "ORG_SETTINGS_MANAGER", path: "" });
    await page.waitForURL(`${ORIGIN}/console/orgs/${scene.service.orgId}`);
    await page.click("nav >> text=Settings");
    await page.waitForSelector("main dl");
    expect(await page.locator("nav a").allTextContents()).toEqual([
      "Overview",
      "Applications",
      "APIs",
      "Providers",
      "Sign-in page",
      "Settings",
    ]);
    expect(await page.locator("main form button").count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("another organization keeps the page, and is found by a part of its name", async () => {
    const { orgId } = await newOrg({ "Ada Lovelace": {} });
    const org = await scene.service.db
      .selectFrom("orgs")
      .select("name")
      .where("id", "=", orgId)
      .executeTakeFirstOrThrow();
    const { page, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: `/orgs/${scene.service.orgId}/settings`,
    });
    await page.click("button.org");
    await page.fill("#org-menu input", org.name);
    await page.click(`#org-menu >> text=${org.name}`);
    await page.waitForURL(`${ORIGIN}/console/orgs/${orgId}/settings`);
    await page.waitForSelector(`button.org >> text=${org.name}`);
    await close();
  });

  test("the keyboard opens the search and the pages", async () => {
    const { page, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: `/orgs/${scene.service.orgId}/settings`,
    });
    // The page may follow keys only a moment after it is shown.
    await until("the keys open the users", async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("u");
      return page.url().endsWith("/users");
    });
    await names(page);
    await page.keyboard.press("/");
    // As slow as a search begins, so that each search meets the next character.
    await page.keyboard.type("nobody?", { delay: 255 });
    await page.waitForURL(/q=nobody/);
    expect(await page.locator("dialog").count()).toBe(0);
    await close();
  });

  test("a name that looks like HTML is text", async () => {
    const name = '<img src=x onerror="document.title=1">';
    const userId = await importAda(scene.service, { profile: { firstName: name, lastName: "Lovelace" } });
    const { page, problems, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: `/orgs/${scene.service.orgId}/users?q=${userId}`,
    });
    expect(await names(page)).toEqual([`${name} Lovelace`]);
    await page.click("tbody th a");
    await page.waitForSelector("section.part");
    expect(await page.textContent("h1")).toBe(`${name} Lovelace`);
    expect(await page.locator("main img").count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("columns, colors and the language are kept in this browser", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", colorScheme: "light" });
    await names(page);
    await page.click("text=Columns");
    await page.check(".columns >> text=Id");
    await page.uncheck(".columns >> text=Created");
    await page.click("button.person");
    await page.selectOption("#person-menu select >> nth=0", "dark");
    await page.selectOption("#person-menu select >> nth=1", "de");
    await page.reload();
    expect(await names(page)).not.toEqual([]);
    expect(await page.textContent("h1")).toBe("Benutzer");
    const headings = await page.locator("thead th").allTextContents();
    expect(headings.map((text) => text.trim())).toEqual(["", "Name", "Zustand", "Letzte Anmeldung", "ID"]);
    expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    expect(await page.getAttribute("html", "lang")).toBe("de");
    await close();
  });

  test("an error shows what the API said, and the service can be tried again", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER" });
    await names(page);
    await page.route("**/ListUsers", (route) => route.abort());
    await page.click(".chip >> text=Machines");
    await page.waitForSelector("text=The service cannot be reached");
    await page.unroute("**/ListUsers");
    await page.click("button >> text=Try again");
    await page.waitForSelector("[role=alert]", { state: "detached" });
    await close();
  });
});
