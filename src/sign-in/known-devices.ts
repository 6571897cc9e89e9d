import { randomBytes, timingSafeEqual } from "node:crypto";
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

/** A cookie is `<id of the master key>.<id of the device>`, followed by `.<mac>` for each user. */
export function createKnownDevices(keyring: Keyring): KnownDevices {
  return {
    find(cookie, account) {
      const known = parse(cookie);
      const isKnown = known?.macs.some((mac) => isEqual(mac, toMac(known, account)));
      return isKnown ? known?.device : undefined;
    },
    remember(cookie, account) {
      const found = parse(cookie);
      // The users of a cookie under a former master key are not known anymore after it has been replaced.
      const known =
        found?.keyId === keyring.currentKeyId
          ? found
          : { keyId: keyring.currentKeyId, device: randomBytes(16).toString("base64url"), macs: [] };
      const mac = toMac(known, account);
      const macs = [mac, ...known.macs.filter((other) => other !== mac)].slice(0, MAX_ACCOUNTS);
      return [known.keyId, known.device, ...macs].join(".");
    },
  };

  function parse(cookie: string | undefined) {
    const [keyId = "", device = "", ...macs] = cookie?.split(".") ?? [];
    const isValid = keyring.keyIds.includes(keyId) && [device, ...macs].every((part) => /^[\w-]{22}$/.test(part));
    return isValid ? { keyId, device, macs: macs.slice(0, MAX_ACCOUNTS) } : undefined;
  }

  function toMac({ keyId, device }: { keyId: string; device: string }, { orgId, nameKey }: Account): string {
    const text = ["known-device", device, orgId, nameKey].join("\0");
    return keyring.digest(text, keyId).mac.subarray(0, 16).toString("base64url");
  }
}

function isEqual(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
