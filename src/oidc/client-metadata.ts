import { timingSafeEqual } from "node:crypto";
import type { AdapterPayload, ClientMetadata } from "oidc-provider";
import type { OidcApp } from "../apps/find-app.ts";
import { hashSecret } from "../crypto/secrets.ts";
import type { PublicJwk } from "../fields/key-set.ts";

/** Custom metadata that oidc-provider keeps with the client. */
export const APP_METADATA = [
  "signet_org_id",
  "signet_additional_origins",
  "signet_access_token_type",
  "signet_id_token_userinfo_assertion",
  "signet_api_access",
  "signet_requires_pkce",
  "signet_service_user_id",
  "signet_service_roles",
] as const;

/** The stored names, with those of OpenID Connect. */
export const AUTH_METHODS = {
  basic: "client_secret_basic",
  post: "client_secret_post",
  none: "none",
  private_key_jwt: "private_key_jwt",
} as const;

/**
 * An application as a client of oidc-provider (OpenID Connect Dynamic Client Registration 1.0, section 2).
 *
 * @param keys The public keys of an application with the method `private_key_jwt`.
 */
export function toClientMetadata(
  app: OidcApp,
  keys: readonly PublicJwk[] | undefined,
): AdapterPayload & ClientMetadata {
  return {
    client_id: app.id,
    client_name: app.name,
    // Any port of a loopback address matches (RFC 8252, section 7.3). Other `http` URIs, for development, must match
    // exactly.
    application_type: app.type === "native" && app.redirectUris.every(isNativeUri) ? "native" : "web",
    token_endpoint_auth_method: AUTH_METHODS[app.authMethod],
    // Compared by `compareSecret`.
    ...(app.secretHash && { client_secret: app.secretHash.toString("base64url") }),
    ...(keys !== undefined && { jwks: { keys: [...keys] as NonNullable<ClientMetadata["jwks"]>["keys"] } }),
    grant_types: [...app.grantTypes],
    response_types: app.grantTypes.includes("authorization_code") ? ["code"] : [],
    redirect_uris: [...app.redirectUris],
    post_logout_redirect_uris: [...app.postLogoutRedirectUris],
    ...(app.backChannelLogoutUri !== null && {
      backchannel_logout_uri: app.backChannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    id_token_signed_response_alg: app.idTokenSignedResponseAlg,
    require_pushed_authorization_requests: app.requiresPar,
    dpop_bound_access_tokens: app.dpopBoundAccessTokens,
    signet_org_id: app.orgId,
    signet_additional_origins: [...app.additionalOrigins],
    signet_access_token_type: app.accessTokenType,
    signet_id_token_userinfo_assertion: app.idTokenUserinfoAssertion,
    signet_api_access: app.apiAccess,
    signet_requires_pkce: app.requiresPkce,
    signet_service_user_id: app.serviceUserId,
    signet_service_roles: app.serviceRoles,
  };
}

function isNativeUri(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "http:" ? isLoopback : protocol !== "https:" || !isLoopback;
}

/** Whether a client secret matches the stored SHA-256. */
export function compareSecret(stored: Buffer, secret: string): boolean {
  const given = hashSecret(secret);
  return stored.length === given.length && timingSafeEqual(stored, given);
}
