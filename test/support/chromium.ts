import { existsSync } from "node:fs";
import { describe, test } from "@jest/globals";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";

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
export function launchChromium(hosts: Readonly<Record<string, number>> = {}): Promise<Browser> {
  const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host}:80 127.0.0.1:${port}`);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(", ")}`]),
    ],
  });
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
