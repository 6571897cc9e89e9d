/**
 * Signs users of Signet in to Keycloak's account console, and ends their sessions in each way. `run.sh` has started
 * both, and connected them. Accepts names of ways.
 */
import { equal, match } from "node:assert/strict";
import type { Page } from "playwright-core";
import { openScene, PASSWORD, waitUntil } from "./scene.ts";

interface SignetUser {
  readonly userId: string;
  readonly userName: string;
}

const WAYS: Readonly<Record<string, (page: Page, user: SignetUser) => Promise<void>>> = {
  async "a sign-out from Keycloak"(page) {
    await page.getByTestId("options-toggle").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/openid-connect\/auth/);
  },
  async "a sign-out from Signet"(page) {
    const other = await page.context().newPage();
    await other.goto(accountUrl);
    await other.getByRole("button", { name: "Sign out", exact: true }).click();
    await other.getByRole("heading", { name: "You are signed out" }).waitFor();
  },
  async "a new password"(_page, { userName }) {
    const other = await scene.newPage();
    await other.goto(accountUrl);
    await submitPassword(other, userName);
    await other.waitForURL(accountUrl);
    await other.goto(`${accountUrl}/password`);
    await other.fill("[name=current]", PASSWORD);
    await other.fill("[name=password]", "difference engine no. 2");
    await other.fill("[name=repeat]", "difference engine no. 2");
    await other.locator("main form button:not([type=button])").click();
    await other.getByText("Your password was changed.").waitFor();
  },
  async "a deactivation"(_page, { userId }) {
    await scene.callSignet(`/management/v1/users/${userId}/_deactivate`, {});
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(WAYS);
const scene = await openScene();
const { accountUrl, consoleUrl } = scene;
try {
  for (const [index, name] of names.entries()) await endBy(name, `ada-${process.pid}-${index}@example.com`);
} finally {
  await scene.close();
}

/** Signs a new user in to both, ends the session, and expects that the user is signed out from both. */
async function endBy(name: string, userName: string): Promise<void> {
  const end = WAYS[name];
  if (end === undefined) throw new Error(`unknown: ${name}; expected ${Object.keys(WAYS)}`);
  const { userId } = await scene.callSignet<SignetUser>("/management/v1/users/human/_import", {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: userName, isEmailVerified: true },
    password: PASSWORD,
  });

  const page = await scene.newPage();
  await page.goto(consoleUrl);
  await page.click("#social-signet");
  await submitPassword(page, userName);
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByTestId("options-toggle").waitFor();
  const user = await scene.findKeycloakUser(userName);
  equal(user?.emailVerified, true);
  equal(await scene.countSessions(user.id), 1);

  await end(page, { userId, userName });
  await waitUntil("Keycloak has no session", async () => (await scene.countSessions(user.id)) === 0);
  await page.goto(consoleUrl);
  await page.locator("#social-signet").waitFor();
  await page.goto(accountUrl);
  match(page.url(), /\/ui\/sign-in\//);
  console.log(`Signet as provider: a user signs in to Keycloak, and ${name} ends both sessions`);
}

async function submitPassword(page: Page, userName: string): Promise<void> {
  await page.fill("#username", userName);
  await page.fill("#password", PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
