import * as client from "openid-client";
import type { Browser } from "../support/browsers/browser.ts";
import { call, VERIFIED } from "../support/browsers/visitor.ts";
import {
  completeSignIn,
  createRelyingParty,
  keepSecret,
  newBrowser,
  type RelyingParty,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let app: RelyingParty;
let userId: string;

const TELEVISION = {
  name: "Television",
  type: "native",
  auth_method: "none",
  redirect_uris: [],
  grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
} as const satisfies Parameters<typeof createRelyingParty>[1];

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", { app: TELEVISION }));
});
afterAll(() => service.close());

async function begin(scope = "openid offline_access", { configuration } = app) {
  const answer = await client.initiateDeviceAuthorization(configuration, { scope });
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

/** Submits a form, and returns the page that the browser then opens by GET. */
async function submit(browser: Browser, fields: Record<string, string>) {
  const posted = await browser.post("/ui/device", fields);
  expect([posted.status, posted.text]).toEqual([303, expect.not.stringContaining("<form")]);
  return browser.open(posted.location);
}

/** Enters the code, and returns the page that asks for confirmation. */
async function enter(browser: Browser, userCode: string) {
  const page = await browser.open("/ui/device");
  return submit(browser, { xsrf: field(page.text, "xsrf"), user_code: userCode });
}

test("a device signs in with a code that a user enters and confirms", async () => {
  const begun = await begin();
  const { user_code, device_code, verification_uri, verification_uri_complete } = begun;
  expect(verification_uri).toBe(`${service.config.publicUrl}/ui/device`);
  expect(await poll(device_code)).toMatchObject({ error: "authorization_pending" });

  const browser = newBrowser(service);
  const page = await browser.open(String(verification_uri_complete));
  expect(field(page.text, "user_code")).toBe(user_code);
  const confirm = await submit(browser, { xsrf: field(page.text, "xsrf"), user_code });
  expect(confirm.text).toContain("Television");
  expect(confirm.text).toContain(user_code);
  const xsrf = field(confirm.text, "xsrf");
  const sentTo = await browser.post("/ui/device", {
    xsrf,
    user_code: field(confirm.text, "user_code"),
    confirm: "yes",
  });
  expect(sentTo.location).toContain("/ui/sign-in/");
  const { location } = await completeSignIn(service, browser, sentTo, userId);
  // A reload shows it again.
  for (const done of [await browser.open(location), await browser.open(location)]) {
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("The device is signed in")]);
  }

  const tokens = await client.pollDeviceAuthorizationGrant(app.configuration, { ...begun, interval: 1 });
  keepSecret(service, tokens);
  expect(tokens.claims()).toMatchObject({ sub: userId });
  expect(tokens.refresh_token).toBeDefined();
  expect(await poll(device_code)).toMatchObject({ error: "invalid_grant" });
});

test("the pages after the code have the name of the device's organization", async () => {
  const orgId = await service.createOrg("Cinema");
  const importing = { userName: "grace", profile: { firstName: "Grace", lastName: "Hopper" }, email: VERIFIED.email };
  const imported = await call(service, "ImportHumanUser", importing, { "x-service-orgid": orgId });
  const { user_code } = await begin("openid", await createRelyingParty(service, { ...TELEVISION, owner_id: orgId }));
  const browser = newBrowser(service);
  const confirm = await enter(browser, user_code);
  const confirmed = { xsrf: field(confirm.text, "xsrf"), user_code: field(confirm.text, "user_code"), confirm: "yes" };
  const { location } = await completeSignIn(
    service,
    browser,
    await browser.post("/ui/device", confirmed),
    String(imported.userId),
  );
  const done = await browser.open(location);
  for (const { text } of [confirm, done]) {
    expect(text).toContain('<p class="brand">Cinema</p>');
    expect(text.replace("<span>Secured by Signet</span>", "")).not.toMatch(/Signet|\/ui\/icon/);
  }
  expect(done.text).toContain("The device is signed in");
});

test("a user who cancels denies the device access", async () => {
  const { user_code, device_code } = await begin();
  const browser = newBrowser(service);
  const confirm = await enter(browser, user_code.toLowerCase().replace("-", " "));
  const aborted = await submit(browser, { xsrf: field(confirm.text, "xsrf"), user_code, abort: "yes" });
  expect(aborted.text).toContain("The sign-in was canceled");
  expect(await poll(device_code)).toMatchObject({ error: "access_denied" });
});

test.each([
  ["an unknown code", "BBBB-BBBB"],
  ["no code", ""],
])("%s is refused with a page that asks again", async (_title, userCode) => {
  const answer = await enter(newBrowser(service), userCode);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("This code is invalid");
});

test("the key of a row in the database is not a device code", async () => {
  await begin();
  const rows = await service.db.selectFrom("oidc_artifacts").select("key").where("kind", "=", "DeviceCode").execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(await poll(`#${key.toString("hex")}`)).toMatchObject({ error: "invalid_grant" });
});

test("a device that polls too often is told to slow down, and waits longer each time", async () => {
  const { device_code } = await begin();
  const pollAfter = async (ms: number) => {
    service.clockOffsetMs += ms;
    return (await poll(device_code)).error;
  };
  service.stopClock();
  expect(await pollAfter(0)).toBe("authorization_pending");
  expect(await pollAfter(5_000)).toBe("authorization_pending");
  expect(await pollAfter(4_500)).toBe("authorization_pending");
  expect(await pollAfter(1_000)).toBe("slow_down");
  expect(await pollAfter(5_000)).toBe("slow_down");
  expect(await pollAfter(10_000)).toBe("slow_down");
  expect(await pollAfter(20_000)).toBe("authorization_pending");
});

test("a user who is signed in confirms the next device without a sign-in", async () => {
  const browser = newBrowser(service);
  const first = await enter(browser, (await begin()).user_code);
  const hidden = (page: { text: string }) => ({
    xsrf: field(page.text, "xsrf"),
    user_code: field(page.text, "user_code"),
  });
  const sentTo = await browser.post("/ui/device", { ...hidden(first), confirm: "yes" });
  await browser.open((await completeSignIn(service, browser, sentTo, userId)).location);
  const second = await enter(browser, (await begin()).user_code);
  const done = await submit(browser, { ...hidden(second), confirm: "yes" });
  expect(done.text).toContain("The device is signed in");
});

test("a confirmation is shown only to the browser that has entered the code", async () => {
  const { user_code } = await begin();
  const [browser, other] = [newBrowser(service), newBrowser(service)];
  const page = await browser.open("/ui/device");
  const { location } = await browser.post("/ui/device", { xsrf: field(page.text, "xsrf"), user_code });
  expect((await browser.open(location)).text).toContain("Television");
  await other.open("/ui/device");
  const elsewhere = await other.open(location);
  expect([elsewhere.status, elsewhere.text]).toEqual([200, expect.not.stringContaining("Television")]);
});

test("a form of a browser without a session leads to a new form, which says that the old one has expired", async () => {
  const logged = service.logs.length;
  const forgetful = newBrowser(service);
  for (const response of [
    await forgetful.post("/ui/device", { xsrf: "x", user_code: "BBBB-BBBB" }),
    await forgetful.open("/ui/device", { headers: { cookie: "signet-session=unknown" }, method: "POST" }),
    await forgetful.open("/ui/device/unknown"),
  ]) {
    expect([response.status, response.headers.getSetCookie()]).toEqual([303, []]);
    const page = await newBrowser(service).open(response.location);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining("This form has expired")]);
  }
  expect(service.logs.slice(logged).filter(({ level }) => Number(level) > 30)).toEqual([]);
});

test("a form that another tab has replaced says that it has expired", async () => {
  const { user_code } = await begin();
  const browser = newBrowser(service);
  const first = await browser.open("/ui/device");
  await browser.open("/ui/device");
  const page = await submit(browser, { xsrf: field(first.text, "xsrf"), user_code });
  expect([page.status, page.text]).toEqual([422, expect.stringContaining("This form has expired")]);
});

test("an address that enters too many wrong codes is refused for a while, also with concurrent requests", async () => {
  const { user_code } = await begin();
  // Each response replaces the form's token, so every attempt has its own session.
  const attempts = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const browser = newBrowser(service);
      const { text } = await browser.open("/ui/device");
      const xsrf = field(text, "xsrf");
      return (userCode: string) => browser.post("/ui/device", { xsrf, user_code: userCode });
    }),
  );
  const [last, ...others] = attempts;
  const statuses = (await Promise.all(others.map((attempt) => attempt("BBBB-BBBB")))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(30);
  expect(new Set(statuses)).toEqual(new Set([303, 429]));
  const refused = await last?.(user_code);
  expect([refused?.status, refused?.text]).toEqual([429, expect.stringContaining("Too many attempts")]);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
});
