/**
 * Signs a new user of Keycloak in to Signet by SAML, twice, and shows that Keycloak checks the signatures of Signet's
 * requests. `run.sh` has started both, and connected them.
 */
import { equal, match, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { openScene, PASSWORD } from "./scene.ts";

const userName = `grace-saml-${process.pid}`;
const email = `${userName}@example.com`;

const scene = await openScene();
const { accountUrl, realmUrl } = scene;
try {
  await scene.callKeycloak("users", {
    ...{ username: userName, email, emailVerified: true, enabled: true },
    ...{ firstName: "Grace", lastName: "Hopper" },
    credentials: [{ type: "password", value: PASSWORD, temporary: false }],
  });

  const first = await scene.newPage();
  const request = await chooseKeycloak(first);
  const relayState = request.searchParams.get("RelayState") ?? "";
  ok(relayState !== "" && Buffer.byteLength(relayState) <= 80);
  match(request.searchParams.get("SigAlg") ?? "", /rsa-sha256$/);
  await signIn(first);
  await first.getByRole("heading", { name: "Confirm your email address" }).waitFor();
  const [user, ...others] = await findUsers();
  equal(others.length, 0);
  equal(user?.human?.profile?.firstName, "Grace");
  equal(user?.human?.email?.email, email);
  ok(!user?.human?.email?.isEmailVerified);
  const id = user?.id ?? "";
  const { result: links } = await scene.callSignet<{ result: { providedUserId: string }[] }>(
    `/management/v1/users/${id}/idps/_search`,
    {},
  );
  equal(links.length, 1);
  // The persistent name that Keycloak has given the user.
  match(links[0]?.providedUserId ?? "", /^G-[0-9a-f-]{36}$/);
  console.log("Keycloak as SAML provider: a user signs in for the first time, and is registered and linked");

  await scene.callSignet(`/management/v1/users/${id}/email`, { email, isEmailVerified: true }, "PUT");
  const second = await scene.newPage();
  await chooseKeycloak(second);
  await signIn(second);
  await second.waitForURL(accountUrl);
  const account = (await second.textContent("main")) ?? "";
  for (const value of ["Grace Hopper", userName, email, "Keycloak \\(SAML\\)"]) match(account, new RegExp(value));
  equal((await findUsers()).length, 1);
  console.log("Keycloak as SAML provider: the second sign-in finds the user");

  const third = await scene.newPage();
  const changed = await chooseKeycloak(third);
  for (const [name, value] of [
    ["RelayState", "another"],
    ["Signature", ""],
  ] as const) {
    const forged = new URL(changed);
    forged.searchParams.set(name, value);
    const response = await (await scene.newPage()).goto(forged.href);
    equal(response?.status(), 400);
  }
  console.log("Keycloak as SAML provider: Keycloak refuses a request that Signet has not signed");

  // A response that Signet has not asked for: Keycloak's own start of a sign-in.
  const client = (await scene.callKeycloak<KeycloakClient[]>("clients")).find(({ protocol }) => protocol === "saml");
  const attributes: Record<string, string> = { ...client?.attributes, saml_idp_initiated_sso_url_name: "signet" };
  equal(attributes["saml.client.signature"], "true");
  equal(attributes["saml.assertion.signature"], "true");
  await scene.callKeycloak(`clients/${client?.id}`, { ...client, attributes }, "PUT");
  const own = await scene.newPage();
  await own.goto(`${realmUrl}/protocol/saml/clients/signet`);
  await signIn(own);
  await own.getByRole("heading", { name: "This sign-in has ended" }).waitFor();
  await own.goto(accountUrl);
  match(own.url(), /\/ui\/sign-in\//);
  console.log("Keycloak as SAML provider: a sign-in that begins at Keycloak is refused");
} finally {
  await scene.close();
}

/** Starts the sign-in. Returns the request to Keycloak, which shows its form. */
async function chooseKeycloak(page: Page): Promise<URL> {
  await page.goto(accountUrl);
  const sent = page.waitForRequest((each) => each.url().includes("/protocol/saml?SAMLRequest="));
  await page.getByRole("button", { name: "Keycloak (SAML)" }).click();
  const url = new URL((await sent).url());
  await page.locator("#kc-login").waitFor();
  return url;
}

async function signIn(page: Page): Promise<void> {
  await page.fill("#username", userName);
  await page.fill("#password", PASSWORD);
  await page.click("#kc-login");
}

interface KeycloakClient {
  readonly id: string;
  readonly protocol?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

interface SignetUser {
  readonly id: string;
  readonly human?: {
    readonly profile?: { readonly firstName?: string };
    readonly email?: { readonly email?: string; readonly isEmailVerified?: boolean };
  };
}

async function findUsers(): Promise<readonly SignetUser[]> {
  const queries = [{ userNameQuery: { userName } }];
  const { result = [] } = await scene.callSignet<{ result?: SignetUser[] }>("/management/v1/users/_search", {
    queries,
  });
  return result;
}
