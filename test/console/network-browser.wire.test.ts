import { sql } from "kysely";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { openScene, PASSWORD, SAVE, type Scene, save } from "./console-scene.ts";
import { type Gate, openGate } from "./gate.ts";

/** What mobile networks of the third generation give: bytes per second, and milliseconds. */
const SLOW_3G = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 2_000 };
const FAST = { offline: false, downloadThroughput: -1, uploadThroughput: -1, latency: 0 };
const OFFLINE = { offline: true, downloadThroughput: 0, uploadThroughput: 0, latency: 0 };

describeInChromium("the console on bad networks, in Chromium", () => {
  let scene: Scene;
  let gate: Gate;
  beforeAll(async () => {
    scene = await openScene({
      toPort: async (port) => {
        gate = await openGate(port);
        return gate.port;
      },
    });
  });
  afterAll(async () => {
    await scene?.close();
    await gate?.close();
  });

  test("on a slow network, a placeholder says that the list is being loaded, and nothing jumps", async () => {
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.waitForSelector("tbody tr");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.emulateNetworkConditions", SLOW_3G);
    // The previous list stays until the next one has come.
    await Promise.all([page.waitForSelector(".table[aria-busy=true] tbody tr"), page.click(".chip >> text=Machines")]);
    await page.waitForSelector(".table[aria-busy=false] tbody tr");
    await Promise.all([page.waitForSelector(".skeleton >> text=Loading"), page.click("nav >> text=Messages")]);
    await page.waitForSelector(".pager p");
    await page.reload();
    await page.waitForSelector(".pager p");
    expect(problems).toEqual([]);
    await close();
  });

  test("without a network, a page says so and can be tried again, and a form keeps what was entered", async () => {
    const userId = await importAda(scene.service, { ...VERIFIED, password: PASSWORD });
    const path = `/orgs/${scene.service.orgId}/users/${userId}`;
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", path });
    await page.waitForSelector("section.part");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", OFFLINE);
    await page.getByLabel("First name", { exact: true }).fill("Augusta");
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=The service cannot be reached");
    expect(await page.getByLabel("First name", { exact: true }).inputValue()).toBe("Augusta");
    await cdp.send("Network.emulateNetworkConditions", FAST);
    await save(page);
    await cdp.send("Network.emulateNetworkConditions", OFFLINE);
    await page.click("nav >> text=Users");
    await page.waitForSelector("[role=alert] >> text=The service cannot be reached");
    await cdp.send("Network.emulateNetworkConditions", FAST);
    await page.click("button >> text=Try again");
    await page.waitForSelector("tbody tr");
    await close();
  });

  test("while the service restarts, a page waits for it, and the person notices nothing", async () => {
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER" });
    await page.waitForSelector("tbody tr");
    await gate.close();
    const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/ListUsers"));
    await page.click(".chip >> text=Machines");
    await refused;
    await gate.open();
    await page.waitForSelector(".table[aria-busy=false] tbody >> text=admin");
    expect(await page.locator("[role=alert]").count()).toBe(0);
    // The browser itself reports failed requests.
    expect(problems.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    await close();
  });

  test("a list with more than 10,000 users says 10,000+, and its pages go on", async () => {
    const orgId = await scene.service.createOrg("Large");
    await sql`
      insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
      select ${orgId}::uuid, gen_random_uuid(), 'machine', 'robot-' || n, 'robot-' || n, 1, now(), now()
      from generate_series(1, 10600) as n`.execute(scene.service.db);
    const path = `/orgs/${orgId}/users?size=500&page=21`;
    const { page, close } = await scene.signIn({ role: "INSTANCE_OWNER", path });
    await page.waitForSelector(".pager p >> text=10,001 to 10,500 of 10,000+");
    await page.click("text=Next");
    await page.waitForSelector(".pager p >> text=10,501 to 10,600 of 10,000+");
    expect(await page.locator("tbody tr").count()).toBe(100);
    await page.click("text=Previous");
    await page.waitForSelector(".pager p >> text=10,001 to 10,500 of 10,000+");
    await close();
  });
});
