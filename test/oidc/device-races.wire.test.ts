import { errors } from "oidc-provider";
import * as client from "openid-client";
import { createRunTogether } from "../../src/database/run-together.ts";
import { createAdapter } from "../../src/oidc/adapter.ts";
import type { Browser, BrowserResponse } from "../support/browsers/browser.ts";
import { followToDevicePage } from "../support/oidc/device-page.ts";
import { completeSignIn, keepSecret, newBrowser, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

/** Anyone who sees a device can enter its code, also at the same time as its user. */
let service: TestService;
let app: RelyingParty;
let userId: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", {
    environment: { DATABASE_POOL_SIZE: "48" },
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

async function begin() {
  const answer = await client.initiateDeviceAuthorization(app.configuration, { scope: "openid" });
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
  return (await response.json()) as { error?: string; access_token?: string; id_token?: string };
}

function field(text: string, name: string): string {
  return new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? "";
}

/** A browser at the page that asks for confirmation, and the answer of its user. */
async function openConfirmation(userCode: string) {
  const browser = newBrowser(service);
  const page = await browser.open("/ui/device");
  const post = async (fields: Record<string, string>) =>
    followToDevicePage(browser, await browser.post("/ui/device", fields));
  const asked = await post({ xsrf: field(page.text, "xsrf"), user_code: userCode });
  const fields = { xsrf: field(asked.text, "xsrf"), user_code: userCode };
  return {
    browser,
    confirm: () => post({ ...fields, confirm: "yes" }),
    cancel: () => post({ ...fields, abort: "yes" }),
  };
}

const leadsToSignIn = ({ location }: BrowserResponse) => location.includes("/ui/sign-in/");

async function finish(browser: Browser, sentTo: BrowserResponse): Promise<boolean> {
  const done = await followToDevicePage(browser, await completeSignIn(service, browser, sentTo, userId));
  return done.text.includes("The device is signed in");
}

async function subOf(deviceCode: string): Promise<string> {
  const tokens = await poll(deviceCode);
  keepSecret(service, tokens as client.TokenEndpointResponse);
  const [, payload = ""] = (tokens.id_token ?? "").split(".");
  return String(JSON.parse(Buffer.from(payload, "base64url").toString()).sub);
}

test("of ten browsers that confirm a code at the same time, one signs in the device", async () => {
  for (let round = 0; round < 3; round++) {
    const { user_code, device_code } = await begin();
    const pages = await Promise.all(Array.from({ length: 10 }, () => openConfirmation(user_code)));
    const answers = await Promise.all(pages.map(({ confirm }) => confirm()));
    const started = answers.filter(leadsToSignIn);
    expect(started).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
    const { browser } = pages[answers.findIndex(leadsToSignIn)] as { browser: Browser };
    expect(await finish(browser, started[0] as BrowserResponse)).toBe(true);
    expect(await subOf(device_code)).toBe(userId);
  }
});

test("a device that a user has signed in belongs to that user: forms that are sent later change nothing", async () => {
  const { user_code, device_code } = await begin();
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => openConfirmation(user_code)));
  if (first === undefined || second === undefined || third === undefined) throw new Error("a page is missing");
  const sentTo = await first.confirm();
  expect((await second.confirm()).status).toBe(422);
  expect((await third.cancel()).status).toBe(422);
  expect(await finish(first.browser, sentTo)).toBe(true);
  for (const replay of [first.confirm, first.cancel, second.confirm, third.cancel]) {
    const answer = await replay();
    expect([400, 422]).toContain(answer.status);
  }
  expect(leadsToSignIn(await first.browser.open(sentTo.location))).toBe(false);
  expect(await subOf(device_code)).toBe(userId);
});

test("of ten polls at the same time, one gets tokens", async () => {
  const { user_code, device_code } = await begin();
  const { browser, confirm } = await openConfirmation(user_code);
  await completeSignIn(service, browser, await confirm(), userId);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => poll(device_code)));
  for (const { access_token } of outcomes) if (access_token !== undefined) service.secret(access_token);
  const errors = outcomes.map(({ error }) => error ?? "none").sort();
  expect(errors).toEqual([...Array.from({ length: 9 }, () => "invalid_grant"), "none"]);
});

test("of two processes, one uses a code, also if the clock of the other is behind", async () => {
  const { device_code } = await begin();
  const withClock = (offsetMs: number) => {
    const clock = () => new Date(service.clock().getTime() + offsetMs);
    const { db } = service;
    const parts = { db, runTogether: createRunTogether(db), clock, nextToken: (token: string) => token };
    return createAdapter(parts, "DeviceCode");
  };
  await withClock(0).consume(device_code);
  await expect(withClock(-1_000).consume(device_code)).rejects.toThrow(errors.InvalidGrant);
});

test("a code that was canceled and confirmed at the same time is one or the other", async () => {
  for (let round = 0; round < 5; round++) {
    const { user_code, device_code } = await begin();
    const [one, other] = await Promise.all([openConfirmation(user_code), openConfirmation(user_code)]);
    const [confirmed] = await Promise.all([one.confirm(), other.cancel()]);
    if (leadsToSignIn(confirmed)) {
      const isDone = await finish(one.browser, confirmed).catch(() => false);
      if (isDone) {
        expect(await subOf(device_code)).toBe(userId);
        continue;
      }
    }
    expect((await poll(device_code)).error).toBe("access_denied");
  }
});
