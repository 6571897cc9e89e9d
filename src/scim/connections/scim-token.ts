import { createTokenSecret, hashSecret } from "../../crypto/secrets.ts";

/** The token of a SCIM connection: as the caller gets it, and its SHA-256, which is stored. */
interface ScimToken {
  readonly token: string;
  readonly hash: Buffer;
}

const PREFIX = "signet_scim_";
const FORM = /^signet_scim_[0-9A-Za-z]{43}$/;

export function createScimToken(): ScimToken {
  const token = createTokenSecret(PREFIX);
  return { token, hash: hashSecret(token) };
}

/** Whether a text has the form of a token of a SCIM connection. */
export function isScimToken(text: string): boolean {
  return FORM.test(text);
}
