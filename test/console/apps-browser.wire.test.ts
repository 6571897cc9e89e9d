import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { ORIGIN, openScene, picture, SAVE, type Scene, save } from "./console-scene.ts";

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
  const openApp = async (
    id: string,
    tab: string,
    role: "ORG_OWNER" | "ORG_VIEWER" | "ORG_SETTINGS_MANAGER" = "ORG_OWNER",
  ) => {
    const person = await scene.signIn({ role, path: `/orgs/${scene.service.orgId}/apps/${id}/${tab}` });
    await person.page.waitForSelector("section.part");
    return person;
  };

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const id = await addApp({ roles: ["editor"] });
    const path = `/orgs/${scene.service.orgId}/apps`;
    const found = await lookAt(scene, screen, "ORG_OWNER", [
      ["apps", path, "tbody a"],
      ["new-app", `${path}/new`, ".cards a"],
      ["new-app-form", `${path}/new?kind=web`, "main form"],
      ["app", `${path}/${id}`, "section.part"],
      ["app-addresses", `${path}/${id}/addresses`, "section.part"],
      ["app-tokens", `${path}/${id}/tokens`, "section.part"],
      ["app-roles", `${path}/${id}/roles`, "section.part"],
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
    for (const [name, value] of [
      ["Issuer", ORIGIN],
      ["Discovery", `${ORIGIN}/.well-known/openid-configuration`],
      ["token_endpoint", `${ORIGIN}/oauth/v2/token`],
      ["end_session_endpoint", `${ORIGIN}/oidc/v1/end_session`],
    ]) {
      await page.waitForSelector(`.panel dt:has-text("${name}") + dd code:text-is("${value}")`);
    }
    await page.waitForSelector(".panel .secret");
    expect(await page.textContent(".code >> nth=-1")).toContain("https://wiki.example.com/signed-in");
    await page.click(".tiles >> text=Flask");
    const program = page.locator(".code >> nth=-1 >> pre");
    expect(await program.textContent()).toContain("app = Flask(__name__)\n# At least 32 random characters");
    expect(await program.locator(".keyword >> text=import").count()).toBeGreaterThan(0);
    const cut =
      "[...document.querySelectorAll('.code pre')].filter((pre) => pre.scrollHeight > pre.clientHeight).length";
    expect(await page.evaluate(cut)).toBe(0);
    expect(await findViolations(page)).toEqual([]);
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

  test("the steps lead back to the kind, and what was entered stays", async () => {
    const { page, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: `/orgs/${scene.service.orgId}/apps/new?kind=browser`,
    });
    await field(page, "Name").fill("Wiki");
    expect(await field(page, "Sign-out URIs 1").getAttribute("placeholder")).toBe("https://app.example.com/signed-out");
    await page.click(".stepper >> text=Kind");
    await page.click(".cards >> text=Native application");
    expect(await field(page, "Name").inputValue()).toBe("Wiki");
    await page.click("form >> text=Back");
    await page.waitForSelector(".cards");
    await page.click(".back");
    await page.waitForURL(/\/apps$/);
    await close();
  });

  test("a service gets a machine user of the organization", async () => {
    const { userId } = await call(scene.service, "AddMachineUser", { userName: "nightly", name: "Nightly job" });
    const { page, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: `/orgs/${scene.service.orgId}/apps/new?kind=service`,
    });
    await field(page, "Name").fill("Nightly");
    await page.getByLabel("Machine user").click();
    await page.click("[role=option] >> text=Nightly job");
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
    const { page, close } = await openApp(id, "roles");
    await page.click("[aria-label='Add Roles']");
    await field(page, "Roles 1").fill("editor");
    await page.click("[aria-label='Add Roles']");
    await field(page, "Roles 2").fill("two words");
    await page.click(SAVE);
    await page.waitForSelector(".item:has([aria-label='Roles 2']) .error");
    expect(await field(page, "Roles 2").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".notice").count()).toBe(0);
    expect((await appOf(id)).roles).toEqual([]);
    await close();
  });

  test("only what is changed is saved", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id, "addresses");
    await page.click("[aria-label='Add Redirect URIs']");
    await field(page, "Redirect URIs 2").fill("https://other.example.com/");
    // Another setting changes meanwhile, which this form does not show.
    await call(scene.service, "PatchOIDCAppConfig", { appId: id, metadataClaims: ["plan"] });
    await save(page);
    expect(await appOf(id)).toMatchObject({
      redirect_uris: ["https://shop.example.com/signed-in", "https://other.example.com/"],
      metadata_claims: ["plan"],
      roles: [],
    });
    expect(await field(page, "Redirect URIs 2").inputValue()).toBe("https://other.example.com/");
    await close();
  });

  test("a form no longer says that it was saved once an item is removed, nor when that is discarded", async () => {
    const { page, close } = await openApp(await addApp({ roles: ["editor", "viewer"] }), "roles");
    const saved = page.locator(".announcement >> text=Saved");
    await field(page, "Roles 2").fill("author");
    await page.click(SAVE);
    await saved.waitFor();
    await page.click("[aria-label='Remove Roles 2']");
    await page.locator("text=Discard changes").waitFor();
    expect(await saved.count()).toBe(0);
    await page.locator("text=Discard changes").click();
    expect(await field(page, "Roles 2").inputValue()).toBe("author");
    expect(await saved.count()).toBe(0);
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id, "addresses");
    await field(page, "Redirect URIs 1").fill("https://mine.example.com/");
    await call(scene.service, "PatchOIDCAppConfig", { appId: id, redirectUris: ["https://theirs.example.com/"] });
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    expect((await appOf(id)).redirect_uris).toEqual(["https://theirs.example.com/"]);
    await close();
  });

  test("the secret is replaced, and the application deactivated, reactivated and removed", async () => {
    const id = await addApp();
    const { page, close } = await openApp(id, "tokens");
    const act = async (label: string) => {
      await page.click(`main > .buttons >> text="${label}"`);
      await page.click(`dialog .buttons >> text="${label}"`);
      await page.waitForSelector("dialog", { state: "detached" });
    };
    const before = (await appOf(id)).secret_hash;
    await act("New secret");
    const secret = scene.service.secret((await page.textContent(".secret code")) ?? "");
    await page.click(".tabs >> text=Connect");
    await page.waitForSelector(`.panel .secret >> text=${secret}`);
    expect((await appOf(id)).secret_hash).not.toEqual(before);
    await act("Deactivate");
    await page.waitForSelector("main > .buttons > button >> text=Reactivate");
    expect((await appOf(id)).state).toBe("inactive");
    await act("Reactivate");
    await page.waitForSelector("main > .buttons > button >> text=Deactivate");
    await act("Remove");
    await page.waitForURL(/\/apps$/);
    expect(await scene.service.db.selectFrom("apps").select("id").where("id", "=", id).execute()).toEqual([]);
    await close();
  });

  test("a viewer sees the application, and can change nothing", async () => {
    const { page, close } = await openApp(await addApp(), "addresses", "ORG_VIEWER");
    expect(await field(page, "Redirect URIs 1").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main form button, main > .buttons button").count()).toBe(0);
    expect(await page.locator("main form input:not([readonly]):not([disabled])").count()).toBe(0);
    await close();
  });

  test("somebody who may not act as the users of an application cannot change one with API access", async () => {
    const { page, close } = await openApp(await addApp({ apiAccess: true }), "addresses", "ORG_SETTINGS_MANAGER");
    expect(await field(page, "Redirect URIs 1").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main > .buttons button").allTextContents()).toEqual(["Deactivate", "Remove"]);
    await close();
  });

  test("an application of another organization is not found there", async () => {
    const id = await addApp();
    const orgId = await scene.service.createOrg("Without applications");
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/apps/${id}` });
    await page.waitForSelector("[role=alert] >> text=This application does not exist");
    await page.goto(`${ORIGIN}/console/orgs/${orgId}/apps`);
    await page.waitForSelector(".blank");
    await close();
  });
});
