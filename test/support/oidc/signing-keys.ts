import { generateKeyPairSync } from "node:crypto";
import type { Keyring } from "../../../src/crypto/keyring.ts";
import { createId } from "../../../src/crypto/secrets.ts";
import type { Database } from "../../../src/database/database.ts";
import type { SigningAlgorithm } from "../../../src/database/oidc-tables.ts";
import { SIGNING_KEY_SEALED } from "../../../src/oidc/signing-keys.ts";
import { environment } from "../databases/database.ts";

/** Generates private keys for the databases of all tests, as JSON. An RSA key takes 0.1 s of CPU time on average. */
export function generateSigningKeys(): string {
  const keys = {
    RS256: generateKeyPairSync("rsa", { modulusLength: 2_048 }),
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    EdDSA: generateKeyPairSync("ed25519"),
    PS256: generateKeyPairSync("rsa", { modulusLength: 2_048 }),
  };
  return JSON.stringify(
    Object.entries(keys).map(([algorithm, { privateKey }]) => ({
      algorithm,
      privateJwk: JSON.stringify(privateKey.export({ format: "jwk" })),
    })),
  );
}

/** Inserts these keys, so that the service does not generate its own. The ids and ciphertexts are new. */
export async function insertSigningKeys(db: Database, keyring: Keyring): Promise<void> {
  const keys: { algorithm: SigningAlgorithm; privateJwk: string }[] = JSON.parse(environment("TEST_SIGNING_KEYS"));
  const { id: instanceId } = await db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const now = new Date();
  const rows = keys.map(({ algorithm, privateJwk }) => {
    const id = createId();
    const { ciphertext, keyId } = keyring.seal({ ...SIGNING_KEY_SEALED, rowId: id }, privateJwk);
    return {
      instance_id: instanceId,
      id,
      algorithm,
      private_jwk: ciphertext,
      private_jwk_key: keyId,
      created_at: now,
      signs_from: now,
    };
  });
  await db.insertInto("signing_keys").values(rows).execute();
}
