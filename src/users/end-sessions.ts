import { type Expression, type RawBuilder, sql } from "kysely";

/**
 * The condition on `oidc_artifacts` of a user: a session that ends when the user's credentials change, or a token that
 * belongs to it.
 *
 * @param kept The id of the session that goes on, with its tokens; null if none does. Grants then stay: without a session
 *   and tokens they allow nothing, and those of the session that goes on belong to it.
 */
export function isEndedArtifact(kept: Expression<string | null>): RawBuilder<boolean> {
  return sql<boolean>`(${kept} is null
    or oidc_artifacts.kind <> 'Grant' and oidc_artifacts.session_uid is distinct from ${kept})`;
}
