import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Keyring } from "../../crypto/keyring.ts";

/** Tokens for forms on pages that identify the visitor by a cookie. Forms on other sites do not have them. */
export interface FormTokens {
  /** @param subject The id of the sign-in or session to which the form belongs. */
  create(subject: string): string;
  isValid(subject: string, token: string | null): boolean;
}

export function createFormTokens(keyring: Keyring): FormTokens {
  const secrets = keyring.derive("forms");
  const toMac = (secret: KeyObject, subject: string) => createHmac("sha256", secret).update(subject).digest();
  return {
    create: (subject) => toMac(secrets[0], subject).toString("base64url"),
    isValid(subject, token) {
      const given = Buffer.from(token ?? "", "base64url");
      // Accepts all keys, because the form may be older than a rotation of the master key.
      return secrets.some((secret) => {
        const mac = toMac(secret, subject);
        return given.length === mac.length && timingSafeEqual(given, mac);
      });
    },
  };
}
