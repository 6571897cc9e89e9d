import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { importAda } from "../support/browsers/visitor.ts";
import { openScene, picture, type Scene } from "./console-scene.ts";

describeInChromium("messages in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  /** Imports a user whose invitation was rejected. */
  async function inviteInVain(): Promise<string> {
    const userId = await importAda(scene.service);
    await scene.service.db
      .updateTable("messages")
      .set({
        state: "failed",
        next_attempt_at: null,
        ended_at: new Date(),
        attempts: 3,
        last_error: "550 no such mailbox",
      })
      .where("user_id", "=", userId)
      .execute();
    return userId;
  }

  const stateOf = async (userId: string) =>
    (await scene.service.db.selectFrom("messages").select("state").where("user_id", "=", userId).executeTakeFirst())
      ?.state;

  test.each([
    ["wide", "light", 1280],
    ["wide", "dark", 1280],
    ["narrow", "light", 360],
    ["narrow", "dark", 360],
  ] as const)("the page is accessible and fits: %s, %s", async (size, colorScheme, width) => {
    await inviteInVain();
    await importAda(scene.service);
    const path = `/orgs/${scene.service.orgId}/messages`;
    const viewport = { width, height: 800 };
    const { page, problems, close } = await scene.signIn({ role: "ORG_OWNER", path, colorScheme, viewport });
    await page.waitForSelector("tbody tr >> nth=1");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await picture(page, `console-messages-${size}-${colorScheme}`);
    expect(problems).toEqual([]);
    await close();
  });

  test("a message that has failed says why, and is sent again", async () => {
    const { service } = scene;
    const userId = await inviteInVain();
    const path = `/orgs/${service.orgId}/messages`;
    const { page, close } = await scene.signIn({ role: "ORG_USER_MANAGER", path });
    await page.click(".chip >> text=Failed");
    await page.waitForURL(/state=failed$/);
    const row = page.locator(`tbody tr:has(a[href$='${userId}'])`);
    await row.waitFor();
    expect(await row.textContent()).toContain("Invitation");
    expect(await row.textContent()).toContain("550 no such mailbox");
    await row.locator("text=Send again").click();
    await row.waitFor({ state: "detached" });
    expect(await stateOf(userId)).toBe("waiting");
    await page.click(".chip >> text=Waiting");
    await row.waitFor();
    await service.delivery.deliverDue();
    expect(await stateOf(userId)).toBe("sent");
    await close();
  });

  test("the page of a user shows the messages, and sends one again", async () => {
    const { service } = scene;
    const userId = await inviteInVain();
    const path = `/orgs/${service.orgId}/users/${userId}/activity`;
    const { page, close } = await scene.signIn({ role: "ORG_USER_MANAGER", path });
    await page.click("[aria-label='Send again: ada@example.com']");
    await page.waitForSelector("section >> text=Message sent again");
    expect(await stateOf(userId)).toBe("waiting");
    await close();
  });

  test("a viewer sends none again, and an empty list says so", async () => {
    const orgId = await scene.service.createOrg("Silent");
    const { page, close } = await scene.signIn({
      role: "INSTANCE_VIEWER",
      path: `/orgs/${scene.service.orgId}/messages`,
    });
    await page.waitForSelector("tbody tr");
    expect(await page.locator("text=Send again").count()).toBe(0);
    await page.click("button.org");
    await page.fill("#org-menu input", "Silent");
    await page.click("#org-menu >> text=Silent");
    await page.waitForURL(new RegExp(`/orgs/${orgId}/messages$`));
    await page.waitForSelector("main >> text=No messages");
    await close();
  });
});
