import { type Expression, type RawBuilder, sql } from "kysely";

/** A session that ended with a change of its user. */
export interface EndedSession {
  readonly userId: string;
  /** The applications that the user has signed in to with it, by client id, with the id of the session in their tokens. */
  readonly authorizations: Readonly<Record<string, { readonly sid?: string | undefined }>>;
}

/** Notifies applications of the end of sessions. Returns at once; failures are logged. */
export type AnnounceEnds = (sessions: readonly EndedSession[]) => void;

/** What a part of a statement that ends sessions returns of each row of `oidc_artifacts`, for `endedSessionsIn`. */
export const ENDED_COLUMNS = ["oidc_artifacts.kind", "oidc_artifacts.user_id", "oidc_artifacts.payload"] as const;

/** The sessions of a user that a part of the statement has deleted. */
export function endedSessionsIn(part: string, userId: Expression<unknown>): RawBuilder<EndedSession[]> {
  return sql<EndedSession[]>`coalesce((
    select jsonb_agg(jsonb_build_object('userId', user_id, 'authorizations', payload -> 'authorizations'))
    from ${sql.table(part)} where kind = 'Session' and user_id = ${userId} and payload ? 'authorizations'), '[]')`;
}
