import type { Config } from "../../config.ts";
import { ATTEMPT_SECONDS, signInTag } from "../../sign-in/idp-attempts.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { Visit } from "../frame/page.ts";

type ReadConfig = Pick<Config, "publicUrl">;

/**
 * The header `set-cookie` for the secret of an attempt (see `BegunAttempt`). The cookie is `SameSite=Lax`, so browsers
 * send it with the callback, to which another site redirects. Each sign-in has a separate cookie.
 */
export function idpCookieHeader({ publicUrl }: ReadConfig, signInId: string, secret: string): string {
  return hostCookie(nameOf(signInId), secret, { publicUrl, maxAgeSeconds: ATTEMPT_SECONDS });
}

/** Reads the secret of the attempt of a sign-in; empty if a different browser started it, or it has expired. */
export function readIdpCookie({ publicUrl }: ReadConfig, { request }: Visit, signInId: string): string {
  return readCookie(request.headers.cookie, hostCookieName(nameOf(signInId), publicUrl)) ?? "";
}

function nameOf(signInId: string): string {
  return `signet-idp-${signInTag(signInId)}`;
}
