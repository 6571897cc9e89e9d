import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import { NIL_ID } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { AnnounceEnds, EndedSession } from "../../users/change/end-sessions.ts";
import type { RemovalStep } from "./removal-step.ts";

/** Each also has sessions, events, and rows that were added since the steps before. */
const USERS_AT_ONCE = 50;

interface EraseUsersParts {
  readonly clock: Clock;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Erases users as `removeUser` does: deletes them with everything that refers to them, ends their sessions, erases the
 * payloads of their events, and appends the last event. A user who has changed since the snapshot of the statement, which
 * may lack an event, is left to the next pass.
 */
export function eraseUsers({ clock, announceEnds }: EraseUsersParts): RemovalStep {
  return {
    async run(db, { id: orgId, editorId }, after = NIL_ID) {
      const [row] = await statement(db, { orgId, editorId, after, now: clock() });
      if (row === undefined || row.last === null) return { next: undefined };
      announceEnds?.(row.ended_sessions);
      return { users: row.erased, next: row.users < USERS_AT_ONCE ? undefined : row.last };
    },
  };
}

interface EraseValues {
  orgId: string;
  editorId: string | null;
  after: string;
  now: Date;
}

interface ErasedRow {
  users: number;
  erased: number;
  last: string | null;
  ended_sessions: EndedSession[];
}

const statement = prepareStatement<EraseValues, ErasedRow>((_, param) => {
  const orgId = param("orgId", "uuid");
  return sql`
    with seen as materialized (
      select id, sequence from users where org_id = ${orgId} and id >= ${param("after", "uuid")}
      order by org_id, id limit ${sql.lit(USERS_AT_ONCE)}
    ), held as materialized (
      select users.id, users.sequence = seen.sequence as is_unchanged
      from seen join users on users.org_id = ${orgId} and users.id = seen.id
      for update of users
    ), removed as (
      delete from users using held
      where users.org_id = ${orgId} and users.id = held.id and held.is_unchanged
      returning users.id, users.sequence + 1 as sequence,
        greatest(users.changed_at, ${param("now", "timestamptz")}) as changed_at
    ), ended as (
      select ended.* from removed cross join lateral end_sessions(removed.id, null, null) as ended
    ), noticed as (
      delete from messages using removed
      where messages.org_id = ${orgId} and messages.user_id = removed.id and messages.code_id is null
    ), erased as (
      update events set payload = null from removed
      where events.owner_id = ${orgId} and events.aggregate_id = removed.id and events.payload is not null
    ), appended as (
      insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
      select ${orgId}, id, sequence, 'user.removed', ${param("editorId", "uuid")}, changed_at, '{}' from removed
    ), counted as (
      update orgs set erased_users = erased_users + (select count(*) from removed) where id = ${orgId}
    )
    select count(*)::int as users, (select count(*)::int from removed) as erased, (array_agg(id::text order by id desc))[1] as last,
      coalesce((
        select jsonb_agg(jsonb_build_object('userId', user_id, 'authorizations', payload -> 'authorizations'))
        from ended where kind = 'Session' and payload ? 'authorizations'), '[]') as ended_sessions
    from seen`;
});
