import { isId } from "../crypto/secrets.ts";
import { type AppConfig, type AppConfigFields, mapAppSettings } from "../database/app-config.ts";
import { addProblem, type Problems } from "../errors.ts";
import {
  type ClientUriRules,
  describeOriginProblem,
  describeRedirectUriProblem,
  describeRequestedUrlProblem,
} from "../fields/client-uri.ts";
import { parseKeySet } from "../fields/key-set.ts";
import { describeNameProblem } from "../fields/name.ts";
import { checkRoleNames } from "../fields/role-name.ts";
import { trimText } from "../fields/trim-text.ts";
import { SERVICE_USER_RULE } from "./service-user.ts";

/** A checked AddOIDCAppRequest. */
export interface NewOidcApp {
  readonly name: string;
  readonly config: AppConfig;
}

/** Checks the rules of AddOIDCAppRequest that the schema cannot express. */
export function checkNewOidcApp(given: { name: string; config: AppConfigFields }, problems: Problems): NewOidcApp {
  const name = trimText(given.name);
  // The schema rejects an empty name.
  addProblem(problems, "name", given.name === "" ? undefined : describeNameProblem(name));
  return { name, config: checkOidcConfig(given.config, problems) };
}

/** Checks the rules of a configuration that the schemas cannot express. */
export function checkOidcConfig(config: AppConfigFields, problems: Problems): AppConfig {
  const { type, authMethod, devMode, backChannelLogoutUri } = config;
  const rules = { native: type === "native", devMode };
  const grantTypes = checkGrantTypes(config.grantTypes, problems);
  checkUris("redirectUris", config.redirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("postLogoutRedirectUris", config.postLogoutRedirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("additionalOrigins", config.additionalOrigins, describeOriginProblem, rules, problems);
  if (grantTypes.includes("authorization_code") && config.redirectUris.length === 0) {
    problems.add("redirectUris", "must have at least one URI for the grant type AUTHORIZATION_CODE");
  }
  checkRoleNames(config.roles, problems);
  const hasLogout = backChannelLogoutUri !== "";
  addProblem(problems, "backChannelLogoutUri", hasLogout && describeRequestedUrlProblem(backChannelLogoutUri, rules));
  if ((type === "spa" || type === "native") && authMethod !== "none") {
    problems.add("authMethodType", "must be OIDC_AUTH_METHOD_TYPE_NONE: the application cannot keep a secret");
  }
  return {
    ...mapAppSettings<AppConfig>((name) => toStored(config[name])),
    ...checkKeys(config, problems),
    serviceUserId: checkService(config, problems),
    // RFC 9700, section 2.1.1.
    requiresPkce: config.requiresPkce || authMethod === "none",
  };
}

function toStored<Value>(given: Value) {
  if (Array.isArray(given)) return unique(given);
  return given === "" ? null : given;
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

/** Only an application of the type SERVICE has a machine user, and it has nothing of applications for people. */
function checkService(config: AppConfigFields, problems: Problems): string | null {
  const { type, authMethod, grantTypes, serviceUserId } = config;
  if (type !== "service") {
    if (serviceUserId !== "") problems.add("serviceUserId", "must be empty unless appType is OIDC_APP_TYPE_SERVICE");
    if (grantTypes.includes("client_credentials")) {
      problems.add(
        "grantTypes",
        "must not have OIDC_GRANT_TYPE_CLIENT_CREDENTIALS unless appType is OIDC_APP_TYPE_SERVICE",
      );
    }
    return null;
  }
  if (grantTypes.some((name) => name !== "client_credentials")) {
    problems.add("grantTypes", "must have only OIDC_GRANT_TYPE_CLIENT_CREDENTIALS for OIDC_APP_TYPE_SERVICE");
  }
  if (authMethod === "none") {
    problems.add("authMethodType", "must not be OIDC_AUTH_METHOD_TYPE_NONE for OIDC_APP_TYPE_SERVICE");
  }
  for (const field of [
    "redirectUris",
    "postLogoutRedirectUris",
    "additionalOrigins",
    "backChannelLogoutUri",
  ] as const) {
    if (config[field].length > 0) problems.add(field, "must be empty for OIDC_APP_TYPE_SERVICE");
  }
  if (serviceUserId === "") problems.add("serviceUserId", "is required for OIDC_APP_TYPE_SERVICE");
  else if (!isId(serviceUserId)) problems.add("serviceUserId", SERVICE_USER_RULE);
  return serviceUserId.toLowerCase();
}

/** An application with the method PRIVATE_KEY_JWT has keys or their URL, and others have neither. */
function checkKeys(
  { authMethod, jwks, jwksUri, devMode }: AppConfigFields,
  problems: Problems,
): Pick<AppConfig, "jwks" | "jwksUri"> {
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
  addProblem(problems, "jwksUri", jwksUri !== "" && describeRequestedUrlProblem(jwksUri, { devMode }));
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
    addProblem(problems, `${field}[${index}]`, describe(uri, rules));
  }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
