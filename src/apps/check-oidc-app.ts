import type { AddOIDCAppRequest, UpdateOIDCAppConfigRequest } from "../../gen/signet/v1/app_pb.js";
import { OIDCAppType, OIDCAuthMethodType, OIDCGrantType, OIDCResponseType } from "../../gen/signet/v1/app_pb.js";
import type { Problems } from "../errors.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import {
  type ClientUriRules,
  describeLogoutUriProblem,
  describeOriginProblem,
  describeRedirectUriProblem,
} from "../fields/client-uri.ts";
import { describeNameProblem } from "../fields/name.ts";
import { APP_TYPES, AUTH_METHODS, GRANT_TYPES, TOKEN_TYPES } from "./app-enums.ts";

/** A checked AddOIDCAppRequest. */
export interface NewOidcApp {
  readonly name: string;
  readonly config: OidcAppPayload;
}

/** Checks the rules of AddOIDCAppRequest that the schema cannot express. */
export function checkAddOidcApp(request: AddOIDCAppRequest, problems: Problems): NewOidcApp {
  const name = request.name.trim();
  // The schema rejects an empty name.
  const problem = request.name === "" ? undefined : describeNameProblem(name);
  if (problem !== undefined) problems.add("name", problem);
  return { name, config: checkOidcConfig(request, problems) };
}

/** A checked UpdateOIDCAppConfigRequest. */
export interface OidcAppChange {
  readonly appId: string;
  readonly config: OidcAppPayload;
}

/** Checks the rules of UpdateOIDCAppConfigRequest that the schema cannot express. */
export function checkUpdateOidcAppConfig(request: UpdateOIDCAppConfigRequest, problems: Problems): OidcAppChange {
  return { appId: request.appId, config: checkOidcConfig(request, problems) };
}

type OidcConfigRequest = Omit<UpdateOIDCAppConfigRequest, "appId" | "projectId" | "$typeName" | "$unknown">;

function checkOidcConfig(request: OidcConfigRequest, problems: Problems): OidcAppPayload {
  const { devMode, backChannelLogoutUri } = request;
  const rules = { native: request.appType === OIDCAppType.OIDC_APP_TYPE_NATIVE, devMode };
  checkResponseTypes(request.responseTypes, problems);
  const grantTypes = checkGrantTypes(request.grantTypes, problems);
  checkUris("redirectUris", request.redirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("postLogoutRedirectUris", request.postLogoutRedirectUris, describeRedirectUriProblem, rules, problems);
  checkUris("additionalOrigins", request.additionalOrigins, describeOriginProblem, rules, problems);
  if (grantTypes.includes("authorization_code") && request.redirectUris.length === 0) {
    problems.add("redirectUris", "must have at least one URI for the grant type AUTHORIZATION_CODE");
  }
  const logoutProblem = backChannelLogoutUri === "" ? undefined : describeLogoutUriProblem(backChannelLogoutUri, rules);
  if (logoutProblem !== undefined) problems.add("backChannelLogoutUri", logoutProblem);
  return {
    // The schema rejects unknown numbers.
    type: APP_TYPES.get(request.appType) ?? "web",
    authMethod: checkAuthMethod(request, problems),
    grantTypes,
    redirectUris: unique(request.redirectUris),
    postLogoutRedirectUris: unique(request.postLogoutRedirectUris),
    additionalOrigins: unique(request.additionalOrigins),
    backChannelLogoutUri: backChannelLogoutUri === "" ? null : backChannelLogoutUri,
    accessTokenType: TOKEN_TYPES.get(request.accessTokenType) ?? "opaque",
    devMode,
  };
}

function checkResponseTypes(types: readonly OIDCResponseType[], problems: Problems): void {
  for (const [index, type] of types.entries()) {
    if (type === OIDCResponseType.OIDC_RESPONSE_TYPE_CODE) continue;
    problems.add(`responseTypes[${index}]`, "must be OIDC_RESPONSE_TYPE_CODE: the implicit flow is not supported");
  }
}

function checkGrantTypes(types: readonly OIDCGrantType[], problems: Problems): string[] {
  for (const [index, type] of types.entries()) {
    if (GRANT_TYPES.has(type)) continue;
    const allowed = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDC_GRANT_TYPE_REFRESH_TOKEN or OIDC_GRANT_TYPE_DEVICE_CODE";
    problems.add(`grantTypes[${index}]`, `must be ${allowed}`);
  }
  const given = types.length === 0 ? [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE] : types;
  const names = unique(given.flatMap((type) => GRANT_TYPES.get(type) ?? []));
  if (names.length === 1 && names[0] === "refresh_token") {
    problems.add(
      "grantTypes",
      "must have a grant type besides OIDC_GRANT_TYPE_REFRESH_TOKEN, which needs a first token",
    );
  }
  return names;
}

function checkAuthMethod(
  { appType, authMethodType }: Pick<OidcConfigRequest, "appType" | "authMethodType">,
  problems: Problems,
): OidcAppPayload["authMethod"] {
  const method = AUTH_METHODS.get(authMethodType);
  if (method === undefined) {
    if (authMethodType === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT)
      problems.add("authMethodType", "must not be OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT, which is not supported");
    return "none";
  }
  if (appType !== OIDCAppType.OIDC_APP_TYPE_WEB && method !== "none") {
    problems.add("authMethodType", "must be OIDC_AUTH_METHOD_TYPE_NONE: the application cannot keep a secret");
  }
  return method;
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
