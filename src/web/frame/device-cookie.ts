import type { Config } from "../../config.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { DeviceProof, KnownDevices } from "../../sign-in/known-devices.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { Visit } from "./page.ts";

/** The cookie by which `KnownDevices` recognizes a browser. */
export interface DeviceCookie {
  read(visit: Visit): string | undefined;
  /** The header `set-cookie` for a user of an organization who has signed in, or set a password with a link. */
  toHeader(visit: Visit, user: { readonly orgId: string; readonly userName: string }, proof: DeviceProof): string;
}

const NAME = "signet-device";
/** Chrome's maximum (RFC 6265bis, section 5.6.2). */
const MAX_AGE_SECONDS = 400 * 86_400;

export function createDeviceCookie({ publicUrl }: Config, knownDevices: KnownDevices): DeviceCookie {
  const read = ({ request }: Visit) => readCookie(request.headers.cookie, hostCookieName(NAME, publicUrl));
  return {
    read,
    toHeader(visit, { orgId, userName }, proof) {
      const value = knownDevices.remember(read(visit), { orgId, nameKey: userNameKey(userName) }, proof);
      return hostCookie(NAME, value, { publicUrl, maxAgeSeconds: MAX_AGE_SECONDS });
    },
  };
}
