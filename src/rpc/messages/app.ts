import { create, type DescField } from "@bufbuild/protobuf";
import {
  type AddOIDCAppRequest,
  type App,
  type AppQuery,
  AppSchema,
  AppState,
  type GetAppByIDRequest,
  type ListAppsRequest,
  OIDCGrantType,
  OIDCResponseType,
  type PatchOIDCAppConfigRequest,
  PatchOIDCAppConfigRequestSchema,
  type UpdateOIDCAppConfigRequest,
} from "../../../gen/signet/v1/app_pb.js";
import type { OidcAppChange, OidcAppPatch } from "../../apps/change-oidc-app.ts";
import { checkNewOidcApp, checkOidcConfig, type NewOidcApp } from "../../apps/check-oidc-app.ts";
import { APPS, type AppRow, type AppSearch } from "../../apps/list-apps.ts";
import { APP_SETTING_ENTRIES, type AppConfigFields } from "../../database/app-config.ts";
import type { Problems } from "../../errors.ts";
import { checkKeys } from "../../users/metadata/check-metadata.ts";
import {
  APP_TYPES,
  AUTH_METHODS,
  fieldOf,
  GRANT_TYPES,
  SIGNING_ALGORITHMS,
  TOKEN_TYPES,
  toAppFields,
} from "../app-enums.ts";
import { shorten } from "../json/json-syntax.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `getAppById`. */
export function toAppId({ appId }: GetAppByIDRequest): { readonly id: string } {
  return { id: appId };
}

/** The fields for `listApps`. */
export const toAppSearch = searchOf(APPS.order, ({ queries }: ListAppsRequest, problems) => ({
  names: toNames(queries, problems),
}));

const toNames = conditionsOf<AppQuery, AppSearch["names"][number]>({
  nameQuery: ({ name, method }) => ({ name, match: toTextMatch(method) }),
});

/** The fields for `addOidcApp`. */
export function toNewApp(request: AddOIDCAppRequest, problems: Problems): NewOidcApp {
  return checkNewOidcApp({ name: request.name, config: toConfig(request, problems) }, problems);
}

/** The fields for `updateOidcAppConfig`. */
export function toAppChange(request: UpdateOIDCAppConfigRequest, problems: Problems): OidcAppChange {
  return { appId: request.appId, config: checkOidcConfig(toConfig(request, problems), problems) };
}

/** The fields for `patchOidcAppConfig`. */
export function toAppPatch(request: PatchOIDCAppConfigRequest, problems: Problems): OidcAppPatch {
  const config: Partial<Record<string, unknown>> = { ...toConfig(request, problems) };
  const named = new Set(request.updateMask?.paths);
  if (named.size === 0) problems.add("updateMask", "must name at least one field to change");
  for (const path of named) {
    if (path === "*" || CONFIG_FIELDS.some(({ name }) => name === path)) continue;
    const names = CONFIG_FIELDS.map(({ name }) => name).join(", ");
    problems.add("updateMask", `${JSON.stringify(shorten(path))} is not a setting; the settings are ${names}`);
  }
  const settings = CONFIG_FIELDS.filter(({ name }) => named.has("*") || named.has(name)).map(toSetting);
  return { appId: request.appId, changes: Object.fromEntries(settings.map((setting) => [setting, config[setting]])) };
}

const CONFIG_FIELDS = PatchOIDCAppConfigRequestSchema.fields.filter(
  ({ name }) => name !== "app_id" && name !== "update_mask",
);

/** `responseTypes` is not a setting, because only one response type is supported. */
function toSetting({ localName }: DescField): string {
  return APP_SETTING_ENTRIES.find(([name]) => fieldOf(name) === localName)?.[0] ?? localName;
}

type ConfigRequest = AddOIDCAppRequest | UpdateOIDCAppConfigRequest | PatchOIDCAppConfigRequest;

/** The schema rejects unknown numbers, except those of types that are not supported. */
function toConfig(request: ConfigRequest, problems: Problems): AppConfigFields {
  for (const [index, type] of request.responseTypes.entries()) {
    if (type === OIDCResponseType.OIDC_RESPONSE_TYPE_CODE) continue;
    problems.add(`responseTypes[${index}]`, "must be OIDC_RESPONSE_TYPE_CODE: the implicit flow is not supported");
  }
  for (const [index, type] of request.grantTypes.entries()) {
    if (GRANT_TYPES.has(type)) continue;
    const allowed = [...GRANT_TYPES.keys()].map((number) => OIDCGrantType[number]);
    problems.add(`grantTypes[${index}]`, `must be one of ${allowed.join(", ")}`);
  }
  checkKeys(request.metadataClaims, (position) => `metadataClaims[${position}]`, problems);
  const type = APP_TYPES.get(request.appType) ?? "web";
  return {
    ...request,
    type,
    authMethod: AUTH_METHODS.get(request.authMethodType) ?? "none",
    grantTypes:
      request.grantTypes.length === 0
        ? [type === "service" ? "client_credentials" : "authorization_code"]
        : request.grantTypes.flatMap((type) => GRANT_TYPES.get(type) ?? []),
    accessTokenType: TOKEN_TYPES.get(request.accessTokenType) ?? "opaque",
    idTokenSignedResponseAlg: SIGNING_ALGORITHMS.get(request.idTokenSignedResponseAlg) ?? "RS256",
  };
}

/** Converts a row to an application in a response. Does not include the secret, because only its hash is stored. */
export function toApp(row: AppRow): App {
  return create(AppSchema, {
    id: row.id,
    details: toDetails(row, row.ownerId),
    state: row.state === "active" ? AppState.ACTIVE : AppState.INACTIVE,
    name: row.name,
    config: {
      case: "oidcConfig",
      value: { ...toAppFields(row), responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE], clientId: row.id },
    },
  });
}
