import type {
  App,
  OIDCAuthMethodType,
  OIDCGrantType,
  OIDCSigningAlgorithm,
  OIDCTokenType,
} from "../../../gen/signet/v1/app_pb.js";

/** The configuration of an application that the forms change, by the names of the API. */
export interface AppValues {
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly additionalOrigins: readonly string[];
  readonly backChannelLogoutUri: string;
  readonly devMode: boolean;
  readonly grantTypes: readonly OIDCGrantType[];
  readonly authMethodType: OIDCAuthMethodType;
  readonly jwks: string;
  readonly jwksUri: string;
  readonly accessTokenType: OIDCTokenType;
  readonly idTokenUserinfoAssertion: boolean;
  readonly idTokenSignedResponseAlg: OIDCSigningAlgorithm;
  readonly apiAccess: boolean;
  readonly serviceUserId: string;
  readonly roles: readonly string[];
  readonly metadataClaims: readonly string[];
  readonly requiresPkce: boolean;
  readonly requiresPar: boolean;
  readonly dpopBoundAccessTokens: boolean;
}

export function toValues({ config: { value } }: App): AppValues {
  return {
    redirectUris: value?.redirectUris ?? [],
    postLogoutRedirectUris: value?.postLogoutRedirectUris ?? [],
    additionalOrigins: value?.additionalOrigins ?? [],
    backChannelLogoutUri: value?.backChannelLogoutUri ?? "",
    devMode: value?.devMode ?? false,
    grantTypes: value?.grantTypes ?? [],
    authMethodType: value?.authMethodType ?? 0,
    jwks: value?.jwks ?? "",
    jwksUri: value?.jwksUri ?? "",
    accessTokenType: value?.accessTokenType ?? 0,
    idTokenUserinfoAssertion: value?.idTokenUserinfoAssertion ?? false,
    idTokenSignedResponseAlg: value?.idTokenSignedResponseAlg ?? 0,
    apiAccess: value?.apiAccess ?? false,
    serviceUserId: value?.serviceUserId ?? "",
    roles: value?.roles ?? [],
    metadataClaims: value?.metadataClaims ?? [],
    requiresPkce: value?.requiresPkce ?? false,
    requiresPar: value?.requiresPar ?? false,
    dpopBoundAccessTokens: value?.dpopBoundAccessTokens ?? false,
  };
}

/** Some of the values of an application. */
export function pick<Name extends keyof AppValues>(values: AppValues, names: readonly Name[]): Pick<AppValues, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as unknown as Pick<AppValues, Name>;
}

/** The names of the proto file, such as `redirect_uris` for `redirectUris`. */
export function toMask(names: readonly string[]): { paths: string[] } {
  return { paths: names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) };
}
