import { sql } from "kysely";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { orgList } from "../../fields/read-list.ts";
import { throwUnlessUser } from "../user-not-found.ts";

/** A session of a user in responses. */
export interface SessionRow {
  id: string;
  signed_in_at: Date;
  last_seen_at: Date;
  /** Values of RFC 8176. */
  methods: string[];
  app_ids: string[];
  /** Null for a session of an earlier version. */
  user_agent: string | null;
}

/** A search for the sessions of a user. */
interface SessionSearch {
  readonly userId: string;
  readonly page: CheckedListQuery;
}

export const SESSION_ORDER: readonly SortKey[] = [
  { value: sql`session.last_seen_at`, type: "timestamptz" },
  { value: sql`session.id`, type: "text" },
];

/**
 * Lists the active sessions of a human user (docs/reference/credentials.md).
 *
 * @throws SignetError USER_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export const listUserSessions = orgList(async ({ userId }: SessionSearch, call, parts) => {
  await throwUnlessUser(parts, { orgId: call.orgId, userId }, "userId: no human user", call);
  return sessionsOf(userId, parts.clock());
});

/** A session may have several rows, because each sign-in to an application stores one. */
function sessionsOf(userId: string, now: Date): ListSource<SessionRow> {
  return {
    from: sql`(
      select session_uid as id,
        to_timestamp(max(coalesce(payload ->> 'startedTs', payload ->> 'loginTs')::bigint)) as signed_in_at,
        to_timestamp(max(coalesce(payload ->> 'seenTs', payload ->> 'startedTs', payload ->> 'loginTs')::bigint))
          as last_seen_at,
        max(payload ->> 'userAgent') as user_agent,
        array(select distinct jsonb_array_elements_text(methods) from unnest(array_agg(payload -> 'amr')) as methods
          where jsonb_typeof(methods) = 'array' order by 1) as methods,
        array(select distinct jsonb_object_keys(apps) from unnest(array_agg(payload -> 'authorizations')) as apps
          where jsonb_typeof(apps) = 'object' order by 1) as app_ids
      from oidc_artifacts
      where kind = 'Session' and user_id = ${userId}::uuid and expires_at > ${now}
      group by session_uid) as session`,
    columns: {
      id: sql.ref("session.id"),
      signed_in_at: sql.ref("session.signed_in_at"),
      last_seen_at: sql.ref("session.last_seen_at"),
      methods: sql.ref("session.methods"),
      app_ids: sql.ref("session.app_ids"),
      user_agent: sql.ref("session.user_agent"),
    },
    // The table in `from` contains only the sessions of the user.
    scope: sql`true`,
    filters: [],
    order: SESSION_ORDER,
  };
}
