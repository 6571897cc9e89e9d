import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { type UpdateOIDCAppConfigResponse, UpdateOIDCAppConfigResponseSchema } from "../../gen/signet/v1/app_pb.js";
import type { Call } from "../call.ts";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { toObjectDetails } from "../events/object-details.ts";
import type { OidcAppChange } from "./check-oidc-app.ts";
import { type ChangeAppParts, changeApp, prepareAppChange } from "./prepare-app-change.ts";

/**
 * Replaces the configuration of an application (docs/api.md). If the application then needs its first secret, it gets a
 * random one, which is not returned; `regenerateClientSecret` replaces it.
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function updateOidcAppConfig(
  parts: ChangeAppParts,
  { appId, config }: OidcAppChange,
  call: Call,
): Promise<UpdateOIDCAppConfigResponse> {
  const event = { type: "app.oidc.changed", payload: config } as const;
  const unknownSecretHash = hashSecret(createClientSecret());
  const app = await changeApp(parts, UPDATE_CONFIG, { appId, event, ...config, unknownSecretHash }, call);
  return create(UpdateOIDCAppConfigResponseSchema, { details: toObjectDetails(app, call.orgId) });
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
    dev_mode: param("devMode", "boolean"),
  };
}

const UPDATE_CONFIG = prepareAppChange<OidcAppPayload & { unknownSecretHash: Buffer }>({
  when: (param) => differsFrom("apps", configColumns(param)),
  set: (param) => ({
    ...configColumns(param),
    secret_hash: sql`case when ${param("authMethod", "text")} <> 'none'
      then coalesce(apps.secret_hash, ${param("unknownSecretHash", "bytea")}) end`,
  }),
});
