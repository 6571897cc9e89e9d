import { userNameKey } from "../../fields/user-name.ts";
import type { DeviceProof, KnownDevices } from "../../sign-in/known-devices.ts";
import { type CookieParts, createCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

/** By which `KnownDevices` recognizes a browser, for Chrome's maximum (RFC 6265bis, section 5.6.2). */
export const DEVICE_COOKIE = createCookie("signet-device", 400 * 86_400);

interface DeviceCookieParts extends CookieParts {
  readonly knownDevices: KnownDevices;
}

interface DeviceUser {
  readonly orgId: string;
  readonly userName: string;
}

/** Whether the user has signed in or set a password with a link in this browser before. */
export function isKnownDevice(parts: DeviceCookieParts, visit: Visit, user: DeviceUser): boolean {
  const cookie = DEVICE_COOKIE.read(parts, visit);
  return parts.knownDevices.find(cookie, toAccount(user), ["sign-in", "link"]) !== undefined;
}

/** The header `set-cookie` for a user of an organization who has signed in, or set a password with a link. */
export function deviceCookieHeader(
  parts: DeviceCookieParts,
  visit: Visit,
  user: DeviceUser,
  proof: DeviceProof,
): string {
  const value = parts.knownDevices.remember(DEVICE_COOKIE.read(parts, visit), toAccount(user), proof);
  return DEVICE_COOKIE.header(parts, value);
}

function toAccount({ orgId, userName }: DeviceUser) {
  return { orgId, nameKey: userNameKey(userName) };
}
