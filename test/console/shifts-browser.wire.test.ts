import type { Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { ORIGIN, openScene, type Scene } from "./console-scene.ts";

/** It was up to 0.22 when pages did not wait for the permissions. Up to 0.1 is good (https://web.dev/articles/cls). */
const MOST = 0.03;

/** The share of the window that has moved since the page began to load. */
const COUNT_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** Holds the calls to a method until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describeInChromium("the pages of the console while they load, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  test.each([360, 1280])("nothing jumps, %s pixels wide", async (width) => {
    const { orgId } = scene.service;
    const userId = await importAda(scene.service, VERIFIED);
    const viewport = { width, height: 800 };
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path: "/orgs", viewport });
    await page.addInitScript(COUNT_SHIFTS);
    const parts = ["", "settings", "users", `users/${userId}`, "apps", "idps", "apis", "webhooks", "audit", "messages"];
    const paths = [...parts.map((part) => `orgs/${orgId}/${part}`), "orgs", "instance", "members"];
    const jumping: [string, unknown][] = [];
    for (const path of paths) {
      await page.goto(`${ORIGIN}/console/${path}`);
      await page.waitForSelector("#main h1");
      await page.waitForLoadState("networkidle");
      const shifted = await page.evaluate("shifted");
      if (Number(shifted) > MOST) jumping.push([path, shifted]);
    }
    expect(jumping).toEqual([]);
    await close();
  });

  test("nothing jumps if the permissions arrive late, and the users after them", async () => {
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", viewport: { width: 360, height: 800 } });
    await page.addInitScript(COUNT_SHIFTS);
    const releasePermissions = await hold(page, "**/ListMyPermissions");
    const releaseUsers = await hold(page, "**/ListUsers");
    await page.reload();
    await page.waitForSelector(".skeleton .line");
    releasePermissions();
    await page.waitForSelector("main input[type=search]");
    await page.waitForSelector(".skeleton .line");
    releaseUsers();
    await page.waitForSelector("tbody tr");
    expect(await page.evaluate<number>("shifted")).toBeLessThanOrEqual(MOST);
    await close();
  });
});
