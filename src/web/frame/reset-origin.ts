import type { Config } from "../../config.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

const NAME = "signet-reset-origin";
/** As long as the link to a new password works. */
const VALID_SECONDS = 3_600;
const SIGN_IN_PAGE = /^\/ui\/sign-in\/[\w-]{1,100}\?app=[\w%.~-]{1,300}$/;

interface ResetParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** The header `set-cookie` with the path of the sign-in in which a new password was requested. */
export function resetOriginHeader({ config: { publicUrl } }: ResetParts, path: string): string {
  return hostCookie(NAME, path, { publicUrl, maxAgeSeconds: VALID_SECONDS });
}

/** The path of that sign-in, which leads back to the application, also if it has ended; undefined in other browsers. */
export function readResetOrigin({ config: { publicUrl } }: ResetParts, { request }: Visit): string | undefined {
  const path = readCookie(request.headers.cookie, hostCookieName(NAME, publicUrl)) ?? "";
  return SIGN_IN_PAGE.test(path) ? path : undefined;
}
