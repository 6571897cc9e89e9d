import type { Browser, BrowserResponse } from "../browsers/browser.ts";

/** Opens the page of `/ui/device` to which a response redirects. Other responses are returned as they are. */
export async function followToDevicePage(browser: Browser, response: BrowserResponse): Promise<BrowserResponse> {
  return response.location.startsWith("/ui/device?") ? browser.open(response.location) : response;
}
