import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { ORIGIN, openScene, type Scene } from "./console-scene.ts";

describeInChromium("the ways through the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const marked = (page: Page) => page.textContent("[role=option][aria-selected=true]");

  test("the organization and the instance have their own navigation, with groups", async () => {
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER" });
    await page.waitForSelector("nav >> text=Users");
    expect(await page.locator("nav h2").allTextContents()).toEqual([
      "People",
      "Applications",
      "Sign-in",
      "Organization",
    ]);
    expect(await page.locator("nav >> text=Organizations").count()).toBe(0);
    await page.click("nav >> text=Instance");
    await page.waitForURL(/\/console\/orgs$/);
    expect(await page.textContent("button.org")).toBe("Instance");
    expect(await page.locator("nav >> text=Users").count()).toBe(0);
    await page.waitForSelector("h1");
    expect(await findViolations(page)).toEqual([]);
    await page.click("nav >> text=Back to the organization");
    await page.waitForSelector("nav >> text=Users");
    await close();
  });

  test("on a phone, the navigation is a drawer that a link and Escape close", async () => {
    const viewport = { width: 390, height: 800 };
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", viewport });
    const link = page.locator("nav >> text=Messages");
    expect(await link.isVisible()).toBe(false);
    await page.click("[aria-label=Pages]");
    await link.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await link.waitFor({ state: "hidden" });
    await page.click("[aria-label=Pages]");
    await link.click();
    await page.waitForURL(/\/messages$/);
    await link.waitFor({ state: "hidden" });
    await close();
  });

  test("the switcher is used with the keyboard: type, arrows, Enter", async () => {
    for (const name of ["Birch", "Birch Trading", "Cherry"]) await scene.service.createOrg(name);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER" });
    await page.locator("button.org").press("Enter");
    await page.waitForSelector("#org-menu input:focus");
    await page.keyboard.type("birch");
    await page.waitForSelector("#org-menu [role=option]:nth-of-type(2):last-of-type");
    expect(await marked(page)).toBe("Birch");
    await page.keyboard.press("ArrowDown");
    expect(await marked(page)).toBe("Birch Trading");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector("button.org >> text=Birch Trading");
    expect(await page.locator("#org-menu").isVisible()).toBe(false);
    // Enter before the service has answered does not lead to the first of the organizations that were listed before.
    await page.locator("button.org").press("Enter");
    await page.waitForSelector("#org-menu [role=option] >> text=Cherry");
    await page.route("**/ListOrgs", () => {});
    await page.keyboard.type("cherry");
    await page.keyboard.press("Enter");
    await page.waitForSelector("button.org >> text=/^(Birch|Cherry)$/");
    expect(await page.textContent("button.org")).toBe("Cherry");
    await close();
  });

  test.each([
    ["a page", "messa", "Messages", /\/messages$/],
    ["a setting", "second factor", "Require a second factor", /\/sign-in\/policy$/],
    ["a user", "findme", "Ada Findme", /\/users\/[\w-]+$/],
    ["an application", "shoppe", "Ye Olde Shoppe", /\/apps\/[\w-]+$/],
    ["an organization", "cedar", "Cedar", /\/orgs\/[\w-]+$/],
  ])("Ctrl-K finds %s", async (kind, typed, title, address) => {
    if (kind === "a user")
      await importAda(scene.service, { ...VERIFIED, profile: { firstName: "Ada", lastName: "Findme" } });
    if (kind === "an application")
      await call(scene.service, "AddOIDCApp", { name: title, redirectUris: ["https://x.example.com/"] });
    if (kind === "an organization") await scene.service.createOrg(title);
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER" });
    await page.waitForSelector("tbody tr");
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog input:focus");
    let calls = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/ListApps")) calls++;
    });
    await page.keyboard.type(typed);
    await page.waitForSelector(`dialog [aria-selected=true] >> text=${title}`);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(address);
    expect(await page.locator("dialog").count()).toBe(0);
    // It waits for a pause, not for each key.
    expect(calls).toBeLessThan(typed.length);
    await close();
  });

  test("a list is cards on a phone, with the name, the address and the state", async () => {
    await importAda(scene.service, { ...VERIFIED, profile: { firstName: "Ada", lastName: "Card" } });
    const viewport = { width: 390, height: 800 };
    const path = `/orgs/${scene.service.orgId}/users?q=Card`;
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", path, viewport });
    const card = page.locator("tbody tr");
    await card.waitFor();
    expect(await card.locator(".initials").textContent()).toBe("AC");
    expect(await card.locator(".names .small").textContent()).toBe("ada@example.com");
    // The state is below the name instead of beside it.
    const [name, state] = await Promise.all([card.locator("th").boundingBox(), card.locator(".state").boundingBox()]);
    expect(state?.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0) - 1);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await close();
  });

  test.each([
    ["es", "Usuarios", "Roles y metadatos", "Formas de iniciar sesión", "configuracion", "Configuración"],
    ["fr", "Utilisateurs", "Rôles et métadonnées", "Moyens de connexion", "parametres", "Paramètres"],
  ])("in the language %s, nothing is cut on a phone", async (language, users, lastTab, policy, written, found) => {
    const fields = { name: "Shop", redirectUris: ["https://shop.example.com/signed-in"] };
    const { appId } = await call(scene.service, "AddOIDCApp", fields);
    const viewport = { width: 390, height: 800 };
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER", viewport });
    await page.click("button.person");
    await page.selectOption("#person-menu select >> nth=1", language);
    for (const [path, shown] of [
      ["users", `h1:text-is("${users}")`],
      [`apps/${appId}`, `.tabs >> text=${lastTab}`],
      ["sign-in/policy", `h2:text-is("${policy}")`],
    ] as const) {
      await page.goto(`${ORIGIN}/console/orgs/${scene.service.orgId}/${path}`);
      await page.waitForSelector(shown);
      expect(await page.getAttribute("html", "lang")).toBe(language);
      expect([path, await page.evaluate(CUT)]).toEqual([path, []]);
    }
    await page.keyboard.press("Control+k");
    await page.keyboard.type(written);
    await page.waitForSelector(`[role=option] >> text=${found}`);
    expect(problems).toEqual([]);
    await close();
  });
});

/** The visible texts that are wider than their place. */
const CUT = `Array.from(document.querySelectorAll("html, main :is(h1, h2, p, a, button, label, legend, nav, ul, dt, dd)"))
  .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
  .map((part) => part.textContent.trim().slice(0, 40))`;
