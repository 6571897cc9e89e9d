import { LRUCache } from "lru-cache";
import { hashSecretToHex } from "../crypto/secrets.ts";

/**
 * The credentials that were valid most recently: personal access tokens, access tokens, and client credentials. A
 * request that brings one is checked like any other, but is still accepted when others from its address are refused.
 */
export interface RecentCredentials {
  /** @param hash From `hashCredential`. */
  has(hash: string): boolean;
  /** Call it once a credential is found valid. */
  add(hash: string): void;
  /** Call it once a credential is found invalid. */
  delete(hash: string): void;
}

/** 2 MB. */
const MOST_REMEMBERED = 10_000;

export function createRecentCredentials(): RecentCredentials {
  const valid = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  return {
    has: (hash) => valid.get(hash) === true,
    add(hash) {
      valid.set(hash, true);
    },
    delete(hash) {
      valid.delete(hash);
    },
  };
}

/** The longest credential that is hashed, so that a long header costs little: that of `isAccessToken`. */
const CREDENTIAL = /^(?:bearer|basic) +([^ ]{1,11502})$/i;

/**
 * SHA-256 of the credential in the header `authorization`, which is a token, or a client id and secret in Base64.
 * Undefined for any other text.
 */
export function hashCredential(authorization: string): string | undefined {
  const [, credential] = CREDENTIAL.exec(authorization) ?? [];
  return credential && hashSecretToHex(credential);
}
