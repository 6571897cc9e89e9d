import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { ORIGIN, openScene, picture, type Scene } from "./console-scene.ts";

describeInChromium("the applications in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const addApp = async (fields: object = {}) => {
    const given = { name: "Shop", redirectUris: ["https://shop.example.com/signed-in"], ...fields };
    return String((await call(scene.service, "AddOIDCApp", given)).appId);
  };
  const appOf = (id: string) =>
    scene.service.db.selectFrom("apps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const openApp = async (id: string, role: "ORG_OWNER" | "ORG_VIEWER" | "ORG_SETTINGS_MANAGER" = "ORG_OWNER") => {
    const person = await scene.signIn({ role, path: `/orgs/${scene.service.orgId}/apps/${id}` });
    await person.page.waitForSelector("section.part:last-of-type");
    return person;
  };

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const id = await addApp({ roles: ["editor"] });
    const path = `/orgs/${scene.service.orgId}/apps`;
    const found = await lookAt(scene, screen, "ORG_OWNER", [
      ["apps", path, "tbody a"],
      ["new-app", `${path}/new`, ".cards a"],
      ["new-app-form", `${path}/new?kind=web`, "main form"],
      ["app", `${path}/${id}`, "section.part:last-of-type"],
    ]);
    expect(found).toEqual([]);
  });

  test("an application is added in three steps, and its secret is shown once", async () => {
    const { page, problems, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: `/orgs/${scene.service.orgId}/apps`,
    });
    await page.click("text=New application");
    await page.click(".cards >> text=Web application");
    await field(page, "Name").fill("Wiki");
    await field(page, "Redirect URIs 1").fill("http://wiki.example.com/");
    await page.waitForSelector(".item .error >> text=http is allowed in development mode only");
    await field(page, "Redirect URIs 1").fill("https://wiki.example.com/signed-in");
    expect(await page.locator(".item .error").count()).toBe(0);
    await page.click("form >> text=New application");
    const secret = scene.service.secret((await page.textContent(".secret code")) ?? "");
    expect(secret).toHaveLength(43);
    expect(await findViolations(page)).toEqual([]);
    await picture(page, "console-new-app-added");
    expect(await page.textContent(".code >> nth=-1")).toContain("https://wiki.example.com/signed-in");
    await page.click("text=To the application");
    await page.waitForSelector("h1 >> text=Wiki");
    const [, id = ""] = /apps\/([\w-]+)$/.exec(page.url()) ?? [];
    expect(await appOf(id)).toMatchObject({
      name: "Wiki",
      type: "web",
      auth_method: "basic",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: ["https://wiki.example.com/signed-in"],
    });
    await page.goBack();
    await page.waitForSelector(".cards, form");
    expect(await page.content()).not.toContain(secret);
    expect(problems).toEqual([]);
    await close();
  });

  test("a service gets a machine user of the organization", async () => {
    const { userId } = await call(scene.service, "AddMachineUser", { userName: "nightly", name: "Nightly job" });
    const { page, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: `/orgs/${scene.service.orgId}/apps/new?kind=service`,
    });
    await field(page, "Name").fill("Nightly");
    await page.getByLabel("Machine user").selectOption({ label: "Nightly job (nightly)" });
    await page.click("form >> text=New application");
    await page.waitForSelector(".secret code");
    scene.service.secret((await page.textContent(".secret code")) ?? "");
    await page.click("text=To the application");
    await page.waitForSelector("h1 >> text=Nightly");
    const [, id = ""] = /apps\/([\w-]+)$/.exec(page.url()) ?? [];
    expect(await appOf(id)).toMatchObject({ type: "service", service_user_id: userId });
    await close();
  });

  test("an error of the API is at the field of the list that it is about", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id);
    await page.click("[aria-label='Add Roles']");
    await field(page, "Roles 1").fill("editor");
    await page.click("[aria-label='Add Roles']");
    await field(page, "Roles 2").fill("two words");
    await page.click("section:has-text('Roles and metadata') >> text=Save");
    await page.waitForSelector(".item:has([aria-label='Roles 2']) .error");
    expect(await field(page, "Roles 2").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".notice").count()).toBe(0);
    expect((await appOf(id)).roles).toEqual([]);
    await close();
  });

  test("only what is changed is saved, and the other forms keep what was entered", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id);
    await page.click("[aria-label='Add Roles']");
    await field(page, "Roles 1").fill("editor");
    await page.click("[aria-label='Add Redirect URIs']");
    await field(page, "Redirect URIs 2").fill("https://other.example.com/");
    // Another setting changes meanwhile, which this form does not show.
    await call(scene.service, "PatchOIDCAppConfig", { appId: id, metadataClaims: ["plan"] });
    await page.click("section:has-text('Addresses') >> text=Save");
    await page.waitForSelector("section:has-text('Addresses') >> text=Discard changes", { state: "detached" });
    expect(await appOf(id)).toMatchObject({
      redirect_uris: ["https://shop.example.com/signed-in", "https://other.example.com/"],
      metadata_claims: ["plan"],
      roles: [],
    });
    expect(await field(page, "Redirect URIs 2").inputValue()).toBe("https://other.example.com/");
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id);
    await field(page, "Redirect URIs 1").fill("https://mine.example.com/");
    await call(scene.service, "PatchOIDCAppConfig", { appId: id, redirectUris: ["https://theirs.example.com/"] });
    await page.click("section:has-text('Addresses') >> text=Save");
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this application");
    expect((await appOf(id)).redirect_uris).toEqual(["https://theirs.example.com/"]);
    await close();
  });

  test("the secret is replaced, and the application deactivated, reactivated and removed", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id);
    const act = async (label: string) => {
      await page.click(`main > .buttons >> text="${label}"`);
      await page.click(`dialog .buttons >> text="${label}"`);
      await page.waitForSelector("dialog", { state: "detached" });
    };
    const before = (await appOf(id)).secret_hash;
    await act("New secret");
    scene.service.secret((await page.textContent(".secret code")) ?? "");
    expect((await appOf(id)).secret_hash).not.toEqual(before);
    await act("Deactivate");
    await page.waitForSelector("main > .buttons >> text=Reactivate");
    expect((await appOf(id)).state).toBe("inactive");
    await act("Reactivate");
    await page.waitForSelector("main > .buttons >> text=Deactivate");
    await act("Remove");
    await page.waitForURL(/\/apps$/);
    expect(await scene.service.db.selectFrom("apps").select("id").where("id", "=", id).execute()).toEqual([]);
    await close();
  });

  test("a viewer sees the application, and can change nothing", async () => {
    const { page, close } = await openApp(await addApp(), "ORG_VIEWER");
    expect(await field(page, "Redirect URIs 1").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main form button, main > .buttons button").count()).toBe(0);
    expect(await page.locator("main form input:not([readonly]):not([disabled])").count()).toBe(0);
    await close();
  });

  test("somebody who may not act as the users of an application cannot change one with API access", async () => {
    const { page, close } = await openApp(await addApp({ apiAccess: true }), "ORG_SETTINGS_MANAGER");
    expect(await field(page, "Redirect URIs 1").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main > .buttons button").allTextContents()).toEqual(["Deactivate", "Remove"]);
    await close();
  });

  test("an application of another organization is not found there", async () => {
    const id = await addApp();
    const orgId = await scene.service.createOrg("Without applications");
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/apps/${id}` });
    await page.waitForSelector("[role=alert] >> text=APP_NOT_FOUND");
    await page.goto(`${ORIGIN}/console/orgs/${orgId}/apps`);
    await page.waitForSelector(".blank");
    await close();
  });
});
