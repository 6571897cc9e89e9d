import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import {
  type AddOIDCAppRequest,
  AddOIDCAppRequestSchema,
  type ListAppsRequest,
  OIDCGrantType,
  OIDCResponseType,
  type PatchOIDCAppConfigRequest,
  PatchOIDCAppConfigRequestSchema,
  type UpdateOIDCAppConfigRequest,
} from "../../../gen/signet/v1/app_pb.js";
import type { AppRow } from "../../apps/app-row.ts";
import { checkNewOidcApp, checkOidcConfig, type NewOidcApp, type OidcConfig } from "../../apps/check-oidc-app.ts";
import { APP_ORDER, type AppSearch } from "../../apps/list-apps.ts";
import type { OidcAppPatch } from "../../apps/patch-oidc-app-config.ts";
import type { OidcAppChange } from "../../apps/update-oidc-app-config.ts";
import type { Problems } from "../../errors.ts";
import type { OidcAppPayload } from "../../events/catalogue.ts";
import { checkKeys } from "../../users/metadata/check-metadata.ts";
import { APP_TYPES, AUTH_METHODS, GRANT_TYPES, SIGNING_ALGORITHMS, TOKEN_TYPES } from "../app-enums.ts";
import { shorten } from "../json/json-syntax.ts";
import { toAppConfig } from "../responses/app.ts";
import { checkMessage } from "../rules/check-message.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `listApps`. */
export function toAppSearch(request: ListAppsRequest, problems: Problems, schema: DescMessage): AppSearch {
  return {
    page: toListQuery(schema, request, APP_ORDER, problems),
    names: request.queries.flatMap(({ query }, n) => {
      if (query.case === "nameQuery") return { name: query.value.name, match: toTextMatch(query.value.method) };
      problems.add(`queries[${n}]`, "must contain a condition");
      return [];
    }),
  };
}

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

/** The name of a field in `OidcConfig` and `OidcAppPayload`. Neither has `responseTypes`, of which only one is supported. */
function toSetting({ localName }: DescField): string {
  return SETTINGS[localName] ?? localName;
}

const SETTINGS: Readonly<Record<string, keyof OidcConfig>> = { appType: "type", authMethodType: "authMethod" };

type ConfigRequest = AddOIDCAppRequest | UpdateOIDCAppConfigRequest | PatchOIDCAppConfigRequest;

/** The schema rejects unknown numbers, except those of types that are not supported. */
function toConfig(request: ConfigRequest, problems: Problems): OidcConfig {
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

/**
 * Checks the fields of an application given on the command line, by the rules of AddOIDCApp.
 *
 * @throws SignetError INVALID_ARGUMENT.
 */
export async function readNewApp({ name, ...config }: OidcAppPayload & { readonly name: string }): Promise<NewOidcApp> {
  const request = create(AddOIDCAppRequestSchema, { ...toAppConfig(config), name });
  return await checkMessage(AddOIDCAppRequestSchema, request, (problems) => toNewApp(request, problems));
}

/**
 * Checks changes of an application given on the command line, by the rules of PatchOIDCAppConfig.
 *
 * @throws SignetError INVALID_ARGUMENT.
 */
export async function readAppPatch(app: AppRow, changes: Partial<OidcAppPayload>): Promise<OidcAppPatch> {
  const paths = CONFIG_FIELDS.filter((field) => toSetting(field) in changes).map(({ name }) => name);
  const request = create(PatchOIDCAppConfigRequestSchema, {
    ...toAppConfig({ ...app, ...changes }),
    appId: app.id,
    updateMask: { paths },
  });
  return await checkMessage(PatchOIDCAppConfigRequestSchema, request, (problems) => toAppPatch(request, problems));
}
