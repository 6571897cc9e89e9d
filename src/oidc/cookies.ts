import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Configuration } from "oidc-provider";
import { readCookie } from "../web/frame/cookies.ts";

/** The cookies of the provider. Over `http`, for development, they have plain names. */
export function cookiesOf(issuer: string, signer: CookieSigner): NonNullable<Configuration["cookies"]> {
  const isSecure = issuer.startsWith("https:");
  return {
    // oidc-provider's type allows only lists, but the package `cookies` accepts any signer.
    keys: signer as never,
    // `__Host-` requires the path `/`, which the cookies of an interaction cannot have, because several can be in
    // progress.
    names: {
      session: isSecure ? "__Host-signet-session" : "signet-session",
      interaction: isSecure ? "__Secure-signet-interaction" : "signet-interaction",
      resume: isSecure ? "__Secure-signet-resume" : "signet-resume",
    },
    long: { ...cookieOptions(issuer), path: "/" },
    short: cookieOptions(issuer),
  };
}

/** The attributes of every cookie. */
export function cookieOptions(issuer: string) {
  return { httpOnly: true, sameSite: "lax", signed: true, secure: issuer.startsWith("https:") } as const;
}

/** Signs cookies, in the shape that the package `cookies` expects for its option `keys`. */
export interface CookieSigner {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** The index of the key that created the signature; -1 if there is none. */
  index(data: string, signature: string): number;
}

/**
 * HMAC-SHA-256 instead of the package's default, SHA-1.
 *
 * @param keys The first one signs, all of them verify.
 */
export function createCookieSigner(keys: readonly [KeyObject, ...KeyObject[]]): CookieSigner {
  const signWith = (key: KeyObject, data: string) => createHmac("sha256", key).update(data).digest();
  function index(data: string, signature: string): number {
    const given = Buffer.from(signature, "base64url");
    return keys.findIndex((key) => {
      const mac = signWith(key, data);
      return mac.length === given.length && timingSafeEqual(mac, given);
    });
  }
  return {
    sign: (data) => signWith(keys[0], data).toString("base64url"),
    verify: (data, signature) => index(data, signature) >= 0,
    index,
  };
}

/** Returns the value of a signed cookie; undefined if it is missing or the signature is wrong. */
export function readSignedCookie(signer: CookieSigner, cookies: string | undefined, name: string): string | undefined {
  const value = readCookie(cookies, name);
  const signature = readCookie(cookies, `${name}.sig`);
  if (value === undefined || signature === undefined) return undefined;
  return signer.verify(`${name}=${value}`, signature) ? value : undefined;
}
