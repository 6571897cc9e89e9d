import { parseUserAgent } from "../../parse-user-agent.ts";
import { type Language, TEXTS } from "../../texts/languages.ts";

/** Describes the browser of a header `user-agent`, such as "Firefox on Linux". */
export function describeBrowser(language: Language, userAgent: string | null): string {
  const { browserOn, unknownBrowser } = TEXTS[language].account.sessions;
  const { browser = unknownBrowser, system } = parseUserAgent(userAgent ?? undefined);
  return system === undefined ? browser : browserOn(browser, system);
}
