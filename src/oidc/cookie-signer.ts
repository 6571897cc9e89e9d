import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { readCookie } from "../web/frame/cookies.ts";

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
