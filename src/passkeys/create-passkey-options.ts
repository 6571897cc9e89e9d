import type { AuthenticatorTransport, PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { PASSKEY_ALGORITHMS } from "./verify-passkey.ts";

/** How long the browser waits for the user (WebAuthn, section 15.1: 5 to 10 minutes). */
const CEREMONY_MS = 300_000;

/**
 * Returns the argument of `navigator.credentials.create` in JSON (WebAuthn, `parseCreationOptionsFromJSON`).
 *
 * @param rpId The relying party id: a domain.
 * @param options `passkeys`: those of the user, which the browser does not create again.
 */
export async function createPasskeyOptions(
  rpId: string,
  options: {
    readonly challenge: Uint8Array;
    readonly userId: string;
    readonly userName: string;
    readonly displayName: string;
    readonly passkeys: { id: string; transports: AuthenticatorTransport[] }[];
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { challenge, userId, userName, displayName, passkeys } = options;
  // Loaded on first use, because it takes 0.3 s, which would delay startup.
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return await generateRegistrationOptions({
    rpName: "Signet",
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(userId.replaceAll("-", ""), "hex")),
    userName,
    userDisplayName: displayName,
    challenge: Uint8Array.from(challenge),
    timeout: CEREMONY_MS,
    attestationType: "none",
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    excludeCredentials: passkeys,
    supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
  });
}
