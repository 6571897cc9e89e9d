import { createHmac, randomBytes } from "node:crypto";
import type { Keyring } from "../crypto/keyring.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import { createId } from "../crypto/secrets.ts";

/** The column of encrypted signing keys. */
export const WEBHOOK_KEY_SEALED = {
  table: "webhook_keys",
  owner: "owner_id",
  column: "secret",
} as const satisfies SealedColumn;

/** The beginning of a key (Standard Webhooks, "Signature scheme"). */
const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** A new signing key: as the caller gets it, and as a row. */
export interface NewSigningKey {
  /** `whsec_` and the Base64 of the key. */
  readonly signingKey: string;
  readonly row: { readonly keyId: string; readonly secret: Buffer; readonly secretKey: string };
}

/** @param column The column that stores it. */
export function createSigningKey(keyring: Keyring, column: SealedColumn = WEBHOOK_KEY_SEALED): NewSigningKey {
  const keyId = createId();
  const signingKey = PREFIX + randomBytes(KEY_BYTES).toString("base64");
  const { keyId: secretKey, ciphertext: secret } = keyring.seal({ ...column, rowId: keyId }, signingKey);
  return { signingKey, row: { keyId, secret, secretKey } };
}

/** A stored signing key. */
export interface StoredSigningKey {
  readonly id: string;
  readonly secret: Buffer;
  readonly secretKey: string;
}

/** @throws Error if the master key is missing, or the ciphertext belongs to another row. */
export function openSigningKey(
  keyring: Keyring,
  { id, secret, secretKey }: StoredSigningKey,
  column: SealedColumn = WEBHOOK_KEY_SEALED,
): string {
  return keyring.open({ ...column, rowId: id }, { keyId: secretKey, ciphertext: secret });
}

/**
 * The headers of a delivery (Standard Webhooks, "Webhook metadata"): its signature by each of the keys.
 *
 * @param signingKeys As the caller got them.
 */
export function signDelivery(signingKeys: readonly string[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = signingKeys.map((signingKey) => {
    const key = Buffer.from(signingKey.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
