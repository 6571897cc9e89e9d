import {
  OIDCAppType,
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCSigningAlgorithm,
  OIDCTokenType,
} from "../../gen/signet/v1/app_pb.js";
import type { SigningAlgorithm } from "../database/oidc-tables.ts";
import type { Tables } from "../database/tables.ts";

/** Grant types: the number in the API, and the name in OAuth, which is stored. Others are not supported. */
export const GRANT_TYPES = new Map<OIDCGrantType, string>([
  [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, "authorization_code"],
  [OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN, "refresh_token"],
  [OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE, "urn:ietf:params:oauth:grant-type:device_code"],
  [OIDCGrantType.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS, "client_credentials"],
]);

export const APP_TYPES = new Map<OIDCAppType, Tables["apps"]["type"]>([
  [OIDCAppType.OIDC_APP_TYPE_WEB, "web"],
  [OIDCAppType.OIDC_APP_TYPE_USER_AGENT, "spa"],
  [OIDCAppType.OIDC_APP_TYPE_NATIVE, "native"],
  [OIDCAppType.OIDC_APP_TYPE_SERVICE, "service"],
]);

export const AUTH_METHODS = new Map<OIDCAuthMethodType, Tables["apps"]["auth_method"]>([
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC, "basic"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST, "post"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE, "none"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT, "private_key_jwt"],
]);

export const TOKEN_TYPES = new Map<OIDCTokenType, Tables["apps"]["access_token_type"]>([
  [OIDCTokenType.OIDC_TOKEN_TYPE_BEARER, "opaque"],
  [OIDCTokenType.OIDC_TOKEN_TYPE_JWT, "jwt"],
]);

export const SIGNING_ALGORITHMS = new Map<OIDCSigningAlgorithm, SigningAlgorithm>([
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_RS256, "RS256"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_ES256, "ES256"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_EDDSA, "EdDSA"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_PS256, "PS256"],
]);

/** The number in the API of a stored name. */
export function toNumber<Number, Name>(numbers: ReadonlyMap<Number, Name>, stored: Name): Number {
  for (const [number, name] of numbers) if (name === stored) return number;
  throw new Error(`the stored name ${stored} is unknown`);
}
