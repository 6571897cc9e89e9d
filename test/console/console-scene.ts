import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { grantRole } from "../../src/access/grant-role.ts";
import { ensureConsole } from "../../src/instance/ensure-console.ts";
import type { Role } from "../../src/roles.ts";
import { isHarmless, launchChromium } from "../support/browsers/chromium.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** A secure context without TLS, which only this browser resolves. */
export const ORIGIN = "http://id.localhost";

/** A person whose invitation the administrator gets, who could use it. */
export const INVITED = {
  profile: { firstName: "Katherine", lastName: "Johnson" },
  message: "MESSAGE_RETURN_LINK",
};
export const PASSWORD = "analytical engine no. 1";
const PICTURES = process.env.PICTURES;

/** A service with the console, and a browser. */
export interface Scene {
  readonly service: TestService;
  readonly browser: Browser;
  /** A person who has signed in to the console. */
  signIn(options: PersonOptions): Promise<Person>;
  close(): Promise<void>;
}

interface PersonOptions extends BrowserContextOptions {
  /** By default none. */
  readonly role?: Role;
  /** The page to open, below `/console`; by default, the users of the organization. */
  readonly path?: string;
}

export interface Person {
  readonly userId: string;
  readonly userName: string;
  readonly page: Page;
  /** Errors of the browser, such as violations of the Content-Security-Policy or of Trusted Types. */
  readonly problems: string[];
  /** Requests to other origins. */
  readonly elsewhere: string[];
  close(): Promise<void>;
}

let people = 0;

interface SceneOptions {
  /** Returns the port that the browser reaches instead of that of the service. */
  readonly toPort?: (port: number) => Promise<number>;
  /** Further variables of the service. */
  readonly environment?: Record<string, string>;
}

export async function openScene({ toPort = async (port) => port, environment }: SceneOptions = {}): Promise<Scene> {
  const service = await startService("postgres", { PUBLIC_URL: ORIGIN, ...environment });
  service.secret(PASSWORD);
  await ensureConsole(service, ORIGIN);
  const browser = await launchChromium({ "id.localhost": await toPort(service.port) });

  async function signIn({ role, path = `/orgs/${service.orgId}/users`, ...options }: PersonOptions): Promise<Person> {
    const userName = `person-${++people}`;
    const profile = { firstName: "Person", lastName: `Number ${people}` };
    const userId = await importAda(service, { userName, profile, ...VERIFIED, password: PASSWORD });
    const scopeId = role?.startsWith("INSTANCE") ? service.instanceId : service.orgId;
    if (role !== undefined) await grantRole(service, { user: { id: userId, orgId: service.orgId }, role, scopeId });
    const context = await browser.newContext({ locale: "en-US", ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    const elsewhere: string[] = [];
    page.on("console", (message) => {
      if (!isHarmless(message.text(), [])) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${ORIGIN}/`)) elsewhere.push(request.url());
    });
    await page.goto(`${ORIGIN}/console${path || "/"}`);
    await enterPassword(page, userName);
    return { userId, userName, page, problems, elsewhere, close: () => context.close() };
  }

  return {
    service,
    browser,
    signIn,
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

export async function enterPassword(page: Page, userName: string): Promise<void> {
  await page.fill("#username", userName);
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#main h1, main.card h1");
}

/** The button that saves the forms of the page. */
export const SAVE = ".save-bar button:text-is('Save')";

/** Saves what the page says is not saved. */
export async function save(page: Page): Promise<void> {
  await page.click(SAVE);
  await page.waitForSelector(SAVE, { state: "detached" });
}

/** Takes a screenshot if PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}
