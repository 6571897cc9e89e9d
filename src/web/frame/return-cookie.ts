import type { Config } from "../../config.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

interface ReturnParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** The cookie with the page that a sign-in to the account page returns to. */
const NAME = "signet-account-next";
const MAX_AGE_SECONDS = 15 * 60;

/** The header `set-cookie` that makes a sign-in return to a page. */
export function returnTo({ config: { publicUrl } }: ReturnParts, page: string): string {
  return hostCookie(NAME, encodeURIComponent(page), { publicUrl, maxAgeSeconds: MAX_AGE_SECONDS });
}

/** The page, encoded; empty if there is none. */
export function readReturn({ config: { publicUrl } }: ReturnParts, { request }: Visit): string {
  return readCookie(request.headers.cookie, hostCookieName(NAME, publicUrl)) ?? "";
}

/** The header `set-cookie` that forgets the page. */
export function forgetReturn({ config: { publicUrl } }: ReturnParts): string {
  return hostCookie(NAME, "", { publicUrl, maxAgeSeconds: 0 });
}
