import { create } from "@bufbuild/protobuf";
import { type App, AppSchema, AppState, OIDCResponseType } from "../../../gen/signet/v1/app_pb.js";
import type { AppRow } from "../../apps/app-row.ts";
import type { OidcAppPayload } from "../../events/catalogue.ts";
import { APP_TYPES, AUTH_METHODS, GRANT_TYPES, SIGNING_ALGORITHMS, TOKEN_TYPES, toNumber } from "../app-enums.ts";
import { toDetails } from "./details.ts";

/** Converts a row to an application in a response. Does not include the secret, because only its hash is stored. */
export function toApp(row: AppRow): App {
  return create(AppSchema, {
    id: row.id,
    details: toDetails(row, row.ownerId),
    state: row.state === "active" ? AppState.ACTIVE : AppState.INACTIVE,
    name: row.name,
    config: {
      case: "oidcConfig",
      value: { ...toAppConfig(row), clientId: row.id },
    },
  });
}

/** Converts the configuration of an application. */
export function toAppConfig(config: OidcAppPayload) {
  return {
    redirectUris: [...config.redirectUris],
    responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
    grantTypes: config.grantTypes.map((name) => toNumber(GRANT_TYPES, name)),
    appType: toNumber(APP_TYPES, config.type),
    authMethodType: toNumber(AUTH_METHODS, config.authMethod),
    postLogoutRedirectUris: [...config.postLogoutRedirectUris],
    devMode: config.devMode,
    idTokenUserinfoAssertion: config.idTokenUserinfoAssertion,
    idTokenSignedResponseAlg: toNumber(SIGNING_ALGORITHMS, config.idTokenSignedResponseAlg),
    accessTokenType: toNumber(TOKEN_TYPES, config.accessTokenType),
    additionalOrigins: [...config.additionalOrigins],
    backChannelLogoutUri: config.backChannelLogoutUri ?? "",
    apiAccess: config.apiAccess,
    jwks: config.jwks ?? "",
    jwksUri: config.jwksUri ?? "",
    serviceUserId: config.serviceUserId ?? "",
    roles: [...config.roles],
    metadataClaims: [...config.metadataClaims],
    requiresPkce: config.requiresPkce,
    requiresPar: config.requiresPar,
    dpopBoundAccessTokens: config.dpopBoundAccessTokens,
  };
}
