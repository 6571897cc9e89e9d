import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring } from "../crypto/keyring.ts";

interface Account {
  readonly orgId: string;
  /** As `userNameKey` returns it. */
  readonly nameKey: string;
}

/** Recognizes the devices from which a user has signed in before, by a cookie. The cookie proves nothing else. */
export interface KnownDevices {
  /** The id of the device if this user has signed in from it before. Whether there is such a user makes no difference. */
  find(cookie: string | undefined, account: Account): string | undefined;
  /** The cookie after a sign-in. It keeps the five users who signed in last. */
  remember(cookie: string | undefined, account: Account): string;
}

const MAX_ACCOUNTS = 5;

/** A cookie is the id of the device, followed by `.<mac>` for each user. Both have 128 bits. */
export function createKnownDevices(keyring: Keyring): KnownDevices {
  const [current, ...previous] = keyring.derive("known devices");

  return {
    find(cookie, account) {
      const { device, macs } = parse(cookie) ?? { device: "", macs: [] };
      const expected = [current, ...previous].map((secret) => toMac(secret, device, account));
      const isKnown = macs.some((mac) => expected.some((other) => isEqual(mac, other)));
      return isKnown ? device : undefined;
    },
    remember(cookie, account) {
      const { device, macs } = parse(cookie) ?? { device: randomBytes(16).toString("base64url"), macs: [] };
      const mac = toMac(current, device, account);
      return [device, mac, ...macs.filter((other) => other !== mac).slice(0, MAX_ACCOUNTS - 1)].join(".");
    },
  };
}

function parse(cookie: string | undefined) {
  const [device = "", ...macs] = cookie?.split(".") ?? [];
  const isValid = [device, ...macs].every((part) => /^[\w-]{22}$/.test(part));
  return isValid ? { device, macs: macs.slice(0, MAX_ACCOUNTS) } : undefined;
}

function toMac(secret: Buffer, device: string, { orgId, nameKey }: Account): string {
  const mac = createHmac("sha256", secret).update([device, orgId, nameKey].join("\0")).digest();
  return mac.subarray(0, 16).toString("base64url");
}

function isEqual(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
