import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";

/** A session ended by a change to its user. */
export interface EndedSession {
  readonly userId: string;
  /**
   * The applications that the user has signed in to with it, by client id, with the id of the session in their tokens.
   */
  readonly authorizations: Readonly<Record<string, { readonly sid?: string | undefined }>>;
}

/** Notifies applications that sessions have ended. Returns immediately; failures are logged. */
export type AnnounceEnds = (sessions: readonly EndedSession[]) => void;

/**
 * The part of a statement that ends the sessions, and the tokens of applications, of the user whose row the part
 * `changed` returns.
 *
 * Sign-ins in progress in which the user has authenticated end too.
 *
 * @param kept The id of a session that continues with its tokens; null if none does. If one continues, all grants stay:
 *   its own are needed, and the others allow nothing without a session and tokens.
 * @param keptSignIn SHA-256 of the id of a sign-in that continues; null if none does.
 */
export function endSessions<Values extends EventValues>(
  param: Param<Values>,
  changed: string,
  kept: Expression<string | null> = sql<null>`null::text`,
  keptSignIn: Expression<Buffer | null> = sql<null>`null::bytea`,
): RawBuilder<object> {
  return sql<object>`(
    delete from oidc_artifacts using ${sql.table(changed)} as changed
    where oidc_artifacts.user_id = ${param("aggregateId", "uuid")}
      and (oidc_artifacts.kind <> 'Interaction' or oidc_artifacts.key is distinct from ${keptSignIn})
      and (${kept} is null
      or oidc_artifacts.kind <> 'Grant' and oidc_artifacts.session_uid is distinct from ${kept})
    returning ${sql.join(ENDED_COLUMNS.map((column) => sql.ref(column)))})`;
}

/** The columns that a part of a statement that ends sessions returns, for `endedSessionsIn`. */
const ENDED_COLUMNS = ["oidc_artifacts.kind", "oidc_artifacts.user_id", "oidc_artifacts.payload"] as const;

/** The user's sessions that a part of the statement has ended. */
export function endedSessionsIn(part: string, userId: Expression<unknown>): RawBuilder<EndedSession[]> {
  return sql<EndedSession[]>`coalesce((
    select jsonb_agg(jsonb_build_object('userId', user_id, 'authorizations', payload -> 'authorizations'))
    from ${sql.table(part)} where kind = 'Session' and user_id = ${userId} and payload ? 'authorizations'), '[]')`;
}
