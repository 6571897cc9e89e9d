import { parseUserAgent } from "../../parse-user-agent.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** Describes the browser of a header `user-agent`, such as "Firefox on Linux". */
export function describeBrowser(language: PageLanguage, userAgent: string | null): string {
  const { browserOn, unknownBrowser } = language.texts.account.sessions;
  const { browser = unknownBrowser, system } = parseUserAgent(userAgent ?? undefined);
  return system === undefined ? browser : browserOn(browser, system);
}
