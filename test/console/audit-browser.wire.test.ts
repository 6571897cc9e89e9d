import type { Page } from "playwright-core";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call, importAda } from "../support/browsers/visitor.ts";
import { ORIGIN, openScene, picture, type Scene } from "./console-scene.ts";

describeInChromium("the events in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const auditOf = (orgId: string, query = "") => `/orgs/${orgId}/audit${query}`;

  async function types(page: Page): Promise<string[]> {
    await page.waitForSelector(".table:not([aria-busy=true])");
    return await page.locator("tbody th code").allTextContents();
  }

  test.each([
    ["wide", "light", 1280],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
    ["narrow", "dark", 360],
  ] as const)("the page is accessible and fits: %s, %s", async (size, colorScheme, width) => {
    const viewport = { width, height: 800 };
    const path = auditOf(scene.service.orgId, "?actor=&type=user.human.added");
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER", path, colorScheme, viewport });
    await types(page);
    await page.click("tbody button >> nth=0");
    await page.waitForSelector(".event .changes");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await picture(page, `console-audit-${size}-${colorScheme}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("filters are in the address, and narrow the events", async () => {
    const { service } = scene;
    const userId = await importAda(service);
    await call(service, "LockUser", { id: userId });
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", path: auditOf(service.orgId) });
    await types(page);
    await page.click("text=More filters");
    await page.getByLabel("Object").fill("ada");
    await page.click(`[role=option] >> text=Ada`);
    await page.waitForURL(new RegExp(`object=${userId}`));
    expect(await types(page)).toEqual(["user.locked", "user.human.initialization.requested", "user.human.added"]);
    await page.click(".chip >> text=New users");
    await page.waitForURL(/kind=newUsers/);
    expect(await types(page)).toEqual(["user.human.added"]);
    await page.goBack();
    expect(await types(page)).toHaveLength(3);
    await page.getByLabel("Caused by").fill(userId);
    await page.waitForSelector("[role=option]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=No events");
    await page.click("text=Clear");
    await page.waitForURL((url) => url.search === "");
    await close();
  });

  test("an event has an address, words, its content as JSON, and leads to the user", async () => {
    const { service } = scene;
    const userId = await importAda(service, { profile: { firstName: "<b>Ada</b>", lastName: "L" } });
    const { page, problems, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: auditOf(service.orgId, `?object=${userId}&type=user.human.added`),
    });
    await types(page);
    expect(await page.locator("tbody th").textContent()).toContain("User created");
    await page.click("tbody >> text=Details");
    await page.click(".event >> text=JSON");
    const content = JSON.parse((await page.textContent(".event pre")) ?? "");
    expect(content).toMatchObject({
      type: "user.human.added",
      aggregate: { id: userId, type: "user" },
      payload: { firstName: "<b>Ada</b>" },
    });
    await page.click("text=Address of this event");
    await page.waitForURL(/before=\d+&open=\d+$/);
    await page.reload();
    await page.click(".event >> text=JSON");
    expect(JSON.parse((await page.textContent(".event pre")) ?? "").sequence).toBe(content.sequence);
    await page.click(`tbody a[title='${userId}'] >> nth=0`);
    await page.waitForURL(`${ORIGIN}/console/orgs/${service.orgId}/users/${userId}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("events and their objects have words in the language of the page", async () => {
    const { service } = scene;
    const userId = await importAda(service);
    await call(service, "LockUser", { id: userId });
    const { page, problems, close } = await scene.signIn({
      role: "ORG_OWNER",
      path: auditOf(service.orgId, `?object=${userId}&type=user.locked`),
      locale: "de-CH",
    });
    await types(page);
    expect(await page.locator("tbody th").textContent()).toBe("Benutzer gesperrtuser.locked");
    expect(await page.locator("tbody a >> nth=0").textContent()).toBe("Ada Lovelace");
    expect(await page.locator("tbody td .small >> nth=0").textContent()).toBe("Benutzer");
    await page.click("tbody a >> nth=0");
    await page.click(".tabs >> text=Aktivität");
    await page.waitForSelector("li >> text=Benutzer gesperrt");
    await page.waitForSelector("li >> text=Benutzer angelegt");
    expect(problems).toEqual([]);
    await close();
  });

  test("a change is shown as before and after, with names instead of ids", async () => {
    const { service } = scene;
    const profile = { firstName: "Grace", lastName: "Hopper" };
    const id = await importAda(service, { userName: "grace", profile });
    await call(service, "AddOrgMember", { userId: id, roles: ["ORG_VIEWER"] });
    await call(service, "UpdateOrgMember", { userId: id, roles: ["ORG_OWNER", "ORG_VIEWER"] });
    await call(service, "UpdateHumanProfile", { userId: id, ...profile, lastName: "Murray" });
    const open = async (page: Page, query: string) => {
      await page.goto(`${ORIGIN}/console${auditOf(service.orgId, query)}`);
      await page.click("tbody >> text=Details >> nth=0");
      await page.waitForSelector(".changes");
      const rows = await page.locator(".changes tbody tr").all();
      return await Promise.all(rows.map((row) => row.locator("th, td").allTextContents()));
    };
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER", path: auditOf(service.orgId) });
    expect(await open(page, `?object=${id}&type=user.human.profile.changed`)).toEqual([
      ["lastName", "Hopper", "Murray"],
      ["displayName", "Grace Hopper", "Grace Murray"],
    ]);
    expect(await open(page, "?type=org.member.changed")).toEqual([["roles", "ORG_VIEWER", "ORG_OWNER, ORG_VIEWER"]]);
    expect(await page.locator("tbody th .about >> nth=0").textContent()).toBe("Grace Murray");
    expect(problems).toEqual([]);
    await close();
  });

  test("a day's chart narrows the time, and sign-ins say from where", async () => {
    const { service } = scene;
    const { page, userId, problems, close } = await scene.signIn({ role: "ORG_OWNER", path: auditOf(service.orgId) });
    await page.goto(`${ORIGIN}/console${auditOf(service.orgId, `?object=${userId}&kind=signIns`)}`);
    await types(page);
    expect(await page.locator("tbody td:has-text('Person') .small >> nth=-1").textContent()).toMatch(
      /^Chrom.+ on Linux · 127/,
    );
    await page.click(".hours a[aria-label$=': 1 event']");
    await page.waitForURL(/since=.+&until=/);
    expect(await types(page)).toEqual(["user.human.signed.in"]);
    await page.click(".hours a[aria-label$=': 0 events'] >> nth=0");
    await page.waitForSelector("text=No events");
    expect(problems).toEqual([]);
    await close();
  });

  test("older events are on further pages", async () => {
    const { service } = scene;
    const orgId = await service.createOrg("Busy");
    for (let count = 0; count < 60; count++) {
      await call(
        service,
        "AddMachineUser",
        { userName: `robot-${count}`, name: `Robot ${count}` },
        { "x-service-orgid": orgId },
      );
    }
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: auditOf(orgId) });
    expect(await types(page)).toHaveLength(50);
    await page.click("text=Older");
    await page.waitForURL(/before=\d+/);
    expect(await types(page)).toHaveLength(11);
    expect(await page.locator("text=Older").isDisabled()).toBe(true);
    await page.click("text=Latest");
    expect(await types(page)).toHaveLength(50);
    await close();
  });

  test("new events appear while they are followed", async () => {
    const { service } = scene;
    const orgId = await service.createOrg("Live");
    const { page, problems, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: auditOf(orgId) });
    expect(await types(page)).toEqual(["org.added"]);
    const stream = page.waitForRequest(/\/WatchEvents$/);
    await page.click("text=Follow live");
    await stream;
    await call(service, "AddMachineUser", { userName: "robot", name: "Robot" }, { "x-service-orgid": orgId });
    await page.waitForSelector("tbody >> text=user.machine.added");
    await page.click("text=Follow live");
    await page.waitForURL((url) => !url.searchParams.has("follow"));
    expect(problems).toEqual([]);
    await close();
  });

  test("the events of the instance are those of all organizations, for people with a role in it", async () => {
    const { service } = scene;
    const orgId = await service.createOrg("Third");
    const { page, close } = await scene.signIn({ role: "INSTANCE_VIEWER", path: auditOf(service.orgId) });
    await page.click("text=Events of all organizations");
    await page.waitForURL(`${ORIGIN}/console/instance/audit`);
    await types(page);
    await page.waitForSelector(`tbody a[title='${orgId}']`);
    await close();
    const owner = await scene.signIn({ role: "ORG_OWNER", path: auditOf(service.orgId) });
    await types(owner.page);
    expect(await owner.page.locator("text=Events of all organizations").count()).toBe(0);
    await owner.page.goto(`${ORIGIN}/console/instance/audit`);
    await owner.page.waitForSelector("[role=alert] >> text=You do not have the permission");
    await owner.close();
  });
});
