import type { Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { send } from "../support/clients/send.ts";
import { createDirectory, type Directory, sendTo } from "../support/scim/directory.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { openScene, picture, SAVE, type Scene } from "./console-scene.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

describeInChromium("SCIM connections in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const connectionOf = (id: string) =>
    scene.service.db.selectFrom("scim_connections").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const newOrg = () => scene.service.createOrg(`Org ${Math.random()}`);
  /** A user with an address that no other one has. */
  const user = () => ({
    schemas: [USER],
    userName: `u${Math.random()}`,
    name: { givenName: "Ada", familyName: "Lovelace" },
  });

  /** A connection with a request that succeeded, one that failed, and a search. */
  async function createUsedDirectory(orgId: string, settings = {}): Promise<Directory> {
    const directory = await createDirectory(scene.service, orgId, { name: "Entra ID", ...settings });
    const body = user();
    await directory.send("POST", "/Users", body, { "user-agent": "Okta SCIM Client 1.0.0" });
    await directory.send("POST", "/Users", body);
    await directory.send("GET", '/Users?filter=userName%20eq%20"nobody"');
    return directory;
  }

  test.each(SCREENS.filter(([size, color]) => (size === "wide") === (color === "light")))(
    "the pages are accessible and fit: %s, %s",
    async (...screen) => {
      const orgId = await newOrg();
      const path = `/orgs/${orgId}/scim`;
      const { connectionId } = await createUsedDirectory(orgId);
      const { connectionId: trial } = await createUsedDirectory(orgId, { name: "Okta", isTrial: true });
      const empty = `/orgs/${await newOrg()}/scim`;
      const found = await lookAt(scene, screen, "INSTANCE_OWNER", [
        ["scim", path, "tbody a"],
        ["scim-none", empty, ".blank"],
        ["scim-new", `${path}/new`, "main form"],
        ["scim-connection", `${path}/${connectionId}`, ".notice.good"],
        ["scim-trial", `${path}/${trial}`, ".counts"],
        ["scim-requests", `${path}/${connectionId}/requests`, "tbody tr:has-text('Added')"],
        ["scim-settings", `${path}/${connectionId}/settings`, "main form"],
      ]);
      expect(found).toEqual([]);
    },
  );

  test("a connection is added, and the page shows what to enter in the directory, and when it has called", async () => {
    const orgId = await newOrg();
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${orgId}/scim` });
    await page.click("text=New connection");
    await field(page, "Name").fill("Entra ID");
    await page.check("text=Add silently");
    await page.click("form >> text=New connection");
    const token = scene.service.secret((await page.textContent(".secret code")) ?? "");
    expect(await page.textContent(".panel dl code")).toBe(`${new URL(page.url()).origin}/scim/v2`);
    await page.waitForSelector("text=No request yet");
    await page.waitForSelector("ol >> text=Tenant URL");
    await page.click(".tiles >> text=Okta");
    await page.waitForSelector("ol >> text=SCIM 2.0 Base Url");
    await picture(page, "console-scim-added");
    await sendTo(scene.service, token)("GET", "/Users?count=1");
    await page.waitForSelector("text=/Entra ID called .* ago/");
    await page.click("text=Go to the connection");
    await page.waitForSelector("h1 >> text=Entra ID");
    const [, id = ""] = /scim\/(.+)$/.exec(page.url()) ?? [];
    expect(await connectionOf(id)).toMatchObject({ name: "Entra ID", address_rule: 2, idp_id: null });
    expect(await page.content()).not.toContain(token);
    expect(problems).toEqual([]);
    await close();
  });

  test("the requests have an outcome, are filtered, and lead to the user", async () => {
    const orgId = await newOrg();
    const { connectionId } = await createUsedDirectory(orgId);
    const path = `/orgs/${orgId}/scim/${connectionId}/requests`;
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    await page.waitForSelector("tbody tr:has-text('Added'):has-text('Okta')");
    await page.waitForSelector("tbody tr:has-text('Found: 0')");
    await page.click(".chip >> text=Failed");
    await page.waitForURL(/state=failed/);
    await page.waitForSelector("tbody tr:only-child");
    await page.waitForSelector("tbody tr >> text=Rejected");
    await page.click(".chip >> text=Failed");
    await page.click("tbody tr:has-text('Added') >> text=Show");
    await page.waitForSelector("h1 >> text=Ada Lovelace");
    expect(problems).toEqual([]);
    await close();
  });

  test("a trial says what would happen, and ends", async () => {
    const orgId = await newOrg();
    const { connectionId, send } = await createDirectory(scene.service, orgId, { isTrial: true });
    const path = `/orgs/${orgId}/scim/${connectionId}`;
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    expect(await send("POST", "/Users", user())).toMatchObject({ status: 503 });
    await page.waitForSelector("text=/called .* ago/");
    await page.click(".part:has(h2:text('Try first')) >> text=Refresh");
    await page.waitForSelector(".counts div:has-text('would be added') >> text=1");
    await page.click("text=End the trial, and apply changes");
    await page.click("dialog .buttons >> text=End the trial, and apply changes");
    await page.waitForSelector("text=Start a trial");
    expect(await connectionOf(connectionId)).toMatchObject({ is_trial: false });
    expect(await send("POST", "/Users", user())).toMatchObject({ status: 201 });
    expect(problems).toEqual([]);
    await close();
  });

  test("settings are changed, the token is replaced, and the connection removed", async () => {
    const orgId = await newOrg();
    const { connectionId, token, send: sendUser } = await createDirectory(scene.service, orgId);
    const appId = await createApp(orgId);
    const path = `/orgs/${orgId}/scim/${connectionId}/settings`;
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    await field(page, "Name").fill("People");
    await page.check("text=Reject");
    await field(page, "Groups become roles of").fill("sho");
    await page.click("[role=option] >> text=Shop");
    await page.click(SAVE);
    await page.waitForSelector("h1 >> text=People");
    expect(await connectionOf(connectionId)).toMatchObject({ name: "People", address_rule: 3, group_app_id: appId });
    const act = async (label: string) => {
      await page.click(`main > .buttons >> text="${label}"`);
      await page.click(`dialog .buttons >> text="${label}"`);
      await page.waitForSelector("dialog", { state: "detached" });
    };
    await act("New token");
    const rotated = scene.service.secret((await page.textContent(".secret code")) ?? "");
    expect(rotated).not.toBe(token);
    await page.waitForSelector("dt:has-text('Previous token')");
    expect(await sendUser("GET", "/Users?count=1")).toMatchObject({ status: 200 });
    expect(await sendTo(scene.service, rotated)("GET", "/Users?count=1")).toMatchObject({ status: 200 });
    await act("Remove");
    await page.waitForURL(/\/scim$/);
    await page.waitForSelector(".blank");
    expect(await sendUser("GET", "/Users?count=1")).toMatchObject({ status: 401 });
    expect(problems).toEqual([]);
    await close();
  });

  async function createApp(orgId: string): Promise<string> {
    const headers = { "x-service-orgid": orgId };
    const request = {
      token: scene.service.adminToken,
      headers,
      body: { name: "Shop", redirectUris: ["https://shop.example.com/"] },
    };
    return (await send(scene.service.origin, "POST", "/management/v1/apps/oidc", request)).body.appId;
  }

  test("somebody who only reads can change nothing", async () => {
    const orgId = await newOrg();
    const { connectionId } = await createDirectory(scene.service, orgId, { isTrial: true });
    const path = `/orgs/${orgId}/scim`;
    const { page, close } = await scene.signIn({ role: "INSTANCE_VIEWER", path });
    await page.click("tbody a");
    await page.waitForSelector("text=This is a trial");
    expect(await page.locator("text=/^(New token|Remove|End the trial.*)$/").count()).toBe(0);
    await page.click(".tabs >> text=Settings");
    await page.waitForSelector("main form");
    expect(await field(page, "Name").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main form :is(select, [type=radio]):enabled, main form button").count()).toBe(0);
    await page.goto(`${new URL(page.url()).origin}/console${path}`);
    await page.waitForSelector("tbody a");
    expect(await page.locator("text=New connection").count()).toBe(0);
    expect(await connectionOf(connectionId)).toMatchObject({ is_trial: true });
    await close();
  });
});
