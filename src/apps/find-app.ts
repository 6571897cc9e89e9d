import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { isActiveApp, isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import type { SigningAlgorithm } from "../database/oidc-tables.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { rolesIn } from "./app-roles.ts";

/** An application for the OpenID provider. */
export interface OidcApp {
  /** Also the client id. */
  readonly id: string;
  /** The organization whose users may sign in; null if it belongs to the instance. */
  readonly orgId: string | null;
  readonly name: string;
  readonly type: Tables["apps"]["type"];
  readonly authMethod: Tables["apps"]["auth_method"];
  /** SHA-256 of the client secret; null for the methods `none` and `private_key_jwt`. */
  readonly secretHash: Buffer | null;
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly additionalOrigins: readonly string[];
  readonly backChannelLogoutUri: string | null;
  readonly accessTokenType: Tables["apps"]["access_token_type"];
  /** Whether ID tokens have the claims of all granted scopes. */
  readonly idTokenUserinfoAssertion: boolean;
  readonly idTokenSignedResponseAlg: SigningAlgorithm;
  readonly devMode: boolean;
  readonly requiresPkce: boolean;
  readonly requiresPar: boolean;
  readonly dpopBoundAccessTokens: boolean;
  /** Whether it may ask for access tokens that call the RPCs. */
  readonly apiAccess: boolean;
  /** The public keys of the method `private_key_jwt`, as JSON; or their URL in `jwksUri`. */
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  /** The active machine user of an application of the type `service`; null if there is none. */
  readonly serviceUserId: string | null;
  /** The roles of this user in the application; null if the application has none, or another type. */
  readonly serviceRoles: string[] | null;
}

/** Finds an active application by its client id. Text of any other form is an unknown id. */
export async function findApp(db: Database, clientId: string): Promise<OidcApp | undefined> {
  if (!isId(clientId)) return undefined;
  const [app] = await selectApp(db, { clientId });
  return app;
}

const selectApp = prepareStatement<{ clientId: string }, OidcApp>((db, param) =>
  db
    .selectFrom("apps")
    .leftJoin("orgs", "orgs.id", "apps.owner_id")
    .select([
      "apps.id",
      "orgs.id as orgId",
      "apps.name",
      "apps.type",
      "apps.auth_method as authMethod",
      "apps.secret_hash as secretHash",
      "apps.grant_types as grantTypes",
      "apps.redirect_uris as redirectUris",
      "apps.post_logout_redirect_uris as postLogoutRedirectUris",
      "apps.additional_origins as additionalOrigins",
      "apps.back_channel_logout_uri as backChannelLogoutUri",
      "apps.access_token_type as accessTokenType",
      "apps.id_token_userinfo_assertion as idTokenUserinfoAssertion",
      "apps.id_token_signed_response_alg as idTokenSignedResponseAlg",
      "apps.dev_mode as devMode",
      "apps.requires_pkce as requiresPkce",
      "apps.requires_par as requiresPar",
      "apps.dpop_bound_access_tokens as dpopBoundAccessTokens",
      "apps.api_access as apiAccess",
      "apps.jwks",
      "apps.jwks_uri as jwksUri",
      sql<string | null>`case when apps.type = 'service' then (
        select users.id from users
        where users.org_id = apps.owner_id and users.id = apps.service_user_id and users.kind = 'machine'
          and ${isActiveUser("users")}) end`.as("serviceUserId"),
      sql<
        string[] | null
      >`case when apps.type = 'service' then ${rolesIn("apps", sql.ref("apps.service_user_id"))} end`.as(
        "serviceRoles",
      ),
    ])
    .where("apps.id", "=", param("clientId", "uuid"))
    .where(isActiveApp("apps")),
);
