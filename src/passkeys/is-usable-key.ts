import { createPublicKey, type JsonWebKey } from "node:crypto";

/** The minimum length of an RSA key in bits (NIST SP 800-131A). */
const SHORTEST_MODULUS_BITS = 2_048;

/** A COSE key (RFC 9052, section 7), decoded. */
export type CoseKey = ReadonlyMap<number, unknown>;

/**
 * Whether a COSE key contains a public key for its algorithm: EdDSA with Ed25519, ES256 or RS256. Users could not sign
 * in with any other passkey.
 */
export function isUsableKey(key: CoseKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: toJwk(key), format: "jwk" });
    return (asymmetricKeyDetails?.modulusLength ?? SHORTEST_MODULUS_BITS) >= SHORTEST_MODULUS_BITS;
  } catch {
    return false;
  }
}

/** RFC 9053, section 7, and RFC 8230, section 4, for the numbers. */
function toJwk(key: CoseKey): JsonWebKey {
  switch (`${key.get(3)} ${key.get(1)} ${key.get(3) === -257 ? "" : key.get(-1)}`) {
    case "-8 1 6":
      return { kty: "OKP", crv: "Ed25519", x: toText(key.get(-2)) };
    case "-7 2 1":
      return { kty: "EC", crv: "P-256", x: toText(key.get(-2)), y: toText(key.get(-3)) };
    case "-257 3 ":
      return { kty: "RSA", n: toText(key.get(-1)), e: toText(key.get(-2)) };
    default:
      throw new TypeError("the key is of another kind than its algorithm");
  }
}

function toText(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("a part of the key is missing");
  return Buffer.from(bytes).toString("base64url");
}
