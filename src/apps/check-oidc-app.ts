import type { Problems } from "../errors.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import {
  type ClientUriRules,
  describeOriginProblem,
  describeRedirectUriProblem,
  describeRequestedUrlProblem,
} from "../fields/client-uri.ts";
import { parseKeySet } from "../fields/key-set.ts";
import { describeNameProblem } from "../fields/name.ts";

/** A checked AddOIDCAppRequest. */
export interface NewOidcApp {
  readonly name: string;
  readonly config: OidcAppPayload;
}

/** Checks the rules of AddOIDCAppRequest that the schema cannot express. */
export function checkNewOidcApp(given: { name: string; config: OidcConfig }, problems: Problems): NewOidcApp {
  const name = given.name.trim();
  // The schema rejects an empty name.
  const problem = given.name === "" ? undefined : describeNameProblem(name);
  if (problem !== undefined) problems.add("name", problem);
  return { name, config: checkOidcConfig(given.config, problems) };
}

/** The configuration in AddOIDCAppRequest and UpdateOIDCAppConfigRequest. Empty texts are absent. */
export interface OidcConfig extends Pick<OidcAppPayload, "type" | "authMethod" | "accessTokenType"> {
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly devMode: boolean;
  readonly additionalOrigins: readonly string[];
  readonly backChannelLogoutUri: string;
  readonly apiAccess: boolean;
  readonly jwks: string;
  readonly jwksUri: string;
}

/** Checks the rules of a configuration that the schemas cannot express. */
export function checkOidcConfig(config: OidcConfig, problems: Problems): OidcAppPayload {
  const { type, authMethod, accessTokenType, devMode, apiAccess, backChannelLogoutUri } = config;
  const rules = { native: type === "native", devMode };
  const grantTypes = checkGrantTypes(config.grantTypes, problems);
  checkUris("redirectUris", config.redirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("postLogoutRedirectUris", config.postLogoutRedirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("additionalOrigins", config.additionalOrigins, describeOriginProblem, rules, problems);
  if (grantTypes.includes("authorization_code") && config.redirectUris.length === 0) {
    problems.add("redirectUris", "must have at least one URI for the grant type AUTHORIZATION_CODE");
  }
  const logoutProblem =
    backChannelLogoutUri === "" ? undefined : describeRequestedUrlProblem(backChannelLogoutUri, rules);
  if (logoutProblem !== undefined) problems.add("backChannelLogoutUri", logoutProblem);
  if (type !== "web" && authMethod !== "none") {
    problems.add("authMethodType", "must be OIDC_AUTH_METHOD_TYPE_NONE: the application cannot keep a secret");
  }
  return {
    type,
    authMethod,
    grantTypes,
    redirectUris: unique(config.redirectUris),
    postLogoutRedirectUris: unique(config.postLogoutRedirectUris),
    additionalOrigins: unique(config.additionalOrigins),
    backChannelLogoutUri: backChannelLogoutUri === "" ? null : backChannelLogoutUri,
    accessTokenType,
    devMode,
    apiAccess,
    ...checkKeys(config, problems),
  };
}

function checkGrantTypes(given: readonly string[], problems: Problems): string[] {
  const names = unique(given);
  if (names.length === 1 && names[0] === "refresh_token") {
    problems.add(
      "grantTypes",
      "must have a grant type besides OIDC_GRANT_TYPE_REFRESH_TOKEN, which needs a first token",
    );
  }
  return names;
}

/** An application with the method PRIVATE_KEY_JWT has keys or their URL, and others have neither. */
function checkKeys(
  { authMethod, jwks, jwksUri, devMode }: OidcConfig,
  problems: Problems,
): Pick<OidcAppPayload, "jwks" | "jwksUri"> {
  if (authMethod !== "private_key_jwt") {
    for (const [field, value] of Object.entries({ jwks, jwksUri })) {
      if (value !== "")
        problems.add(field, "must be empty unless authMethodType is OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT");
    }
    return { jwks: null, jwksUri: null };
  }
  if (jwks === "" && jwksUri === "") {
    problems.add("jwks", "is required for OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT, or jwksUri instead");
  }
  if (jwks !== "" && jwksUri !== "") problems.add("jwksUri", "must be empty if jwks is given");
  const keySet = jwks === "" ? { jwks: null } : parseKeySet(jwks);
  if ("problem" in keySet) problems.add("jwks", keySet.problem);
  const uriProblem = jwksUri === "" ? undefined : describeRequestedUrlProblem(jwksUri, { devMode });
  if (uriProblem !== undefined) problems.add("jwksUri", uriProblem);
  return { jwks: "jwks" in keySet ? keySet.jwks : null, jwksUri: jwksUri === "" ? null : jwksUri };
}

function checkUris(
  field: string,
  uris: readonly string[],
  describe: (uri: string, rules: ClientUriRules) => string | undefined,
  rules: ClientUriRules,
  problems: Problems,
): void {
  for (const [index, uri] of uris.entries()) {
    const problem = describe(uri, rules);
    if (problem !== undefined) problems.add(`${field}[${index}]`, problem);
  }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
