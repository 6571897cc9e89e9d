import type { Config } from "../../config.ts";
import { ATTEMPT_SECONDS, signInTag } from "../../sign-in/idp-attempts.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { Visit } from "../frame/page.ts";

/** What the browser that has begun an attempt to sign in with a provider keeps. */
export interface IdpCookie {
  /** See `BegunAttempt`. */
  readonly secret: string;
  readonly signInId: string;
  /** The application, which an expired sign-in is known by. */
  readonly appId: string;
}

type ReadConfig = Pick<Config, "publicUrl">;

/**
 * The header `set-cookie`. It is sent with the callback, although another site leads there, because it is `SameSite=Lax`;
 * those of the sign-in are for paths below it only. Each sign-in has its own.
 */
export function idpCookieHeader({ publicUrl }: ReadConfig, { secret, signInId, appId }: IdpCookie): string {
  const value = [secret, signInId, appId].join(".");
  return hostCookie(nameOf(signInTag(signInId)), value, { publicUrl, maxAgeSeconds: ATTEMPT_SECONDS });
}

/** Reads the cookie of the attempt with a `state`; undefined if another browser has begun it. */
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
