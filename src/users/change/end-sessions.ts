import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "../../database/prepare.ts";
import type { EventValues } from "../../events/append-events.ts";
import { subjectOf } from "../subjects.ts";

/** A session ended by a change to its user. */
export interface EndedSession {
  readonly userId: string;
  /** What applications know the user by, who may have been removed. By default, it is looked up. */
  readonly subject?: string | undefined;
  /**
   * The applications that the user has signed in to with it, by client id, with the id of the session in their tokens.
   */
  readonly authorizations: Readonly<Record<string, { readonly sid?: string | undefined }>>;
}

/** Notifies applications that sessions have ended. Returns immediately; failures are logged. */
export type AnnounceEnds = (sessions: readonly EndedSession[]) => void;

/**
 * The part of a statement that ends the sessions and application tokens of the user whose row the part `changed`
 * returns. It runs if the statement reads it with `endedSessionsIn`.
 *
 * Sign-ins in progress in which the user has authenticated end too. The part `changed` sets `SESSIONS_ENDED`, so that
 * no sign-in can be completed with earlier proofs.
 *
 * A DELETE in the statement would miss rows stored while the statement runs, because it reads the statement's snapshot.
 * The function `end_sessions` repeats it. Everything stored for a user locks the row that it depends on, which the
 * function deletes (`storeArtifact`): either the function waits, and then deletes what was stored, or nothing is
 * stored.
 *
 * @param kept The id of a session that continues with its grants and tokens; null if there is none.
 * @param keptSignIn SHA-256 of the id of a sign-in that continues; null if there is none.
 */
export function endSessions<Values extends EventValues>(
  param: Param<Values>,
  changed: string,
  kept: Expression<string | null> = sql<null>`null::text`,
  keptSignIn: Expression<Buffer | null> = sql<null>`null::bytea`,
): RawBuilder<object> {
  return sql<object>`(
    select ended.* from ${sql.table(changed)} as changed
      cross join lateral end_sessions(${param("aggregateId", "uuid")}, ${kept}, ${keptSignIn}) as ended)`;
}

/** The column that a user change sets to end sessions: the sequence of its first event. */
export const SESSIONS_ENDED = { sessions_ended_sequence: sql<bigint>`users.sequence + 1` };

/** The user's sessions ended by a part of the statement. */
export function endedSessionsIn(part: string, userId: Expression<unknown>): RawBuilder<EndedSession[]> {
  return sql<EndedSession[]>`coalesce((
    select jsonb_agg(jsonb_build_object(
      'userId', user_id, 'subject', coalesce(${subjectOf(userId)}, user_id::text),
      'authorizations', payload -> 'authorizations'))
    from ${sql.table(part)} where kind = 'Session' and user_id = ${userId} and payload ? 'authorizations'), '[]')`;
}
