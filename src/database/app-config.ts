/**
 * - `flag`: true or false.
 * - `text`: null if there is none, and empty in requests.
 * - `uri`: a text of which events contain only the host, because its path or query may contain a secret.
 * - `list`: texts without duplicates.
 * - `uris`: a list of which events contain only the hosts.
 * - a list of words: one of them. The first one is the default.
 */
type Rule = "flag" | "text" | "uri" | "list" | "uris" | readonly [string, ...string[]];

interface AppSetting {
  /** The column in `apps`. */
  readonly column: string;
  readonly rule: Rule;
}

/**
 * The settings of an application, by their names in events. Columns, rows, event payloads, responses and values of the
 * command line follow from this table; the fields of enums in messages are in `src/rpc/app-enums.ts`, the options of the
 * command line in `src/cli/app-options.ts`. Events recorded before a setting existed do not contain it.
 */
export const APP_SETTINGS = {
  /** Where the application runs. */
  type: { column: "type", rule: ["web", "spa", "native", "service"] },
  authMethod: { column: "auth_method", rule: ["basic", "post", "none", "private_key_jwt"] },
  /** Names of OAuth, such as `authorization_code`. */
  grantTypes: { column: "grant_types", rule: "list" },
  redirectUris: { column: "redirect_uris", rule: "uris" },
  postLogoutRedirectUris: { column: "post_logout_redirect_uris", rule: "uris" },
  /** Origins that may call the provider from a browser, in addition to the origins of the redirect URIs. */
  additionalOrigins: { column: "additional_origins", rule: "list" },
  backChannelLogoutUri: { column: "back_channel_logout_uri", rule: "uri" },
  accessTokenType: { column: "access_token_type", rule: ["opaque", "jwt"] },
  /** Whether ID tokens have the claims of all granted scopes. */
  idTokenUserinfoAssertion: { column: "id_token_userinfo_assertion", rule: "flag" },
  /** Signs its ID tokens and logout tokens. RS256 in events of versions without it. */
  idTokenSignedResponseAlg: { column: "id_token_signed_response_alg", rule: ["RS256", "ES256", "EdDSA", "PS256"] },
  /** Allows `http` and loopback redirect URIs. */
  devMode: { column: "dev_mode", rule: "flag" },
  /** Whether it may ask for access tokens that call the RPCs. True in events of versions without it. */
  apiAccess: { column: "api_access", rule: "flag" },
  /** The public keys of the method `private_key_jwt`, as JSON; or their URL in `jwksUri`. */
  jwks: { column: "jwks", rule: "text" },
  jwksUri: { column: "jwks_uri", rule: "uri" },
  /** The machine user for whom an application of the type `service` gets access tokens. The user may have been removed. */
  serviceUserId: { column: "service_user_id", rule: "text" },
  /** The roles that users can have in the application. */
  roles: { column: "roles", rule: "list" },
  /** The keys of the metadata of users that it gets as claims. */
  metadataClaims: { column: "metadata_claims", rule: "list" },
  /** Whether a sign-in requires PKCE; always true for the method `none`, and in events of versions without it. */
  requiresPkce: { column: "requires_pkce", rule: "flag" },
  /** Whether a sign-in requires a pushed authorization request. */
  requiresPar: { column: "requires_par", rule: "flag" },
  /** Whether tokens are issued only with a DPoP proof. */
  dpopBoundAccessTokens: { column: "dpop_bound_access_tokens", rule: "flag" },
} as const satisfies Record<string, AppSetting>;

type Settings = typeof APP_SETTINGS;
export type AppSettingName = keyof Settings;

type Value<R extends Rule> = R extends "flag"
  ? boolean
  : R extends "text" | "uri"
    ? string | null
    : R extends "list" | "uris"
      ? string[]
      : R[number];

/** The configuration of an application, as it is stored. */
export type AppConfig = { -readonly [N in AppSettingName]: Value<Settings[N]["rule"]> };

/** A configuration in requests. Empty texts are absent. */
export type AppConfigFields = {
  readonly [N in AppSettingName]: null extends AppConfig[N] ? string : Readonly<AppConfig[N]>;
};

/** The columns of a configuration. */
export type AppConfigRow = { [N in AppSettingName as Settings[N]["column"]]: AppConfig[N] };

/** The configuration of an application in events, with hosts such as `redirectHosts` for `redirectUris`. */
export type AppEventPayload = {
  [N in AppSettingName as Settings[N]["rule"] extends "uri" | "uris" ? HostName<N> : N]: AppConfig[N];
};

type HostName<N extends string> = N extends `${infer Start}Uri${infer End}` ? `${Start}Host${End}` : never;

export const APP_SETTING_ENTRIES = Object.entries(APP_SETTINGS) as [AppSettingName, AppSetting][];

/** Creates a value for each setting of an application. */
export function mapAppSettings<Result>(toValue: (name: AppSettingName, setting: AppSetting) => unknown): Result {
  return Object.fromEntries(APP_SETTING_ENTRIES.map(([name, setting]) => [name, toValue(name, setting)])) as Result;
}

/** A configuration with all defaults, and without the URIs that it requires. */
export const EMPTY_APP_CONFIG = mapAppSettings<Readonly<AppConfig>>((_, { rule }) => {
  if (rule === "flag") return false;
  if (rule === "list" || rule === "uris") return [];
  return rule === "text" || rule === "uri" ? null : rule[0];
});

/** The configuration in a row. */
export function toConfig(row: AppConfigRow): AppConfig {
  return mapAppSettings((_, { column }) => row[column as keyof AppConfigRow]);
}

/** The columns of a configuration. */
export function toConfigColumns(config: AppConfig): AppConfigRow {
  return Object.fromEntries(
    APP_SETTING_ENTRIES.map(([name, { column }]) => [column, config[name]]),
  ) as unknown as AppConfigRow;
}

/** The configuration as in requests. */
export function toConfigFields(config: AppConfig): AppConfigFields {
  return mapAppSettings((name) => config[name] ?? "");
}
