import type { Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { openScene, SAVE, type Scene, save } from "./console-scene.ts";

describeInChromium("the APIs in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  let count = 0;
  const addApi = async (fields: object = {}) => {
    const given = {
      name: "Orders",
      identifier: `https://api.example.com/${++count}`,
      scopes: ["orders:read"],
      ...fields,
    };
    return String((await call(scene.service, "AddAPI", given)).id);
  };
  const apiOf = (id: string) =>
    scene.service.db.selectFrom("apis").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const open = (path: string, role: "ORG_OWNER" | "ORG_VIEWER" = "ORG_OWNER") =>
    scene.signIn({ role, path: `/orgs/${scene.service.orgId}/apis${path}` });

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const id = await addApi();
    const path = `/orgs/${scene.service.orgId}/apis`;
    const found = await lookAt(scene, screen, "ORG_OWNER", [
      ["apis", path, "tbody a"],
      ["new-api", `${path}/new`, "main form"],
      ["api", `${path}/${id}`, "main form"],
    ]);
    expect(found).toEqual([]);
  });

  test("an API is added with its scopes and the application that checks its tokens", async () => {
    const given = { name: "Orders service", redirectUris: ["https://orders.example.com/"] };
    const { appId } = await call(scene.service, "AddOIDCApp", given);
    const { page, problems, close } = await open("");
    await page.click("text=New API");
    await field(page, "Name").fill("Invoices");
    await field(page, "Identifier").fill("https://api.example.com/invoices");
    await field(page, "Scopes 1").fill("invoices:read");
    await page.getByLabel("Checked by").fill("nothing like it");
    await page.waitForSelector("form [role=status]");
    // It does not send the form without an application.
    await page.keyboard.press("Enter");
    await page.getByLabel("Checked by").fill("orders");
    await page.click("[role=option] >> text=Orders service");
    await page.check("text=Allow clients that nobody registers");
    await page.click("form >> text=New API");
    await page.waitForSelector("h1 >> text=Invoices");
    const [, id = ""] = /apis\/(.+)$/.exec(page.url()) ?? [];
    expect((await call(scene.service, "GetAPIByID", { id })).api).toMatchObject({
      identifier: "https://api.example.com/invoices",
      scopes: ["invoices:read"],
      introspectorAppIds: [appId],
      allowsUnregisteredClients: true,
    });
    expect(await field(page, "Identifier").getAttribute("readonly")).not.toBeNull();
    expect(problems).toEqual([]);
    await close();
  });

  test("scopes are changed, an error is at its scope, and the API is removed", async () => {
    const id = await addApi();
    const { page, close } = await open(`/${id}`);
    await page.click("[aria-label='Add Scopes']");
    await field(page, "Scopes 2").fill("openid");
    await page.click(SAVE);
    await page.waitForSelector(".item:has([aria-label='Scopes 2']) .error");
    await field(page, "Scopes 2").fill("orders:write");
    await save(page);
    expect((await apiOf(id)).scopes).toEqual(["orders:read", "orders:write"]);
    await page.click("main > .buttons >> text=Remove");
    await page.click("dialog .buttons >> text=Remove");
    await page.waitForURL(/\/apis$/);
    expect(await scene.service.db.selectFrom("apis").select("id").where("id", "=", id).execute()).toEqual([]);
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const id = await addApi();
    const { page, close } = await open(`/${id}`);
    await field(page, "Name").fill("Mine");
    await call(scene.service, "UpdateAPI", { id, name: "Theirs" });
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    expect((await apiOf(id)).name).toBe("Theirs");
    await close();
  });

  test("a viewer sees the API, and can change nothing", async () => {
    const { page, close } = await open(`/${await addApi()}`, "ORG_VIEWER");
    await page.waitForSelector("main form");
    expect(await page.locator("main form button, main > .buttons button").count()).toBe(0);
    await close();
  });
});
