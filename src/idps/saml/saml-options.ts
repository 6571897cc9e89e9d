import { type SamlConfig, ValidateInResponseTo } from "@node-saml/node-saml";

/** Signet as the service provider of one identity provider. */
export interface ServiceProvider {
  /** The entity id of the identity provider. */
  readonly entityId: string;
  /** The identity provider's, DER in Base64. */
  readonly certificates: readonly string[];
  /** The entity id of Signet, where its metadata is. */
  readonly audience: string;
  readonly acsUrl: string;
}

/** How Signet signs requests. */
export interface SigningKey {
  /** PEM. */
  readonly privateKey: string;
  readonly certificate: string;
}

/**
 * The options of node-saml. The times, the recipient and the request are checked by `readResponse`: node-saml does not
 * check recipients, and its clock cannot be set.
 */
export function toOptions({ entityId, certificates, audience, acsUrl }: ServiceProvider, key?: SigningKey): SamlConfig {
  return {
    idpCert: [...certificates],
    idpIssuer: entityId,
    issuer: audience,
    audience,
    callbackUrl: acsUrl,
    // A signature over the response also covers the assertion.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: -1,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    ...(key && { privateKey: key.privateKey, publicCert: key.certificate }),
  };
}
