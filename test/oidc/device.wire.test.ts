import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as client from "openid-client";
import type { Browser } from "../support/browser.ts";
import { completeSignIn, keepSecret, newBrowser, type RelyingParty } from "../support/relying-party.ts";
import type { TestService } from "../support/service.ts";
import { startProvider } from "../support/start-provider.ts";

let service: TestService;
let app: RelyingParty;
let userId: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", {
    app: {
      name: "Television",
      type: "native",
      auth_method: "none",
      redirect_uris: [],
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    },
  }));
});
afterAll(() => service.close());

async function begin(scope = "openid offline_access") {
  const answer = await client.initiateDeviceAuthorization(app.configuration, { scope });
  service.secret(answer.device_code);
  return answer;
}

async function poll(deviceCode: string) {
  const response = await fetch(`${service.origin}/oauth/v2/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: app.id,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: deviceCode,
    }),
  });
  return (await response.json()) as { error?: string; access_token?: string };
}

function field(text: string, name: string): string {
  return new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? "";
}

/** Enters the code, and returns the page that asks for confirmation. */
async function enter(browser: Browser, userCode: string) {
  const page = await browser.open("/ui/device");
  return browser.post("/ui/device", { xsrf: field(page.text, "xsrf"), user_code: userCode });
}

test("a device signs in with a code that a user enters and confirms", async () => {
  const begun = await begin();
  const { user_code, device_code, verification_uri, verification_uri_complete } = begun;
  expect(verification_uri).toBe(`${service.config.publicUrl}/ui/device`);
  expect(await poll(device_code)).toMatchObject({ error: "authorization_pending" });

  const browser = newBrowser(service);
  const page = await browser.open(String(verification_uri_complete));
  expect(field(page.text, "user_code")).toBe(user_code);
  const confirm = await browser.post("/ui/device", { xsrf: field(page.text, "xsrf"), user_code });
  expect(confirm.text).toContain("Television");
  expect(confirm.text).toContain(user_code);
  const xsrf = field(confirm.text, "xsrf");
  const sentTo = await browser.post("/ui/device", {
    xsrf,
    user_code: field(confirm.text, "user_code"),
    confirm: "yes",
  });
  expect(sentTo.location).toContain("/ui/sign-in/");
  const done = await completeSignIn(service, browser, sentTo, userId);
  expect(done.text).toContain("The device is signed in");

  const tokens = await client.pollDeviceAuthorizationGrant(app.configuration, { ...begun, interval: 1 });
  keepSecret(service, tokens);
  expect(tokens.claims()).toMatchObject({ sub: userId });
  expect(tokens.refresh_token).toBeDefined();
  expect(await poll(device_code)).toMatchObject({ error: "invalid_grant" });
});

test("a user who cancels denies the device access", async () => {
  const { user_code, device_code } = await begin();
  const browser = newBrowser(service);
  const confirm = await enter(browser, user_code.toLowerCase().replace("-", " "));
  const aborted = await browser.post("/ui/device", { xsrf: field(confirm.text, "xsrf"), user_code, abort: "yes" });
  expect(aborted.text).toContain("The sign-in was canceled");
  expect(await poll(device_code)).toMatchObject({ error: "access_denied" });
});

test.each([
  ["an unknown code", "BBBB-BBBB"],
  ["no code", ""],
])("%s is refused with a page that asks again", async (_title, userCode) => {
  const answer = await enter(newBrowser(service), userCode);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("This code is not valid");
});

test("the key of a row in the database is not a device code", async () => {
  await begin();
  const rows = await service.db.selectFrom("oidc_artifacts").select("key").where("kind", "=", "DeviceCode").execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(await poll(`#${key.toString("hex")}`)).toMatchObject({ error: "invalid_grant" });
});
