import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";

/**
 * Whether an application follows the FAPI 2.0 Security Profile: it must push its requests and bind its tokens, and
 * authenticates itself with a key. Each of these is a setting; all of them together add the other rules of the profile
 * (test/oidc/README.md).
 */
export function isFapi(client: Client | undefined): boolean {
  return (
    client?.requirePushedAuthorizationRequests === true &&
    client.dpopBoundAccessTokens === true &&
    client.tokenEndpointAuthMethod === "private_key_jwt"
  );
}

/** How far the clock of an application may be ahead (section 5.3.2.1). */
const LATEST_SECONDS = 60;

/** Section 5.4.1. */
const ALGORITHMS: ReadonlySet<unknown> = new Set(["PS256", "ES256", "EdDSA", "Ed25519"]);

/**
 * Checks an assertion of an application that follows the profile (sections 5.3.2.1 and 5.4.1).
 *
 * @throws InvalidClientAuth
 */
export function checkFapiAssertion(
  { oidc }: KoaContextWithOIDC,
  { aud, iat }: Record<string, unknown>,
  { alg }: Record<string, unknown>,
  now: Date,
): void {
  if (!isFapi(oidc.client)) return;
  if (aud !== oidc.issuer) throw refuse("the client assertion must have the issuer as its only audience");
  if (!ALGORITHMS.has(alg)) throw refuse("the client assertion must be signed with PS256, ES256 or EdDSA");
  // oidc-provider checks `nbf`, but not `iat`.
  if (iat !== undefined && !(Number(iat) <= now.getTime() / 1_000 + LATEST_SECONDS)) {
    throw refuse("iat of the client assertion is too late");
  }
}

function refuse(error_description: string): Error {
  return Object.assign(new errors.InvalidClientAuth(error_description), { error_description });
}
