import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "../../crypto/keyring.ts";

/** Tokens for forms of pages that know the visitor by a cookie: a form of another site does not have them. */
export interface FormTokens {
  /** @param subject What the form belongs to: the id of a sign-in, or of a session. */
  create(subject: string): string;
  isValid(subject: string, token: string | null): boolean;
}

export function createFormTokens(keyring: Keyring): FormTokens {
  const toMac = (subject: string, keyId?: string) => keyring.digest(`form-token\0${subject}`, keyId).mac;
  return {
    create: (subject) => toMac(subject).toString("base64url"),
    isValid(subject, token) {
      const given = Buffer.from(token ?? "", "base64url");
      // A form may have been opened before the master key was rotated.
      return keyring.keyIds.some((keyId) => {
        const mac = toMac(subject, keyId);
        return given.length === mac.length && timingSafeEqual(given, mac);
      });
    },
  };
}
