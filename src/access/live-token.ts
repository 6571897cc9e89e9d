import { type Expression, type RawBuilder, sql } from "kysely";
import { isActiveUser } from "../database/active.ts";

/**
 * Whether the row `token` of `oidc_artifacts` is a token that has not expired, and what it is based on still exists: its
 * grant and the session that it is bound to, or the machine user of its application.
 */
export function isLiveToken(now: Expression<Date>): RawBuilder<boolean> {
  return sql<boolean>`(token.expires_at > ${now}
    and case when token.kind = ${SERVICE_TOKEN} then ${isOfServiceUser("token")} else
      exists (select from oidc_artifacts as granted
        where granted.kind = 'Grant' and granted.key = token.grant_key and granted.expires_at > ${now})
      and (token.payload ->> 'expiresWithSession' is distinct from 'true'
        or exists (select from oidc_artifacts as session
          where session.kind = 'Session' and session.session_uid = token.session_uid
            and session.user_id = token.user_id and session.expires_at > ${now})) end)`;
}

/** The kind of tokens that applications get for their machine user: a model of oidc-provider. */
export const SERVICE_TOKEN = sql.lit("ClientCredentials");

/**
 * Whether the user of a row is the machine user of its application, and active. It may have another one by now.
 *
 * @param table The name of `oidc_artifacts` in the statement.
 */
export function isOfServiceUser(table: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from users
    where users.id = ${sql.ref(`${table}.user_id`)} and users.kind = 'machine' and ${isActiveUser("users")}
      and users.id = (select apps.service_user_id from apps
        where apps.id = ${appOf(table)} and apps.owner_id = users.org_id and apps.type = 'service'))`;
}

/** The id of the application of the row `token`. */
export const APP_OF_TOKEN = appOf("token");

function appOf(table: string): RawBuilder<string | null> {
  return toAppId(sql.ref(`${table}.client_id`));
}

/**
 * A client id as that of an application. Null for the account page and for clients that are not registered, whose ids are
 * not UUIDs.
 */
export function toAppId(clientId: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`case when length(${clientId}) = 36 and ${clientId} not like 'https:%'
    then (${clientId})::uuid end`;
}
