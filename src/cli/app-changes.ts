import type { OidcAppPayload } from "../events/catalogue.ts";
import { type AuthenticationOptions, readAuthentication } from "./app-authentication.ts";

/** Options that are not given are undefined. */
export interface AppChanges extends AuthenticationOptions {
  readonly redirectUri?: readonly string[];
  readonly postLogoutRedirectUri?: readonly string[];
  /** Empty to remove it. */
  readonly backChannelLogoutUri?: string;
  readonly devMode?: boolean;
  readonly idTokenClaims?: boolean;
  readonly idTokenAlgorithm?: OidcAppPayload["idTokenSignedResponseAlg"];
  readonly apiAccess?: boolean;
  /** Id of the machine user of an application of the type `service`. */
  readonly serviceUser?: string;
  readonly accessTokenType?: "opaque" | "jwt";
  /** Names of roles. */
  readonly role?: readonly string[];
  /** Keys of metadata. */
  readonly metadataClaim?: readonly string[];
  readonly requirePkce?: boolean;
  readonly requirePar?: boolean;
  readonly requireDpop?: boolean;
}

type Setting =
  | "authMethod"
  | "jwks"
  | "jwksUri"
  | "redirectUris"
  | "postLogoutRedirectUris"
  | "devMode"
  | "idTokenUserinfoAssertion"
  | "idTokenSignedResponseAlg"
  | "apiAccess"
  | "accessTokenType"
  | "roles"
  | "metadataClaims"
  | "requiresPkce"
  | "requiresPar"
  | "dpopBoundAccessTokens";

interface ChangedSettings extends Partial<Pick<OidcAppPayload, Setting>> {
  readonly backChannelLogoutUri?: string;
  readonly serviceUserId?: string;
}

/** The settings for the options. */
export function toAppChanges({
  redirectUri,
  postLogoutRedirectUri,
  backChannelLogoutUri,
  devMode,
  idTokenClaims,
  idTokenAlgorithm,
  apiAccess,
  serviceUser,
  accessTokenType,
  role,
  metadataClaim,
  requirePkce,
  requirePar,
  requireDpop,
  ...rest
}: AppChanges): ChangedSettings {
  return {
    ...readAuthentication(rest),
    ...(redirectUri && { redirectUris: [...redirectUri] }),
    ...(postLogoutRedirectUri && { postLogoutRedirectUris: [...postLogoutRedirectUri] }),
    ...(backChannelLogoutUri !== undefined && { backChannelLogoutUri }),
    ...(devMode !== undefined && { devMode }),
    ...(idTokenClaims !== undefined && { idTokenUserinfoAssertion: idTokenClaims }),
    ...(idTokenAlgorithm && { idTokenSignedResponseAlg: idTokenAlgorithm }),
    ...(apiAccess !== undefined && { apiAccess }),
    ...(serviceUser !== undefined && { serviceUserId: serviceUser }),
    ...(accessTokenType && { accessTokenType }),
    ...(role && { roles: [...role] }),
    ...(metadataClaim && { metadataClaims: [...metadataClaim] }),
    ...(requirePkce !== undefined && { requiresPkce: requirePkce }),
    ...(requirePar !== undefined && { requiresPar: requirePar }),
    ...(requireDpop !== undefined && { dpopBoundAccessTokens: requireDpop }),
  };
}
