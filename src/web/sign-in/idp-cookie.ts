import type { Config } from "../../config.ts";
import { ATTEMPT_SECONDS, signInTag } from "../../sign-in/idp-attempts.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { Visit } from "../frame/page.ts";

/** The data about a sign-in attempt with a provider that the browser keeps. */
export interface IdpCookie {
  /** See `BegunAttempt`. */
  readonly secret: string;
  readonly signInId: string;
  /** The application, for the page shown after the sign-in has expired. */
  readonly appId: string;
}

type ReadConfig = Pick<Config, "publicUrl">;

/**
 * The header `set-cookie`. The cookie is `SameSite=Lax`, so browsers send it with the callback, to which another site
 * redirects. Each sign-in has a separate cookie.
 */
export function idpCookieHeader({ publicUrl }: ReadConfig, { secret, signInId, appId }: IdpCookie): string {
  const value = [secret, signInId, appId].join(".");
  return hostCookie(nameOf(signInTag(signInId)), value, { publicUrl, maxAgeSeconds: ATTEMPT_SECONDS });
}

/** Reads the cookie of the attempt with a `state`; undefined if a different browser started it. */
export function readIdpCookie({ publicUrl }: ReadConfig, { request }: Visit, state: string): IdpCookie | undefined {
  const [tag = "", random] = state.split(".");
  if (!/^[\w-]{12}$/.test(tag) || random === undefined) return undefined;
  const value = readCookie(request.headers.cookie, hostCookieName(nameOf(tag), publicUrl)) ?? "";
  const [, secret = "", signInId = "", appId = ""] = /^([\w-]{43})\.([\w-]{1,128})\.([\w-]{1,64})$/.exec(value) ?? [];
  return secret === "" || signInTag(signInId) !== tag ? undefined : { secret, signInId, appId };
}

function nameOf(tag: string): string {
  return `signet-idp-${tag}`;
}
