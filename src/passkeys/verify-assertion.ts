import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { RelyingParty } from "./verify-passkey.ts";

/** A stored passkey. */
export interface StoredPasskey {
  /** Credential id in base64url. */
  readonly id: string;
  /** COSE key (RFC 9052). */
  readonly publicKey: Buffer;
  /** `unknown`: not compared. */
  readonly deviceType: "singleDevice" | "multiDevice" | "unknown";
}

/** An authenticator's data about a used passkey. */
export interface Assertion {
  /** Signature counter; 0 if the authenticator does not count. */
  readonly counter: number;
  readonly backedUp: boolean;
  readonly deviceType: "singleDevice" | "multiDevice";
}

/**
 * Verifies the response of an authenticator to a challenge (WebAuthn, section 7.2): challenge, origin, relying party,
 * presence and verification of the user, backup eligibility and signature. The caller compares the counter.
 *
 * @returns undefined if a check fails, or the response cannot be read.
 */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  challenge: string,
  { id: passkeyId, publicKey, deviceType }: StoredPasskey,
  { id, origin }: RelyingParty,
): Promise<Assertion | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    if (readClientData(response)?.crossOrigin === true) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // The library would reject a counter that decreases with the same error as an invalid signature.
      credential: { id: passkeyId, publicKey: Uint8Array.from(publicKey), counter: 0 },
    });
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
    // Whether a passkey can be backed up never changes (WebAuthn, section 6.1.3).
    if (!verified || (deviceType !== "unknown" && credentialDeviceType !== deviceType)) return undefined;
    return { counter: newCounter, backedUp: credentialBackedUp, deviceType: credentialDeviceType };
  } catch {
    // The library throws for each violated rule, and for data that it cannot parse.
    return undefined;
  }
}

interface ClientData {
  readonly challenge?: unknown;
  readonly crossOrigin?: unknown;
}

/** The client data of a response, unverified; undefined if it cannot be read. */
export function readClientData({
  response,
}: {
  readonly response: { readonly clientDataJSON: string };
}): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString("utf8"));
    return typeof data === "object" && data !== null ? data : undefined;
  } catch {
    return undefined;
  }
}
