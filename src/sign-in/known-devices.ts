import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring } from "../crypto/keyring.ts";

interface Account {
  readonly orgId: string;
  /** The result of `userNameKey`. */
  readonly nameKey: string;
}

/**
 * How a device became known: the user has completed a sign-in on it, or has set a password with a link, which proves
 * less.
 */
export type DeviceProof = "sign-in" | "link";

/**
 * Recognizes devices from which a user has signed in before by a cookie. The cookie proves nothing else, and only for
 * this user: otherwise, attackers with an account of their own could get a device that is exempt from the limits.
 */
export interface KnownDevices {
  /** The id of the device if it is known by one of the proofs. Whether the user exists makes no difference. */
  find(cookie: string | undefined, account: Account, proofs: readonly DeviceProof[]): string | undefined;
  /** The cookie after a proof. It contains the five most recent users. */
  remember(cookie: string | undefined, account: Account, proof: DeviceProof): string;
}

const MAX_ACCOUNTS = 5;

/** A cookie consists of the device id, followed by `.<mac>` for each user. Each has 128 bits. */
export function createKnownDevices(keyring: Keyring): KnownDevices {
  const [current, ...previous] = keyring.derive("known devices");

  return {
    find(cookie, account, proofs) {
      const { device, macs } = parse(cookie) ?? { device: "", macs: [] };
      const expected = [current, ...previous].flatMap((secret) =>
        proofs.map((proof) => toMac(secret, device, account, proof)),
      );
      const isKnown = macs.some((mac) => expected.some((other) => isEqual(mac, other)));
      return isKnown ? device : undefined;
    },
    remember(cookie, account, proof) {
      const { device, macs } = parse(cookie) ?? { device: randomBytes(16).toString("base64url"), macs: [] };
      const [bySignIn, byLink] = [toMac(current, device, account, "sign-in"), toMac(current, device, account, "link")];
      const mac = proof === "sign-in" || macs.includes(bySignIn) ? bySignIn : byLink;
      const others = macs.filter((other) => other !== bySignIn && other !== byLink);
      return [device, mac, ...others.slice(0, MAX_ACCOUNTS - 1)].join(".");
    },
  };
}

function parse(cookie: string | undefined) {
  const [device = "", ...macs] = cookie?.split(".") ?? [];
  const isValid = [device, ...macs].every((part) => /^[\w-]{22}$/.test(part));
  return isValid ? { device, macs: macs.slice(0, MAX_ACCOUNTS) } : undefined;
}

function toMac(secret: KeyObject, device: string, { orgId, nameKey }: Account, proof: DeviceProof): string {
  const mac = createHmac("sha256", secret).update([proof, device, orgId, nameKey].join("\0")).digest();
  return mac.subarray(0, 16).toString("base64url");
}

function isEqual(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
