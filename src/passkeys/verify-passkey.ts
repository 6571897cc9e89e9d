import type { RegistrationResponseJSON, VerifiedRegistrationResponse } from "@simplewebauthn/server";
import { type CoseKey, isUsableKey } from "./is-usable-key.ts";

/** WebAuthn, section 7.1: an id of a credential is no longer. */
const MAX_ID_BYTES = 1_023;

/**
 * COSE algorithms (RFC 9053, RFC 8812) in order of preference: EdDSA, ES256, RS256. The library would put ML-DSA-44
 * first, which is experimental in Node and unknown to most of those who will verify a login.
 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257];

/** For whom authenticators make passkeys. */
export interface RelyingParty {
  /** A domain. */
  readonly id: string;
  /** Of the page on which passkeys are made. */
  readonly origin: string;
}

/**
 * Verifies the response of an authenticator that made a passkey (WebAuthn, section 7.1): challenge, origin, relying
 * party, presence and verification of the user, algorithm and key.
 *
 * @returns The passkey, or undefined where anything does not hold, or the response cannot be read.
 */
export async function verifyPasskey(
  response: RegistrationResponseJSON,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<VerifiedRegistrationResponse["registrationInfo"]> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject, decodeClientDataJSON, decodeCredentialPublicKey, isoBase64URL, isoCBOR } =
    await import("@simplewebauthn/server/helpers");
  try {
    // The page cannot be framed, so that nobody makes a passkey on a page within a page.
    const { crossOrigin } = decodeClientDataJSON(response.response.clientDataJSON);
    if (crossOrigin) return undefined;
    const attestationObject = withoutStatement(response.response.attestationObject);
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
    if (!isUsableKey(decodeCredentialPublicKey(publicKey) as unknown as CoseKey)) return undefined;
    // The library does not compare the id beside the authenticator's data with the one in it.
    const isId = passkeyId === response.id;
    const isShort = Buffer.from(passkeyId, "base64url").length <= MAX_ID_BYTES;
    return isId && isShort ? registrationInfo : undefined;
  } catch {
    // The library throws for every rule that does not hold, and also for what it cannot read.
    return undefined;
  }

  /**
   * No statement of the authenticator's make was asked for, and some give one all the same. None is believed: checking
   * one would mean to trust makers, and to fetch lists of revoked certificates from addresses that the response names.
   */
  function withoutStatement(attestationObject: string): string {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
    const statement = new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return isoBase64URL.fromBuffer(Uint8Array.from(isoCBOR.encode(statement)));
  }
}
