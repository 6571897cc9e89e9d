import type { Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { importAda, userOf, VERIFIED } from "../support/browsers/visitor.ts";
import { until } from "../support/until.ts";
import { openScene, PASSWORD, SAVE, type Scene } from "./console-scene.ts";

/** The number of keys for each task, besides the texts that are typed. It begins on the list of users, or on the page of the user. */
const KEYS: Readonly<Record<string, number>> = {
  "find a user, and open the page": 3,
  "list the locked users": 5,
  "add a user": 6,
  "lock a user": 5,
  "change the first name of a user": 11,
  "send a user a link to set a new password": 12,
  "see the failed sign-ins": 6,
  "send a message again that has failed": 5,
  "go to another organization": 3,
  "give a user a role in the instance, and keep what others have placed for the user": 11,
};

const SEARCH = "main input[type=search]:focus";

/** Presses keys, and counts them. Texts that are typed count as nothing, because every way needs them. */
class Keyboard {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      this.count += 1;
    }
  }

  /**
   * Presses keys, and waits for their effect. Without it, presses them again, because the page may follow keys only a
   * moment after it is shown.
   */
  async pressFor(selector: string, ...keys: string[]): Promise<void> {
    this.count += keys.length;
    await until(`${keys.join(" ")} leads to ${selector}`, async () => {
      for (const key of keys) await this.#page.keyboard.press(key);
      return this.#page.waitForSelector(selector, { timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Presses Tab until the focus is on the element. */
  async tabTo(selector: string): Promise<void> {
    for (let tabs = 0; tabs < 60; tabs++) {
      await this.press("Tab");
      if (await this.#page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }
}

describeInChromium("the console with the keyboard only, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  async function begin(path?: string) {
    const person = await scene.signIn({ role: "INSTANCE_OWNER", ...(path !== undefined && { path }) });
    await person.page.waitForSelector(".table:not([aria-busy=true]), section.part");
    return { ...person, keys: new Keyboard(person.page) };
  }

  const newAda = (lastName: string) =>
    importAda(scene.service, { ...VERIFIED, profile: { firstName: "Ada", lastName }, password: PASSWORD });
  const pageOf = (userId: string) => `/orgs/${scene.service.orgId}/users/${userId}`;

  /** Each task begins on the page where it is wanted, with the focus where the page has put it. */
  const TASKS: Readonly<Record<string, () => Promise<number>>> = {
    async "find a user, and open the page"() {
      const userId = await newAda("Findable");
      const { page, keys, close } = await begin();
      await keys.pressFor(SEARCH, "/");
      await keys.type("findable");
      await page.waitForURL(/q=findable/);
      await page.waitForSelector(".table:not([aria-busy=true]) >> text=Ada Findable");
      await keys.press("ArrowDown", "Enter");
      await page.waitForURL(new RegExp(`/users/${userId}$`));
      await close();
      return keys.count;
    },
    async "list the locked users"() {
      const { page, keys, close } = await begin();
      await keys.pressFor(SEARCH, "/");
      for (let chip = 0; chip < 3; chip++) await keys.press("Tab");
      await keys.press("Enter");
      await page.waitForURL(/state=locked/);
      await close();
      return keys.count;
    },
    async "add a user"() {
      const { page, keys, close } = await begin();
      await keys.press("Tab", "Enter");
      await page.waitForSelector("dialog");
      for (const text of ["Grace", "Hopper", "grace.keys@example.com"]) {
        await keys.press("Tab");
        await keys.type(text);
      }
      await keys.press("Enter");
      await page.waitForSelector("h1 >> text=Grace Hopper");
      await close();
      return keys.count;
    },
    async "lock a user"() {
      const userId = await newAda("Lockable");
      const { page, keys, close } = await begin(pageOf(userId));
      await keys.tabTo(".buttons button");
      await keys.press("Enter");
      await page.waitForSelector("dialog");
      await keys.press("Enter");
      await page.waitForSelector("main > .buttons > button >> text=Unlock");
      expect((await userOf(scene.service, userId)).state).toBe("locked");
      await close();
      return keys.count;
    },
    async "change the first name of a user"() {
      const userId = await newAda("Renamed");
      const { page, keys, close } = await begin(pageOf(userId));
      await keys.tabTo("form input");
      await keys.type("Augusta");
      await keys.press("Enter");
      await page.waitForSelector(SAVE, { state: "detached" });
      expect((await userOf(scene.service, userId)).first_name).toBe("Augusta");
      await close();
      return keys.count;
    },
    async "send a user a link to set a new password"() {
      const userId = await newAda("Forgetful");
      const { page, keys, close } = await begin(pageOf(userId));
      await keys.tabTo(".tabs a[href$='/security']");
      await keys.press("Enter");
      await page.waitForSelector("section.part li button");
      await keys.tabTo("section.part li button");
      await keys.press("Enter");
      await page.waitForSelector("text=Sent");
      await close();
      return keys.count;
    },
    async "see the failed sign-ins"() {
      const { page, keys, close } = await begin();
      await keys.pressFor("nav a[href$='/audit'][aria-current]", "g", "e");
      await page.waitForURL(/\/audit$/);
      await page.waitForSelector(".chip");
      await keys.tabTo(".chips button:nth-of-type(2)");
      await keys.press("Enter");
      await page.waitForURL(/kind=failures/);
      await close();
      return keys.count;
    },
    async "send a message again that has failed"() {
      const userId = await importAda(scene.service, { profile: { firstName: "Ada", lastName: "Unreached" } });
      await scene.service.db
        .updateTable("messages")
        .set({ state: "failed", next_attempt_at: null, ended_at: new Date(), attempts: 1, last_error: "550 no" })
        .where("user_id", "=", userId)
        .execute();
      const { page, keys, close } = await begin();
      await keys.pressFor("tbody >> text=550 no", "g", "m");
      await keys.press("ArrowDown", "Tab", "Enter");
      // The list still says why the last attempt failed.
      await page.waitForSelector("tbody .state >> text=Failed", { state: "detached" });
      await close();
      return keys.count;
    },
    async "go to another organization"() {
      await scene.service.createOrg("Reachable");
      const { page, keys, close } = await begin();
      await keys.pressFor("#org-menu input:focus", "g", "g");
      await keys.type("reachable");
      await page.waitForSelector("#org-menu a >> text=Reachable");
      await until("one organization is left", async () => (await page.locator("#org-menu a").count()) === 1);
      await keys.press("Enter");
      await page.waitForSelector("button.org >> text=Reachable");
      await close();
      return keys.count;
    },
    async "give a user a role in the instance, and keep what others have placed for the user"() {
      const userId = await newAda("Promoted");
      const { page, keys, close } = await begin();
      await keys.pressFor("main >> text=Add a member", "g", "r");
      await page.waitForSelector("main tbody tr");
      await keys.press("Tab", "Enter");
      await page.waitForSelector("dialog");
      await keys.type("promoted");
      await page.waitForSelector("dialog >> text=Ada Promoted");
      // What is chosen has the focus.
      await keys.press("Enter");
      await page.waitForSelector("dialog .chosen button:focus");
      await keys.press("Tab", "Tab", "Tab", "Space", "Enter");
      // Her invitation, which somebody else has made: "Keep them" has the focus.
      await page.waitForSelector("dialog button:focus >> text=Keep them");
      await keys.press("Enter");
      await page.waitForSelector("main tbody >> text=Ada Promoted");
      const rows = await scene.service.db.selectFrom("members").select("role").where("user_id", "=", userId).execute();
      expect(rows).toEqual([{ role: "INSTANCE_VIEWER" }]);
      await close();
      return keys.count;
    },
  };

  test.each(Object.keys(TASKS))("%s", async (task) => {
    expect([task, await TASKS[task]?.()]).toEqual([task, KEYS[task]]);
  });
});
