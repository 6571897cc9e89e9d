import { sql } from "kysely";
import type { Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { MOST_SESSIONS, type Session, type SessionList, type Sessions } from "../web/frame/sessions.ts";
import { accountSignInUrl } from "./clients.ts";
import { type CookieSigner, readSignedCookie } from "./cookies.ts";
import { endSession } from "./end-session.ts";
import type { SessionDetails } from "./session-details.ts";

interface SessionsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly signer: CookieSigner;
  readonly publicUrl: string;
  readonly currentProvider: () => Promise<Provider>;
}

export function createSessions({ db, clock, signer, publicUrl, currentProvider }: SessionsParts): Sessions {
  return {
    async find(cookies) {
      const provider = await currentProvider();
      const id = readSignedCookie(signer, cookies, provider.cookieName("session"));
      const session = id === undefined ? undefined : await provider.Session.find(id);
      return session && toSession(session);
    },
    async list(userId, ownId) {
      if (!isId(userId)) return { sessions: [], total: 0, apps: [] };
      return await listSessions(db, { userId, ownId: ownId ?? null, now: clock() });
    },
    async end(userId, sessionIds) {
      const provider = await currentProvider();
      const sessions = await Promise.all(sessionIds.map((id) => provider.Session.findByUid(id)));
      await Promise.all(
        sessions.map(async (session) => {
          if (session?.accountId === userId) await endSession(provider, session);
        }),
      );
    },
    signInUrl: (options) => accountSignInUrl(publicUrl, options),
  };
}

/** Undefined for a session in which no user has signed in. */
function toSession(session: InstanceType<Provider["Session"]> & SessionDetails): Session | undefined {
  const { uid: id, accountId: userId, loginTs, isTimeAssumed, amr = [], idpOwner, idpId = null } = session;
  if (userId === undefined) return undefined;
  return {
    id,
    userId,
    authenticatedAt: loginTs === undefined || isTimeAssumed ? null : new Date(loginTs * 1_000),
    // As in `isOfOrgIdp`.
    isOfOrgIdp: amr.includes("fed") && idpOwner !== "instance",
    idpId,
  };
}

/** Reads the sessions of a user and the applications with access in one statement: see `Sessions.list`. */
async function listSessions(db: Database, values: ListValues): Promise<SessionList> {
  const [row] = await selectSessions(db, values);
  if (row === undefined) return { sessions: [], total: 0, apps: [] };
  return {
    sessions: row.sessions.map(({ signedInTs, seenTs, ...session }) => ({
      ...session,
      signedInAt: toDate(signedInTs),
      lastSeenAt: toDate(seenTs),
    })),
    total: row.total,
    apps: row.apps.map(({ sinceTs, ...app }) => ({ ...app, since: toDate(sinceTs) })),
  };
}

interface ListValues {
  readonly userId: string;
  readonly ownId: string | null;
  readonly now: Date;
}

interface ListRow {
  readonly sessions: readonly {
    readonly id: string;
    readonly signedInTs: number;
    readonly seenTs: number;
    readonly userAgent: string | null;
    readonly appNames: readonly string[];
  }[];
  readonly total: number;
  readonly apps: readonly { readonly id: string; readonly name: string; readonly sinceTs: number }[];
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** The account page is a client without a row in `apps`, and its id is not a UUID. */
const APP_ID = sql<string>`'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** A session may have several rows; see `withAllAuthorizations`. */
const selectSessions = prepareStatement<ListValues, ListRow>((db, param) => {
  const userId = param("userId", "uuid");
  const now = param("now", "timestamptz");
  return db
    .with(
      "rows",
      () => sql<{ id: string; payload: unknown }>`(
        select session_uid as id, payload from oidc_artifacts
        where kind = 'Session' and user_id = ${userId} and expires_at > ${now})`,
    )
    .with(
      "grouped",
      () => sql<{ id: string }>`(
        select id,
          max(coalesce(payload ->> 'startedTs', payload ->> 'loginTs')::bigint) as "signedInTs",
          max(coalesce(payload ->> 'seenTs', payload ->> 'startedTs', payload ->> 'loginTs')::bigint) as "seenTs",
          max(payload ->> 'userAgent') as "userAgent"
        from rows group by id)`,
    )
    .with(
      "listed",
      () => sql<{ id: string }>`(
        select * from grouped order by id = ${param("ownId", "text")} desc nulls last, "seenTs" desc, id
        limit ${sql.lit(MOST_SESSIONS)})`,
    )
    .with(
      "named",
      () => sql<{ id: string }>`(
        select listed.id, jsonb_agg(distinct apps.name order by apps.name) as names
        from listed join rows on rows.id = listed.id
          cross join lateral jsonb_object_keys(rows.payload -> 'authorizations') as key
          join apps on apps.id = case when key ~ ${APP_ID} then key::uuid end
        group by listed.id)`,
    )
    .with(
      "access",
      () => sql<{ id: string }>`(
        select client_id, min(created_at) as since from oidc_artifacts
        where user_id = ${userId} and expires_at > ${now} and client_id is not null and kind <> 'Interaction'
        group by client_id)`,
    )
    .selectNoFrom([
      sql<ListRow["sessions"]>`coalesce((
        select jsonb_agg(to_jsonb(listed) || jsonb_build_object('appNames', coalesce(named.names, '[]'))
          order by listed.id = ${param("ownId", "text")} desc nulls last, listed."seenTs" desc, listed.id)
        from listed left join named on named.id = listed.id), '[]')`.as("sessions"),
      sql<number>`(select count(*)::int from grouped)`.as("total"),
      sql<ListRow["apps"]>`coalesce((
        select jsonb_agg(jsonb_build_object(
            'id', apps.id, 'name', apps.name, 'sinceTs', extract(epoch from access.since)::bigint)
          order by lower(apps.name), apps.id)
        from access join apps on apps.id = case when access.client_id ~ ${APP_ID} then access.client_id::uuid end
        ), '[]')`.as("apps"),
    ])
    .$castTo<ListRow>();
});
