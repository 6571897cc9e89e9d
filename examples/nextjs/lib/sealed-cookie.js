import { createHash } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { cookies } from "next/headers";

/** Encrypts a value in a cookie of the browser, so that the application needs no table of sessions. */
export async function writeCookie(name, value, seconds) {
  const sealed = await new EncryptJWT({ value })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setAudience(name)
    .setExpirationTime(`${seconds} s`)
    .encrypt(toKey());
  const secure = process.env.APP_ORIGIN?.startsWith("https:") ?? false;
  (await cookies()).set(name, sealed, { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: seconds });
}

/** The value of a cookie; undefined if there is none, or it is not valid. */
export async function readCookie(name) {
  const sealed = (await cookies()).get(name)?.value;
  if (sealed === undefined) return undefined;
  try {
    return (await jwtDecrypt(sealed, toKey(), { audience: name })).payload.value;
  } catch {
    return undefined;
  }
}

export async function deleteCookie(name) {
  (await cookies()).delete(name);
}

/** At least 32 random characters, the same on all servers of the application. */
function toKey() {
  const secret = process.env.SESSION_SECRET ?? "";
  if (secret.length < 32) throw new Error("SESSION_SECRET must have at least 32 characters");
  return createHash("sha256").update(secret).digest();
}
