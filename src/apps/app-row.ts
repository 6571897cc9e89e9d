import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { type App, AppSchema, AppState, OIDCResponseType } from "../../gen/signet/v1/app_pb.js";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { APP_TYPES, AUTH_METHODS, GRANT_TYPES, TOKEN_TYPES, toNumber } from "./app-enums.ts";

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
  devMode: sql.ref<boolean>("apps.dev_mode"),
  sequence: sql.ref<bigint>("apps.sequence"),
  created_at: sql.ref<Date>("apps.created_at"),
  changed_at: sql.ref<Date>("apps.changed_at"),
};

/** Converts a row to an application in a response. Does not include the secret, because only its hash is stored. */
export function toApp(row: AppRow): App {
  return create(AppSchema, {
    id: row.id,
    details: toObjectDetails(row, row.ownerId),
    state: row.state === "active" ? AppState.ACTIVE : AppState.INACTIVE,
    name: row.name,
    config: {
      case: "oidcConfig",
      value: {
        redirectUris: [...row.redirectUris],
        responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
        grantTypes: row.grantTypes.map((name) => toNumber(GRANT_TYPES, name)),
        appType: toNumber(APP_TYPES, row.type),
        clientId: row.id,
        authMethodType: toNumber(AUTH_METHODS, row.authMethod),
        postLogoutRedirectUris: [...row.postLogoutRedirectUris],
        devMode: row.devMode,
        accessTokenType: toNumber(TOKEN_TYPES, row.accessTokenType),
        additionalOrigins: [...row.additionalOrigins],
        backChannelLogoutUri: row.backChannelLogoutUri ?? "",
      },
    },
  });
}
