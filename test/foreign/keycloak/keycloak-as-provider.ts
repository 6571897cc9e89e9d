/**
 * Signs a new user of Keycloak in to Signet, and out again in one of two ways: `local` or `federated`. `run.sh` has
 * started both, and connected them.
 */
import { equal, match } from "node:assert/strict";
import type { Page } from "playwright-core";
import { openScene, PASSWORD } from "./scene.ts";

const [way = ""] = process.argv.slice(2);
const userName = `grace-${process.pid}`;
const email = `${userName}@example.com`;

const scene = await openScene();
const { accountUrl, keycloakUrl } = scene;
try {
  await scene.callKeycloak("users", {
    ...{ username: userName, email, emailVerified: true, enabled: true },
    ...{ firstName: "Grace", lastName: "Hopper" },
    credentials: [{ type: "password", value: PASSWORD, temporary: false }],
  });
  const user = await scene.findKeycloakUser(userName);
  const countSessions = () => scene.countSessions(user?.id ?? "");

  const page = await scene.newPage();
  await page.goto(accountUrl);
  await chooseKeycloak(page);
  await page.fill("#username", userName);
  await page.fill("#password", PASSWORD);
  await page.click("#kc-login");
  await page.waitForURL(accountUrl);
  const account = (await page.textContent("main")) ?? "";
  for (const value of ["Grace Hopper", userName, email, "Keycloak"]) match(account, new RegExp(value));
  equal(await countSessions(), 1);
  console.log("Keycloak as provider: a user signs in, and is registered and linked");

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  if (way === "federated") {
    match(page.url(), new RegExp(`^${keycloakUrl}`));
    await page.click("#kc-logout");
  }
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await page.goto(accountUrl);
  match(page.url(), /\/ui\/sign-in\//);
  equal(await countSessions(), way === "federated" ? 0 : 1);
  await chooseKeycloak(page);
  if (way === "federated") await page.locator("#kc-login").waitFor();
  else await page.waitForURL(accountUrl);
  console.log(
    `Keycloak as provider: after a ${way} sign-out, the user ${way === "local" ? "signs in" : "is asked"} again`,
  );
} finally {
  await scene.close();
}

async function chooseKeycloak(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Keycloak" }).click();
}
