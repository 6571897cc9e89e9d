import type { OidcAppPayload } from "../events/catalogue.ts";
import { type AuthenticationOptions, readAuthentication } from "./app-authentication.ts";

export interface CreateAppOptions extends AuthenticationOptions {
  readonly name: string;
  /** Where the application runs. */
  readonly type: "web" | "spa" | "native" | "service";
  readonly redirectUri: readonly string[];
  readonly postLogoutRedirectUri: readonly string[];
  readonly backChannelLogoutUri?: string;
  /** Id or name of the organization that owns the application; by default, the one with the name `default`. */
  readonly org?: string;
  /** Whether the application belongs to the instance. */
  readonly instance: boolean;
  readonly devMode: boolean;
  readonly idTokenClaims: boolean;
  readonly idTokenAlgorithm: OidcAppPayload["idTokenSignedResponseAlg"];
  readonly apiAccess: boolean;
  /** Id of the machine user of an application of the type `service`. */
  readonly serviceUser?: string;
  readonly accessTokenType: "opaque" | "jwt";
  /** Names of the roles that users can have in it. */
  readonly role: readonly string[];
  /** Keys of the metadata of users that it gets as claims. */
  readonly metadataClaim: readonly string[];
  readonly requirePkce: boolean;
  readonly requirePar: boolean;
  readonly requireDpop: boolean;
  readonly json: boolean;
}

/** The grant types of new applications, by type. The last one of `native` is that of RFC 8628. */
const GRANT_TYPES = {
  web: ["authorization_code", "refresh_token"],
  spa: ["authorization_code", "refresh_token"],
  native: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  service: ["client_credentials"],
};

/** The configuration of a new application for the options. */
export function toNewAppConfig(options: Omit<CreateAppOptions, "org">): OidcAppPayload {
  return {
    type: options.type,
    authMethod: options.type === "web" || options.type === "service" ? "basic" : "none",
    jwks: null,
    jwksUri: null,
    ...readAuthentication(options),
    grantTypes: GRANT_TYPES[options.type],
    redirectUris: [...options.redirectUri],
    postLogoutRedirectUris: [...options.postLogoutRedirectUri],
    additionalOrigins: [],
    backChannelLogoutUri: options.backChannelLogoutUri ?? null,
    accessTokenType: options.accessTokenType,
    idTokenUserinfoAssertion: options.idTokenClaims,
    idTokenSignedResponseAlg: options.idTokenAlgorithm,
    devMode: options.devMode,
    apiAccess: options.apiAccess,
    serviceUserId: options.serviceUser ?? null,
    roles: [...options.role],
    metadataClaims: [...options.metadataClaim],
    requiresPkce: options.requirePkce,
    requiresPar: options.requirePar,
    dpopBoundAccessTokens: options.requireDpop,
  };
}
