/**
 * Signs a new user of Keycloak in to Signet by SAML, twice, with requests of one binding, `redirect` or `post`, and shows that
 * Keycloak checks their signatures. Then begins a sign-in at Keycloak. `run.sh` has started both, and connected them.
 */
import { equal, match, ok } from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { openScene, PASSWORD } from "./scene.ts";

const [binding = ""] = process.argv.slice(2);
const isPost = binding === "post";
const report = (line: string) => console.log(`Keycloak as SAML provider, ${binding}: ${line}`);
const userName = `grace-saml-${binding}-${process.pid}`;
const email = `${userName}@example.com`;

type Forge = (fields: URLSearchParams) => URLSearchParams;
const set =
  (name: string, value: string): Forge =>
  (fields) => {
    fields.set(name, value);
    return fields;
  };
const toXml = (fields: URLSearchParams) => Buffer.from(fields.get("SAMLRequest") ?? "", "base64").toString("utf8");
const replace =
  (pattern: RegExp, by: string): Forge =>
  (fields) => {
    const xml = toXml(fields).replace(pattern, by);
    return set("SAMLRequest", Buffer.from(xml).toString("base64"))(fields);
  };
const FORGED_QUERIES = [set("RelayState", "another"), set("Signature", "")];
const FORGED_FORMS = [replace(/ ID="_/, ' ID="_x'), replace(/<Signature .*<\/Signature>/s, "")];

const scene = await openScene();
const { accountUrl, realmUrl } = scene;
try {
  await scene.callKeycloak("users", {
    ...{ username: userName, email, emailVerified: true, enabled: true },
    ...{ firstName: "Grace", lastName: "Hopper" },
    credentials: [{ type: "password", value: PASSWORD, temporary: false }],
  });

  const first = await scene.newPage();
  const request = fieldsOf(await chooseKeycloak(first));
  const relayState = request.get("RelayState") ?? "";
  ok(relayState !== "" && Buffer.byteLength(relayState) <= 80);
  match(isPost ? toXml(request) : (request.get("SigAlg") ?? ""), isPost ? /xmldsig-more#rsa-sha256"/ : /rsa-sha256$/);
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
  report("a user signs in for the first time, and is registered and linked");

  await scene.callSignet(`/management/v1/users/${id}/email`, { email, isEmailVerified: true }, "PUT");
  const second = await scene.newPage();
  await chooseKeycloak(second);
  await signIn(second);
  await second.waitForURL(accountUrl);
  const account = (await second.textContent("main")) ?? "";
  for (const value of ["Grace Hopper", userName, email, "Keycloak \\(SAML\\)"]) match(account, new RegExp(value));
  equal((await findUsers()).length, 1);
  report("the second sign-in finds the user");

  const third = await chooseKeycloak(await scene.newPage());
  ok((await send(third, fieldsOf(third))) < 400);
  for (const forge of isPost ? FORGED_FORMS : FORGED_QUERIES) equal(await send(third, forge(fieldsOf(third))), 400);
  report("Keycloak refuses a request that Signet has not signed");

  // A response that Signet has not asked for: Keycloak's own start of a sign-in.
  const client = (await scene.callKeycloak<KeycloakClient[]>("clients")).find(({ protocol }) => protocol === "saml");
  const attributes: Record<string, string> = { ...client?.attributes, saml_idp_initiated_sso_url_name: "signet" };
  equal(attributes["saml.client.signature"], "true");
  equal(attributes["saml.assertion.signature"], "true");
  await scene.callKeycloak(`clients/${client?.id}`, { ...client, attributes }, "PUT");
  const own = await scene.newPage();
  await own.goto(`${realmUrl}/protocol/saml/clients/signet`);
  await signIn(own);
  if (isPost) {
    await own.getByRole("heading", { name: "Sign in with Keycloak (SAML)?" }).waitFor();
    const asked = (await own.textContent("main")) ?? "";
    for (const value of ["Grace Hopper", userName]) match(asked, new RegExp(value));
    const other = await own.context().newPage();
    await other.goto(accountUrl);
    match(other.url(), /\/ui\/sign-in\//);
    await own.getByRole("button", { name: "Continue" }).click();
    await own.waitForURL(new RegExp(`^${accountUrl}`));
    match((await own.textContent("main")) ?? "", new RegExp(userName));
    report("a sign-in that begins at Keycloak asks, and signs the user in");
  } else {
    await own.getByRole("heading", { name: "This sign-in has ended" }).waitFor();
    await own.goto(accountUrl);
    match(own.url(), /\/ui\/sign-in\//);
    report("a sign-in that begins at Keycloak is refused");
  }
} finally {
  await scene.close();
}

/** Starts the sign-in. Returns the request to Keycloak, which shows its form. */
async function chooseKeycloak(page: Page): Promise<Request> {
  const button = page.getByRole("button", { name: "Keycloak (SAML)" });
  await page.goto(accountUrl);
  // The page shows a new provider within five seconds.
  for (let second = 0; second < 6 && !(await button.isVisible()); second += 1) {
    await page.waitForTimeout(1_000);
    await page.goto(accountUrl);
  }
  const sent = page.waitForRequest((each) => fieldsOf(each).has("SAMLRequest"));
  await button.click();
  const request = await sent;
  equal(request.method(), isPost ? "POST" : "GET");
  await page.locator("#kc-login").waitFor();
  return request;
}

function fieldsOf(request: Request): URLSearchParams {
  return new URLSearchParams(isPost ? (request.postData() ?? "") : new URL(request.url()).searchParams);
}

/** Sends the request with these fields. Returns the status of Keycloak's response, which may be a redirect. */
async function send(request: Request, fields: URLSearchParams): Promise<number> {
  const url = new URL(request.url());
  if (!isPost) url.search = fields.toString();
  const init = isPost ? { method: "POST", body: fields } : {};
  return (await fetch(url, { ...init, redirect: "manual" })).status;
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
