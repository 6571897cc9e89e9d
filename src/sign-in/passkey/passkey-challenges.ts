import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import type { Caller } from "../../call.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { hashSecretToHex } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { ChangeParts } from "../../events/change-object.ts";

/**
 * Challenges for passkeys. A challenge is valid only in its sign-in, for as long as the sign-in lasts, and for one
 * response. Showing a page stores nothing: a challenge contains a signature, and only its use is stored.
 */
export interface PasskeyChallenges {
  create(signInId: string): string;
  /**
   * Uses up a challenge, whether its response is valid or not.
   *
   * @returns Whether it was valid.
   * @throws SignetError if the database fails.
   */
  use(signInId: string, challenge: string, caller: Pick<Caller, "throwIfOver">): Promise<boolean>;
}

const NONCE_BYTES = 16;
/** Longer than a sign-in lasts. */
const REMEMBERED_MS = 2 * 3_600_000;

export function createPasskeyChallenges(parts: ChangeParts & { readonly keyring: Keyring }): PasskeyChallenges {
  const { db, keyring, clock } = parts;
  const secrets = keyring.derive("passkey challenges");
  const toMac = (secret: KeyObject, signInId: string, nonce: Buffer) =>
    createHmac("sha256", secret).update(signInId).update("\0").update(nonce).digest();

  return {
    create(signInId) {
      const nonce = randomBytes(NONCE_BYTES);
      return Buffer.concat([nonce, toMac(secrets[0], signInId, nonce)]).toString("base64url");
    },
    async use(signInId, challenge, caller) {
      const bytes = Buffer.from(challenge, "base64url");
      const [nonce, given] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
      const isOurs = secrets.some((secret) => {
        const mac = toMac(secret, signInId, nonce);
        return given.length === mac.length && timingSafeEqual(given, mac);
      });
      if (!isOurs) return false;
      const key = `challenge:${hashSecretToHex(bytes.toString("base64url"))}`;
      return (await markUsed(db, { key, expire: BigInt(clock().getTime() + REMEMBERED_MS) }, caller)).length > 0;
    },
  };
}

/** Returns no row if the challenge was already used. Rows are deleted with the table's other expired rows. */
const markUsed = prepareStatement<{ key: string; expire: bigint }, { key: string }>((db, param) =>
  db
    .insertInto("rate_limits")
    .values({ key: param("key", "text"), points: 1, expire: param("expire", "bigint") })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("key"),
);
