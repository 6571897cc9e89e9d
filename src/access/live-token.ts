import { type Expression, type RawBuilder, sql } from "kysely";

/**
 * Whether the row `token` of `oidc_artifacts` is a token that has not expired, whose grant exists, and the session that
 * it is bound to.
 */
export function isLiveToken(now: Expression<Date>): RawBuilder<boolean> {
  return sql<boolean>`(token.expires_at > ${now}
    and exists (select from oidc_artifacts as granted
      where granted.kind = 'Grant' and granted.key = token.grant_key and granted.expires_at > ${now})
    and (token.payload ->> 'expiresWithSession' is distinct from 'true'
      or exists (select from oidc_artifacts as session
        where session.kind = 'Session' and session.session_uid = token.session_uid
          and session.user_id = token.user_id and session.expires_at > ${now})))`;
}

/** The id of the application of the row `token`. Null for the account page, whose client id is not a UUID. */
export const APP_OF_TOKEN = sql<string | null>`case when length(token.client_id) = 36 then token.client_id::uuid end`;
