import { existsSync } from "node:fs";
import { type Browser, type CDPSession, chromium, type Page, type Request } from "playwright-core";

/** How long an action may wait. Shorter than the time limit of a test, so that a failure shows what was awaited. */
const LONGEST_MS = 120_000;
const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Calls `describe` or, without Chromium, adds a skipped test with the title. */
export function describeInChromium(title: string, body: () => void): void {
  if (existsSync(CHROMIUM)) describe(title, body);
  else test.skip(`${title}: skipped, because ${CHROMIUM} does not exist`, () => {});
}

/**
 * Starts Chromium.
 *
 * @param hosts The ports of 127.0.0.1 that replace port 80 of hosts that only this browser resolves.
 */
export async function launchChromium(hosts: Readonly<Record<string, number>> = {}): Promise<Browser> {
  const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host}:80 127.0.0.1:${port}`);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    timeout: LONGEST_MS,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(", ")}`]),
    ],
  });
  browser.on("context", (context) => context.setDefaultTimeout(LONGEST_MS));
  return browser;
}

/** Adds a virtual authenticator to a page, which verifies its user and responds immediately. */
export async function addAuthenticator(page: Page, options: object = {}) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  } as Parameters<CDPSession["send"]>[1] as never);
  return { session, authenticatorId };
}

/**
 * Whether a message in Chromium's console indicates no problem: one for a page with an expected status, for a host
 * without TLS, or because a test types before the browser has moved the focus.
 */
export function isHarmless(message: string, statuses: readonly number[]): boolean {
  const [, status] = /responded with a status of (\d+)/.exec(message) ?? [];
  if (status !== undefined) return statuses.includes(Number(status));
  return /Cross-Origin-Opener-Policy header has been ignored|Autofocus processing was blocked/.test(message);
}

/** Whether a request failed, other than because Chromium ends the requests of a page that it leaves. */
export function hasFailed(request: Request): boolean {
  const text = request.failure()?.errorText;
  return text !== undefined && text !== "net::ERR_ABORTED";
}
