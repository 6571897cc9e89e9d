import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda, userOf, VERIFIED } from "../support/browsers/visitor.ts";
import { IDP } from "../support/clients/requests.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { ORIGIN, openScene, PASSWORD, picture, SAVE, type Scene, save } from "./console-scene.ts";

describeInChromium("new users and what they have, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const field = (page: Page, label: string) =>
    page.locator("input:not([type=checkbox])").and(page.getByLabel(label, { exact: true }));
  const idIn = (page: Page) => /users\/([\w-]+)/.exec(page.url())?.[1] ?? "";

  async function openUser(userId: string, tab = "") {
    const path = `/orgs/${scene.service.orgId}/users/${userId}${tab}`;
    const person = await scene.signIn({ role: "ORG_OWNER", path });
    await person.page.waitForSelector("section.part");
    return person;
  }

  test("a person is added, with an address for the user name, and invited", async () => {
    const { page, problems, close } = await scene.signIn({ role: "ORG_USER_MANAGER" });
    await page.click("text=New user");
    expect(await findViolations(page)).toEqual([]);
    await field(page, "First name").fill("Grace");
    await field(page, "Last name").fill("Hopper");
    await field(page, "Email").fill("grace@example.com");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/users\/[0-9a-f-]{36}$/);
    await page.click(".tabs >> text=Activity");
    await page.waitForSelector("section >> text=Invitation");
    expect(await userOf(scene.service, idIn(page))).toMatchObject({
      user_name: "grace@example.com",
      email: "grace@example.com",
    });
    expect(problems).toEqual([]);
    await close();
  });

  test("a person is added with a password, a phone number and a role, and the dialog says who gets which message", async () => {
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.click("text=New user");
    await field(page, "First name").fill("Ada");
    await field(page, "Last name").fill("King");
    await field(page, "Email").fill("king@example.com");
    const messages = page.locator("dialog .aside");
    await messages.locator("text=king@example.com gets an invitation by email.").waitFor();
    expect(await page.locator("dialog [type=submit]").textContent()).toBe("Send invitation");
    await page.check("dialog >> text=Create with a password");
    await field(page, "Password").fill(PASSWORD);
    await messages.locator("text=king@example.com gets an email to confirm the address.").waitFor();
    await page.check("dialog >> text=The address is known to belong to the user");
    await messages.locator("text=Nobody gets a message.").waitFor();
    await field(page, "Phone").fill("+41 79 123 45 67");
    await messages.locator("text=+41 79 123 45 67 gets an SMS to confirm the number").waitFor();
    await page.getByLabel("Role").selectOption("ORG_VIEWER");
    expect(await findViolations(page)).toEqual([]);
    await picture(page, "console-new-user");
    await page.click("dialog .buttons >> text=Add user");
    await page.waitForURL(/\/users\/[0-9a-f-]{36}$/);
    const userId = idIn(page);
    expect(await userOf(scene.service, userId)).toMatchObject({
      ...{ state: "active", email_verified: true, password_change_required: true, phone: "+41791234567" },
    });
    const { db } = scene.service;
    expect(await db.selectFrom("members").select("role").where("user_id", "=", userId).execute()).toEqual([
      { role: "ORG_VIEWER" },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test("a user who did not get the role is shown nevertheless", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.click("text=New user");
    await field(page, "First name").fill("Ada");
    await field(page, "Last name").fill("Byron");
    await field(page, "Email").fill("byron@example.com");
    await page.getByLabel("Role").selectOption("ORG_VIEWER");
    await page.route("**/AddOrgMember", (route) => route.abort());
    await page.click("dialog .buttons >> text=Send invitation");
    await page.waitForSelector("dialog >> text=but did not get the role");
    await page.click("dialog >> text=Show the user");
    await page.waitForSelector("h1 >> text=Ada Byron");
    await close();
  });

  test("somebody who may not give roles is not offered any", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_USER_MANAGER" });
    await page.click("text=New user");
    await field(page, "First name").waitFor();
    expect(await page.getByLabel("Role").count()).toBe(0);
    await close();
  });

  test("what was changed of a new user is shown, with the user added", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_USER_MANAGER" });
    await page.click("text=New user");
    await field(page, "First name").fill("Grace\u200e");
    await field(page, "Last name").fill("Hopper");
    await field(page, "Email").fill("hopper@example.com");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog li >> text=invisible marks at its ends");
    expect(await findViolations(page)).toEqual([]);
    await page.click("dialog >> text=Show the user");
    await page.waitForURL(/\/users\/[0-9a-f-]{36}$/);
    expect(await userOf(scene.service, idIn(page))).toMatchObject({ first_name: "Grace" });
    await close();
  });

  test("an error of a new user is at its field", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_USER_MANAGER" });
    await page.click("text=New user");
    await field(page, "First name").fill("Grace");
    await field(page, "Last name").fill("Hopper");
    await field(page, "Email").fill("grace@example");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog .error");
    expect(await field(page, "Email").getAttribute("aria-invalid")).toBe("true");
    await close();
  });

  test.each([
    ["wide", "light", 1280],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
    ["narrow", "dark", 360],
  ] as const)("the page of a machine is accessible and fits: %s, %s", async (size, colorScheme, width) => {
    const { service } = scene;
    const { userId } = await call(service, "AddMachineUser", {
      userName: `billing-${size}-${colorScheme}`,
      name: "Billing",
    });
    await call(service, "AddPersonalAccessToken", { userId: String(userId) });
    const path = `/orgs/${service.orgId}/users/${userId}/security`;
    const viewport = { width, height: 800 };
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER", path, colorScheme, viewport });
    await page.click("summary >> text=Create a token");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await picture(page, `console-machine-${size}-${colorScheme}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("a machine is added and renamed; its token is shown once, works, and ends", async () => {
    const { service } = scene;
    const { page, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.click("text=New user");
    await page.check("dialog >> text=A machine");
    await field(page, "Name").fill("Billing");
    await field(page, "User name").fill("billing");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1 >> text=Billing");
    await field(page, "Description").fill("Sends invoices");
    await save(page);
    expect(await userOf(service, idIn(page))).toMatchObject({ description: "Sends invoices" });
    await page.click(".tabs >> text=Roles");
    await page.check("text=Viewer");
    await save(page);
    await page.click(".tabs >> text=Security");
    await page.click("summary >> text=Create a token");
    await field(page, "Last day").fill("2099-12-31");
    await page.click("details button >> text=Create a token");
    const token = service.secret((await page.textContent(".secret code")) ?? "");
    expect(token).toMatch(/^signet_pat_/);
    const list = async () => {
      const response = await fetch(`${service.origin}/management/v1/users/_search`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      return response.status;
    };
    expect(await list()).toBe(200);
    await page.reload();
    await page.waitForSelector(`text=…${token.slice(-4)}`);
    expect(await page.textContent("main")).not.toContain(token);
    expect(await page.textContent("main")).toContain("Dec 31, 2099");
    await page.click(`[aria-label='Remove …${token.slice(-4)}']`);
    await page.waitForSelector(`text=…${token.slice(-4)}`, { state: "detached" });
    expect(await list()).toBe(401);
    await close();
  });

  test("a phone number is set, verified by SMS or marked as such, and removed", async () => {
    const userId = await importAda(scene.service, { ...VERIFIED, password: PASSWORD });
    const { page, close } = await openUser(userId);
    await field(page, "Phone").fill("044 668 18 00");
    await page.click(SAVE);
    await page.waitForSelector(".field .error");
    await field(page, "Phone").fill("+41 44 668 18 00");
    await page.check("text=The number is verified");
    await page.click(SAVE);
    await page.waitForSelector("text=Remove the number");
    expect(await userOf(scene.service, userId)).toMatchObject({ phone: "+41446681800", phone_verified: true });
    await page.click(".tabs >> text=Security");
    await page.click("text=Send it by SMS");
    await page.waitForSelector("[role=alert] >> text=No SMS can be sent");
    await page.click(".tabs >> text=Profile");
    const change = { userId, phone: "+41446681801", isPhoneVerified: true };
    await call(scene.service, "UpdateHumanPhone", change);
    await field(page, "Phone").fill("+41 44 668 18 02");
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    expect(await userOf(scene.service, userId)).toMatchObject({ phone: change.phone });
    await page.click("text=Remove the number");
    await page.waitForSelector("text=Remove the number", { state: "detached" });
    expect(await userOf(scene.service, userId)).toMatchObject({ phone: null });
    await close();
  });

  test("an address is marked as verified", async () => {
    const userId = await importAda(scene.service, { password: PASSWORD });
    const { page, close } = await openUser(userId);
    await page.click("text=Mark the address as verified");
    await page.waitForSelector("text=Mark the address as verified", { state: "detached" });
    expect(await userOf(scene.service, userId)).toMatchObject({ email_verified: true });
    await close();
  });

  test("a password is set, which the user must change", async () => {
    const userId = await importAda(scene.service, VERIFIED);
    const { page, close } = await openUser(userId, "/security");
    await page.click("summary >> text=Set a password");
    await field(page, "New password").fill(PASSWORD);
    await page.click("details button >> text=Set a password");
    await page.waitForSelector(".announcement >> text=The password was set");
    expect(await userOf(scene.service, userId)).toMatchObject({ password_change_required: true });
    await close();
  });

  test("an account at a provider is linked", async () => {
    const { service } = scene;
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await call(service, "AddOrgOIDCIDP", { ...IDP, name: "Workforce" });
    const { page, close } = await openUser(userId, "/security");
    await page.click("summary >> text=Link an account");
    await field(page, "Id at the provider").fill("ada.at.work");
    await page.click("details button >> text=Link an account");
    await page.waitForSelector("section li >> text=ada.at.work");
    await close();
  });

  test("roles in an application are given and taken away", async () => {
    const { service } = scene;
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    await createTestApp(service, service.orgId, { roles: ["editor", "reader"] });
    const { page, close } = await openUser(userId, "/roles");
    const section = page.locator("section:has-text('Roles in applications')");
    const rolesOf = async () =>
      (await service.db.selectFrom("user_app_roles").select("role").where("user_id", "=", userId).execute()).map(
        ({ role }) => role,
      );
    await section.locator("text=editor").check();
    await save(page);
    expect(await rolesOf()).toEqual(["editor"]);
    await section.locator("text=editor").uncheck();
    await section.locator("text=reader").check();
    await save(page);
    expect(await rolesOf()).toEqual(["reader"]);
    await close();
  });

  test("a viewer of the organization gets no form for any of it", async () => {
    const { service } = scene;
    const { userId } = await call(service, "AddMachineUser", { userName: "quiet", name: "Quiet" });
    const { page, close } = await scene.signIn({ role: "ORG_VIEWER" });
    await page.goto(`${ORIGIN}/console/orgs/${service.orgId}/users/${userId}/security`);
    await page.waitForSelector("section.part");
    expect(await page.locator("main button:not(.link), main summary").count()).toBe(0);
    await close();
  });
});
