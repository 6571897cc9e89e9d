import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from "@simplewebauthn/server";
import type { Config } from "../config.ts";
import { type CoseKey, isUsableKey } from "./is-usable-key.ts";

/** The maximum length of a credential id (WebAuthn, section 7.1). */
const MAX_ID_BYTES = 1_023;

/**
 * COSE algorithms (RFC 9053, RFC 8812) in order of preference: EdDSA, ES256, RS256. The library would put ML-DSA-44
 * first, which is experimental in Node and supported by few other implementations.
 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** The relying party of passkeys. */
export interface RelyingParty {
  /** A domain. */
  readonly id: string;
  /** The origin of the page where passkeys are registered. */
  readonly origin: string;
}

export function toRelyingParty({ webauthnRpId, publicUrl }: Pick<Config, "webauthnRpId" | "publicUrl">): RelyingParty {
  return { id: webauthnRpId, origin: new URL(publicUrl).origin };
}

/**
 * Verifies the response of an authenticator that created a passkey (WebAuthn, section 7.1): challenge, origin, relying
 * party, user presence, user verification, algorithm and key.
 *
 * @returns The passkey; undefined if a check fails, or the response cannot be parsed.
 */
export async function verifyPasskey(
  response: RegistrationResponseJSON,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<VerifiedRegistrationResponse["registrationInfo"]> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const helpers = await import("@simplewebauthn/server/helpers");
  try {
    // The page cannot be framed, so cross-origin responses are rejected.
    const { crossOrigin } = helpers.decodeClientDataJSON(response.response.clientDataJSON);
    if (crossOrigin) return undefined;
    const attestationObject = withoutStatement(response.response.attestationObject, helpers);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, response: { ...response.response, attestationObject } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserPresence: true,
      requireUserVerification: true,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { id: passkeyId, publicKey } = registrationInfo.credential;
    if (!isUsableKey(helpers.decodeCredentialPublicKey(publicKey) as unknown as CoseKey)) return undefined;
    // The library does not compare the id in the response with the one in the authenticator's data.
    const isId = passkeyId === response.id;
    const isShort = Buffer.from(passkeyId, "base64url").length <= MAX_ID_BYTES;
    return isId && isShort ? registrationInfo : undefined;
  } catch {
    // The library throws for every violated rule, and for data that it cannot parse.
    return undefined;
  }
}

/**
 * Drops the attestation, which some authenticators send although none was requested. Verifying it would mean trusting
 * manufacturers, and fetching revocation lists from URLs in the response.
 */
function withoutStatement(attestationObject: string, helpers: typeof import("@simplewebauthn/server/helpers")): string {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = helpers;
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  const statement = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  return isoBase64URL.fromBuffer(Uint8Array.from(isoCBOR.encode(statement)));
}
