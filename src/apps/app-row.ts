import { sql } from "kysely";
import type { OidcAppPayload } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** The columns of an application in responses. */
export interface AppRow extends ObjectRow, OidcAppPayload {
  readonly ownerId: string;
  readonly id: string;
  readonly name: string;
  readonly state: "active" | "inactive";
}

/** The columns of `AppRow`. */
export const APP_COLUMNS = {
  ownerId: sql.ref<string>("apps.owner_id"),
  id: sql.ref<string>("apps.id"),
  name: sql.ref<string>("apps.name"),
  state: sql.ref<AppRow["state"]>("apps.state"),
  type: sql.ref<AppRow["type"]>("apps.type"),
  authMethod: sql.ref<AppRow["authMethod"]>("apps.auth_method"),
  grantTypes: sql.ref<string[]>("apps.grant_types"),
  redirectUris: sql.ref<string[]>("apps.redirect_uris"),
  postLogoutRedirectUris: sql.ref<string[]>("apps.post_logout_redirect_uris"),
  additionalOrigins: sql.ref<string[]>("apps.additional_origins"),
  backChannelLogoutUri: sql.ref<string | null>("apps.back_channel_logout_uri"),
  accessTokenType: sql.ref<AppRow["accessTokenType"]>("apps.access_token_type"),
  idTokenUserinfoAssertion: sql.ref<boolean>("apps.id_token_userinfo_assertion"),
  idTokenSignedResponseAlg: sql.ref<AppRow["idTokenSignedResponseAlg"]>("apps.id_token_signed_response_alg"),
  devMode: sql.ref<boolean>("apps.dev_mode"),
  apiAccess: sql.ref<boolean>("apps.api_access"),
  jwks: sql.ref<string | null>("apps.jwks"),
  jwksUri: sql.ref<string | null>("apps.jwks_uri"),
  serviceUserId: sql.ref<string | null>("apps.service_user_id"),
  roles: sql.ref<string[]>("apps.roles"),
  metadataClaims: sql.ref<string[]>("apps.metadata_claims"),
  requiresPkce: sql.ref<boolean>("apps.requires_pkce"),
  requiresPar: sql.ref<boolean>("apps.requires_par"),
  dpopBoundAccessTokens: sql.ref<boolean>("apps.dpop_bound_access_tokens"),
  sequence: sql.ref<bigint>("apps.sequence"),
  created_at: sql.ref<Date>("apps.created_at"),
  changed_at: sql.ref<Date>("apps.changed_at"),
};
