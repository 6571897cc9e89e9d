import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Config } from "../config.ts";
import { type CoseKey, isUsableKey } from "./is-usable-key.ts";

/** How long the browser waits for the user (WebAuthn, section 15.1: 5 to 10 minutes). */
const CEREMONY_MS = 300_000;

const base64url = z.string().regex(/^[\w-]*$/);

/** What a browser returns for a new passkey: a `RegistrationResponseJSON` (WebAuthn). */
export const CREATED = z
  .object({
    id: base64url,
    rawId: base64url,
    type: z.literal("public-key"),
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      // Unknown transports must be stored too (WebAuthn, section 5.2.1).
      transports: z
        .array(z.string().regex(/^[a-z0-9-]{1,32}$/))
        .max(16)
        .default([]),
    }),
  })
  .transform((passkey) => ({ ...passkey, clientExtensionResults: {} }));

/** What a browser returns for a passkey that was used: an `AuthenticationResponseJSON` (WebAuthn). */
export const USED = z
  .object({
    id: base64url.max(1_364),
    rawId: base64url,
    type: z.literal("public-key"),
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.nullish(),
    }),
  })
  // Some browsers send null for an absent user handle.
  .transform(({ response: { userHandle, ...signed }, ...passkey }) => ({
    ...passkey,
    response: { ...signed, ...(userHandle && { userHandle }) },
    clientExtensionResults: {},
  }));

/** Reads a response in JSON; undefined if it is none. */
export function readResponse<Response>(schema: z.ZodType<Response>, json: string | null): Response | undefined {
  try {
    return schema.safeParse(JSON.parse(json ?? "")).data;
  } catch {
    return undefined;
  }
}

/** Where a passkey is used. */
export interface PasskeySite {
  /** The relying party id: a domain. */
  readonly rpId: string;
  /** The name that browsers show. */
  readonly rpName: string;
}

/**
 * Returns the argument of `navigator.credentials.create` in JSON (WebAuthn, `parseCreationOptionsFromJSON`).
 *
 * @param options `passkeys`: those of the user, which the browser does not create again.
 */
export async function createPasskeyOptions(
  { rpId, rpName }: PasskeySite,
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
    rpName,
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

/** The description of a passkey for a browser (WebAuthn, `PublicKeyCredentialDescriptorJSON`). */
export interface PasskeyDescriptor {
  readonly type: "public-key";
  readonly id: string;
  readonly transports: readonly string[];
}

/** The argument of `navigator.credentials.get` in JSON (`PublicKeyCredentialRequestOptionsJSON`). */
export interface PasskeyRequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly userVerification: "required";
  readonly timeout: number;
  /** The accepted passkeys. If empty, all discoverable passkeys are accepted. */
  readonly allowCredentials: readonly PasskeyDescriptor[];
}

export function requestPasskeyOptions(
  rpId: string,
  challenge: string,
  passkeys: readonly PasskeyDescriptor[],
): PasskeyRequestOptions {
  return { challenge, rpId, userVerification: "required", timeout: CEREMONY_MS, allowCredentials: passkeys };
}

/** The maximum length of a credential id (WebAuthn, section 7.1). */
const MAX_ID_BYTES = 1_023;

/**
 * COSE algorithms (RFC 9053, RFC 8812) in order of preference: EdDSA, ES256, RS256. The library would put ML-DSA-44
 * first, which is experimental in Node and supported by few other implementations.
 */
const PASSKEY_ALGORITHMS = [-8, -7, -257];

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

/** A passkey that an authenticator has created. */
export interface NewPasskey {
  /** Credential id in base64url. */
  readonly id: string;
  /** COSE key (RFC 9052). */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: string[];
  readonly aaguid: string;
  readonly deviceType: "singleDevice" | "multiDevice";
  readonly backedUp: boolean;
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
): Promise<NewPasskey | undefined> {
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
    const { id: passkeyId, publicKey, counter, transports } = registrationInfo.credential;
    if (!isUsableKey(helpers.decodeCredentialPublicKey(publicKey) as unknown as CoseKey)) return undefined;
    // The library does not compare the id in the response with the one in the authenticator's data.
    if (passkeyId !== response.id || Buffer.from(passkeyId, "base64url").length > MAX_ID_BYTES) return undefined;
    return {
      id: passkeyId,
      publicKey: Buffer.from(publicKey),
      counter,
      transports: [...new Set(transports)],
      aaguid: registrationInfo.aaguid,
      deviceType: registrationInfo.credentialDeviceType,
      backedUp: registrationInfo.credentialBackedUp,
    };
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
