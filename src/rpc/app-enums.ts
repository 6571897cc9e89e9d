import {
  OIDCAppType,
  OIDCAuthMethodType,
  type OIDCConfig,
  OIDCGrantType,
  OIDCSigningAlgorithm,
  OIDCTokenType,
} from "../../gen/signet/v1/app_pb.js";
import { APP_SETTING_ENTRIES, type AppConfig, type AppSettingName, mapAppSettings } from "../database/app-config.ts";

/** Grant types: the number in the API, and the name in OAuth, which is stored. Others are not supported. */
export const GRANT_TYPES = new Map<OIDCGrantType, string>([
  [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, "authorization_code"],
  [OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN, "refresh_token"],
  [OIDCGrantType.OIDC_GRANT_TYPE_DEVICE_CODE, "urn:ietf:params:oauth:grant-type:device_code"],
  [OIDCGrantType.OIDC_GRANT_TYPE_CLIENT_CREDENTIALS, "client_credentials"],
]);

export const APP_TYPES = new Map<OIDCAppType, AppConfig["type"]>([
  [OIDCAppType.OIDC_APP_TYPE_WEB, "web"],
  [OIDCAppType.OIDC_APP_TYPE_USER_AGENT, "spa"],
  [OIDCAppType.OIDC_APP_TYPE_NATIVE, "native"],
  [OIDCAppType.OIDC_APP_TYPE_SERVICE, "service"],
]);

export const AUTH_METHODS = new Map<OIDCAuthMethodType, AppConfig["authMethod"]>([
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC, "basic"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST, "post"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_NONE, "none"],
  [OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT, "private_key_jwt"],
]);

export const TOKEN_TYPES = new Map<OIDCTokenType, AppConfig["accessTokenType"]>([
  [OIDCTokenType.OIDC_TOKEN_TYPE_BEARER, "opaque"],
  [OIDCTokenType.OIDC_TOKEN_TYPE_JWT, "jwt"],
]);

export const SIGNING_ALGORITHMS = new Map<OIDCSigningAlgorithm, AppConfig["idTokenSignedResponseAlg"]>([
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_RS256, "RS256"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_ES256, "ES256"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_EDDSA, "EdDSA"],
  [OIDCSigningAlgorithm.OIDC_SIGNING_ALGORITHM_PS256, "PS256"],
]);

interface AppEnum {
  /** The name of the field. */
  readonly field: string;
  readonly names: ReadonlyMap<number, string>;
}

/** The settings of applications that are enums in messages. All others have the same names and values in messages. */
const APP_ENUMS: Readonly<Partial<Record<AppSettingName, AppEnum>>> = {
  type: { field: "appType", names: APP_TYPES },
  authMethod: { field: "authMethodType", names: AUTH_METHODS },
  grantTypes: { field: "grantTypes", names: GRANT_TYPES },
  accessTokenType: { field: "accessTokenType", names: TOKEN_TYPES },
  idTokenSignedResponseAlg: { field: "idTokenSignedResponseAlg", names: SIGNING_ALGORITHMS },
};

/** The name of the field of a setting. */
export function fieldOf(setting: AppSettingName): string {
  return APP_ENUMS[setting]?.field ?? setting;
}

/** The fields of all messages with a configuration. */
type AppFields = Omit<OIDCConfig, "$typeName" | "$unknown" | "clientId" | "responseTypes">;

/** The fields for the given settings. */
export function toAppFields(settings: Partial<AppConfig>): Partial<AppFields> {
  const given = APP_SETTING_ENTRIES.filter(([name]) => settings[name] !== undefined);
  return Object.fromEntries(given.map(([name]) => [fieldOf(name), toFieldValue(name, settings[name] ?? "")]));
}

function toFieldValue(name: AppSettingName, value: boolean | string | string[]) {
  const numbers = APP_ENUMS[name]?.names;
  if (numbers === undefined || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map((each) => toNumber(numbers, each)) : toNumber(numbers, value);
}

/** The settings in a message. Those of a newer server that are unknown are numbers or undefined. */
export function toAppSettings(message: OIDCConfig): AppConfig {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  return mapAppSettings((name, { rule }) => {
    const value = values[fieldOf(name)];
    const names = APP_ENUMS[name]?.names;
    if (names === undefined) return rule === "text" || rule === "uri" ? value || null : value;
    if (!Array.isArray(value)) return names.get(value as number);
    return value.map((number: number) => names.get(number) ?? String(number));
  });
}

/** The number of a stored name. */
function toNumber(names: ReadonlyMap<number, string>, stored: string): number {
  for (const [number, name] of names) if (name === stored) return number;
  throw new Error(`the stored name ${stored} is unknown`);
}
