import type { Config } from "../../config.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { DeviceProof, KnownDevices } from "../../sign-in/known-devices.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

const NAME = "signet-device";
/** Chrome's maximum (RFC 6265bis, section 5.6.2). */
const MAX_AGE_SECONDS = 400 * 86_400;

interface DeviceCookieParts {
  readonly config: Pick<Config, "publicUrl">;
  readonly knownDevices: KnownDevices;
}

interface DeviceUser {
  readonly orgId: string;
  readonly userName: string;
}

/** Reads the cookie by which `KnownDevices` recognizes a browser. */
export function readDeviceCookie(
  { config }: Pick<DeviceCookieParts, "config">,
  { request }: Visit,
): string | undefined {
  return readCookie(request.headers.cookie, hostCookieName(NAME, config.publicUrl));
}

/** Whether the user has signed in or set a password with a link in this browser before. */
export function isKnownDevice(parts: DeviceCookieParts, visit: Visit, user: DeviceUser): boolean {
  const cookie = readDeviceCookie(parts, visit);
  return parts.knownDevices.find(cookie, toAccount(user), ["sign-in", "link"]) !== undefined;
}

/** The header `set-cookie` for a user of an organization who has signed in, or set a password with a link. */
export function deviceCookieHeader(
  parts: DeviceCookieParts,
  visit: Visit,
  user: DeviceUser,
  proof: DeviceProof,
): string {
  const { config, knownDevices } = parts;
  const value = knownDevices.remember(readDeviceCookie(parts, visit), toAccount(user), proof);
  return hostCookie(NAME, value, { publicUrl: config.publicUrl, maxAgeSeconds: MAX_AGE_SECONDS });
}

function toAccount({ orgId, userName }: DeviceUser) {
  return { orgId, nameKey: userNameKey(userName) };
}
