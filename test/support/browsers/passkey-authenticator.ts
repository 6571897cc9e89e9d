import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** Bits of the flags of authenticator data (WebAuthn, section 6.1). */
export const FLAGS = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const;

/** How a response is to differ from a valid one. */
export interface Deviation {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly idBytes?: number;
  /** Number of a COSE algorithm (RFC 9053). */
  readonly algorithm?: number;
  /** With the signature of the key itself: "self attestation" (WebAuthn, section 8.2). */
  readonly selfAttested?: boolean;
}

/** A test authenticator that creates valid and invalid responses to challenges. */
export interface TestAuthenticator {
  readonly credentialId: string;
  /** The COSE key. */
  readonly publicKey: Buffer;
  create(challenge: string): RegistrationResponseJSON;
  /** Uses the passkey. */
  get(challenge: string, use?: Use): AuthenticationResponseJSON;
}

/** How a passkey is used; by default correctly, by a verified user, without a counter. */
export interface Use {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly counter?: number;
  /** In base64url. */
  readonly userHandle?: string;
  /** An id other than the passkey's. */
  readonly id?: string;
}

/** @param site The page's origin and the relying party id. */
export function createAuthenticator(
  site: { origin: string; rpId: string },
  deviation: Deviation = {},
): TestAuthenticator {
  const { privateKey, publicKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(deviation.idBytes ?? 32);
  const publicKey = toCose(key, deviation.algorithm ?? -7);
  const everything = FLAGS.userPresent | FLAGS.userVerified | FLAGS.attested;
  const authData = Buffer.concat([
    createHash("sha256")
      .update(deviation.rpId ?? site.rpId)
      .digest(),
    Buffer.from([deviation.flags ?? everything, 0, 0, 0, 0]),
    // The AAGUID: all zeros, as of an authenticator that does not reveal its model.
    Buffer.alloc(16),
    Buffer.from([credentialId.length >> 8, credentialId.length & 255]),
    credentialId,
    publicKey,
  ]);
  const id = credentialId.toString("base64url");
  const verified = FLAGS.userPresent | FLAGS.userVerified;
  return {
    get(challenge, use = {}) {
      const { type = "webauthn.get", origin = site.origin, crossOrigin = false, flags = verified } = use;
      const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
      const counter = Buffer.alloc(4);
      counter.writeUInt32BE(use.counter ?? 0);
      const rpIdHash = createHash("sha256")
        .update(use.rpId ?? site.rpId)
        .digest();
      const used = Buffer.concat([rpIdHash, Buffer.from([flags]), counter]);
      const signed = Buffer.concat([used, createHash("sha256").update(clientData).digest()]);
      return {
        id: use.id ?? id,
        rawId: use.id ?? id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: used.toString("base64url"),
          signature: sign("sha256", signed, privateKey).toString("base64url"),
          ...(use.userHandle !== undefined && { userHandle: use.userHandle }),
        },
      };
    },
    credentialId: id,
    publicKey,
    create(challenge) {
      const { type = "webauthn.create", origin = site.origin, crossOrigin = false } = deviation;
      const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
      const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
      const statement = deviation.selfAttested
        ? new Map<string, number | Uint8Array>([
            ["alg", -7],
            ["sig", Uint8Array.from(sign("sha256", signed, privateKey))],
          ])
        : new Map<string, number | Uint8Array>();
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, number | Uint8Array>>([
          ["fmt", deviation.selfAttested ? "packed" : "none"],
          ["attStmt", statement],
          ["authData", Uint8Array.from(authData)],
        ]),
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString("base64url"),
          attestationObject: Buffer.from(attestation).toString("base64url"),
          transports: ["internal"],
        },
      };
    },
  };
}

/** The key as a COSE key (RFC 9053, section 7.1.1). */
export function toCose(key: KeyObject, algorithm: number): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
  const map = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, algorithm],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  return Buffer.from(isoCBOR.encode(map));
}
