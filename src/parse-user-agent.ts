import Bowser from "bowser";

/** The names of a browser and of its operating system, such as `Firefox` and `Windows`. */
export interface UserAgent {
  readonly browser?: string;
  readonly system?: string;
}

/** No browser's header is longer, and parsing this many characters takes at most 3 ms. */
const MAX_LENGTH = 256;

/**
 * Reads the header `user-agent`. Only well-known names are returned, because the header may contain any text, and the
 * names are shown to the user.
 */
export function parseUserAgent(header: string | undefined): UserAgent {
  const text = header?.slice(0, MAX_LENGTH) ?? "";
  if (text === "") return {};
  const { browser, os } = Bowser.parse(text);
  return {
    ...(browser.name !== undefined && BROWSERS.has(browser.name) && { browser: browser.name }),
    ...(os.name !== undefined && SYSTEMS.has(os.name) && { system: os.name }),
  };
}

const BROWSERS: ReadonlySet<string> = new Set([
  "Brave",
  "Chrome",
  "Chromium",
  "DuckDuckGo",
  "Firefox",
  "Internet Explorer",
  "Microsoft Edge",
  "Opera",
  "Safari",
  "Samsung Internet for Android",
  "UC Browser",
  "Vivaldi",
  "Yandex Browser",
]);

const SYSTEMS: ReadonlySet<string> = new Set(["Android", "Chrome OS", "iOS", "Linux", "macOS", "Windows"]);
