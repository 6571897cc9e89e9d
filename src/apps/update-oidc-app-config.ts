import { type RawBuilder, sql } from "kysely";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import type { Changed } from "../events/object-details.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import { toAppEventPayload } from "./app-event-payload.ts";
import { type AppCall, type ChangeAppParts, changeApp, prepareAppChange, refuseConfig } from "./prepare-app-change.ts";

/** A checked UpdateOIDCAppConfigRequest. */
export interface OidcAppChange {
  readonly appId: string;
  readonly config: OidcAppPayload;
}

/**
 * Replaces the configuration of an application (docs/api.md). If the application then needs its first secret, it gets a
 * random one, which is not returned; `regenerateClientSecret` replaces it.
 *
 * @throws SignetError APP_NOT_FOUND, INVALID_ARGUMENT for an unknown `serviceUserId`, PERMISSION_DENIED (see
 *   `mayGrantApiAccess` and `mayUseService`), or for a failure of the database.
 */
export async function updateOidcAppConfig(
  parts: ChangeAppParts,
  { appId, config }: OidcAppChange,
  call: AppCall,
): Promise<Changed> {
  if (config.apiAccess && !mayGrantApiAccess(call)) throw apiAccessDenied();
  const event = { type: "app.oidc.changed", payload: toAppEventPayload(config) } as const;
  const unknownSecretHash = hashSecret(createClientSecret());
  return await changeApp(parts, UPDATE_CONFIG, { appId, event, ...config, unknownSecretHash }, call);
}

/** The columns of a configuration. */
export function configColumns<Values extends OidcAppPayload>(param: Param<Values>) {
  return {
    type: param("type", "text"),
    auth_method: param("authMethod", "text"),
    grant_types: param("grantTypes", "text[]"),
    redirect_uris: param("redirectUris", "text[]"),
    post_logout_redirect_uris: param("postLogoutRedirectUris", "text[]"),
    additional_origins: param("additionalOrigins", "text[]"),
    back_channel_logout_uri: param("backChannelLogoutUri", "text"),
    access_token_type: param("accessTokenType", "text"),
    id_token_userinfo_assertion: param("idTokenUserinfoAssertion", "boolean"),
    id_token_signed_response_alg: param("idTokenSignedResponseAlg", "text"),
    dev_mode: param("devMode", "boolean"),
    api_access: param("apiAccess", "boolean"),
    jwks: param("jwks", "text"),
    jwks_uri: param("jwksUri", "text"),
    service_user_id: param("serviceUserId", "uuid"),
    roles: param("roles", "text[]"),
    metadata_claims: param("metadataClaims", "text[]"),
    requires_pkce: param("requiresPkce", "boolean"),
    requires_par: param("requiresPar", "boolean"),
    dpop_bound_access_tokens: param("dpopBoundAccessTokens", "boolean"),
  };
}

export interface ConfigValues extends OidcAppPayload {
  /** Of a random secret, in case the application needs its first one. */
  unknownSecretHash: Buffer;
}

/** The columns of a configuration, and that of the secret. */
export function setConfig<Values extends ConfigValues>(param: Param<Values>) {
  return {
    ...configColumns(param),
    secret_hash: sql`case when ${param("authMethod", "text")} in ('basic', 'post')
      then coalesce(apps.secret_hash, ${param("unknownSecretHash", "bytea")}) end`,
  };
}

/** The part that takes the roles from users which the application no longer has. */
export function removeRoles<Values extends ConfigValues & EventValues>(param: Param<Values>): RawBuilder<object> {
  const roles = param("roles", "text[]");
  return sql<object>`(
    delete from user_app_roles as granted using changed join held on held.id = changed.id
    where granted.org_id = ${param("ownerId", "uuid")} and granted.app_id = held.id
      and not held.roles <@ ${roles} and granted.role <> all (${roles})
    returning 1)`;
}

const UPDATE_CONFIG = prepareAppChange<ConfigValues>({
  refuse: refuseConfig,
  differs: (given) => differsFrom("held", configColumns(given)),
  set: setConfig,
  writes: removeRoles,
});
