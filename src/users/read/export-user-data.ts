import { type Expression, type RawBuilder, sql } from "kysely";
import { isAllowed, type Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { PROFILE_ENTRIES } from "../../database/profile.ts";
import { subjectOf } from "../subjects.ts";
import { userNotFound } from "../user-not-found.ts";

/** The number of events and sessions in the file, newest first. */
const MOST_EVENTS = 10_000;
const MOST_SESSIONS = 1_000;

/**
 * Reads everything that is stored about a user, as JSON text: the profile, how to reach the user, the ways to sign in,
 * roles, metadata, sessions, applications with access, and events. It contains no secret, no data of others, and for an event of
 * another editor only that there was one.
 *
 * PostgreSQL writes the text, so that the event loop neither parses nor formats thousands of rows.
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function exportUserData(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { userId }: { readonly userId: string },
  call: Call<Self>,
): Promise<string> {
  const id = userId.toLowerCase();
  const values = { orgId: call.orgId, userId: id, now: clock() };
  const [row] = isAllowed(call, "user.read", id) ? await selectData(db, values, call) : [];
  if (row === undefined) throw userNotFound("userId: no human user", userId);
  return row.data;
}

interface ExportValues {
  orgId: string;
  userId: string;
  now: Date;
}

const profile = sql`jsonb_build_object(${sql.join(
  PROFILE_ENTRIES.flatMap(([name, { column }]) => [sql.lit(name), sql.ref(`users.${column}`)]),
)})`;

const selectData = prepareStatement<ExportValues, { data: string }>((db, param) => {
  const now = param("now", "timestamptz");
  const isOfUser = (table: string) =>
    sql<boolean>`(${sql.table(table)}.org_id = users.org_id and ${sql.table(table)}.user_id = users.id)`;
  return db
    .selectFrom("users")
    .innerJoin("orgs", "orgs.id", "users.org_id")
    .select(
      sql<string>`jsonb_pretty(jsonb_build_object(
        'exportedAt', ${now},
        'user', jsonb_build_object(
          'id', users.id, 'subject', ${subjectOf(sql.ref("users.id"))}, 'organization', jsonb_build_object('id', orgs.id, 'name', orgs.name),
          'userName', users.user_name, 'profile', ${profile},
          'email', users.email, 'emailVerified', users.email_verified,
          'phone', users.phone, 'phoneVerified', users.phone_verified,
          'state', users.state, 'createdAt', users.created_at, 'changedAt', users.changed_at,
          'hasPassword', users.password_hash is not null, 'passwordChangedAt', users.password_changed_at,
          'hasOneTimeCodes', users.otp_code is not null,
          'recoveryCodesLeft', (select count(*) from recovery_codes where ${isOfUser("recovery_codes")})),
        'passkeys', ${listOf(sql`
          select name, created_at as "createdAt", last_used_at as "lastUsedAt", device_type as "deviceType",
            backed_up as "backedUp"
          from passkeys where ${isOfUser("passkeys")} order by created_at`)},
        'linkedAccounts', ${listOf(sql`
          select idps.name as provider, idps.issuer, link.external_user_id as "externalUserId",
            link.display_name as "displayName", link.created_at as "linkedAt"
          from user_idp_links as link join idps on idps.owner_id = link.idp_owner_id and idps.id = link.idp_id
          where ${isOfUser("link")} order by link.created_at`)},
        'roles', ${listOf(sql`
          select members.scope_id as "scopeId", members.role, members.created_at as "since" from members
          where members.user_org_id = users.org_id and members.user_id = users.id order by members.created_at`)},
        'appRoles', ${listOf(sql`
          select app_id as "appId", role, created_at as "since" from user_app_roles
          where ${isOfUser("user_app_roles")} order by app_id, role`)},
        'metadata', ${listOf(METADATA)},
        'sessions', ${listOf(sessionsOf(now))},
        'applications', ${listOf(appsOf(now))},
        'events', ${listOf(sql`
          select type, created_at as "time", editor_id is not distinct from users.id as "byUser", payload
          from events where events.owner_id = users.org_id and events.aggregate_id = users.id
          order by sequence desc limit ${sql.lit(MOST_EVENTS)}`)}))`.as("data"),
    )
    .where("users.org_id", "=", param("orgId", "uuid"))
    .where("users.id", "=", param("userId", "uuid"))
    .where("users.kind", "=", "human");
});

/** Matches UTF-8 without NUL in hexadecimal (RFC 3629, section 4), which `convert_from` and JSON accept. */
const UTF8_TEXT = (() => {
  const tail = "[89ab][0-9a-f]";
  const one = "0[1-9a-f]|[1-7][0-9a-f]";
  const two = `(c[2-9a-f]|d[0-9a-f])${tail}`;
  const three = `(e0[ab][0-9a-f]|e[1-9a-cef]${tail}|ed[89][0-9a-f])${tail}`;
  const four = `(f0[9ab][0-9a-f]|f[1-3]${tail}|f48[0-9a-f])(${tail}){2}`;
  return `^(${one}|${two}|${three}|${four})*$`;
})();

/** What applications have stored with the user. Values that are not text are in Base64. */
const METADATA = sql`
  select key, stored.text as value,
    case when stored.text is null then translate(encode(user_metadata.value, 'base64'), E'\\n', '') end as "valueBase64",
    created_at as "createdAt", changed_at as "changedAt"
  from user_metadata, lateral (
    select case when encode(user_metadata.value, 'hex') ~ ${sql.lit(UTF8_TEXT)}
      then convert_from(user_metadata.value, 'UTF8') end as text) as stored
  where user_metadata.org_id = users.org_id and user_metadata.user_id = users.id order by key`;

function sessionsOf(now: Expression<Date>): RawBuilder<unknown> {
  return sql`
    select to_timestamp(max(coalesce(payload ->> 'startedTs', payload ->> 'loginTs')::bigint)) as "signedInAt",
      to_timestamp(max((payload ->> 'seenTs')::bigint)) as "lastSeenAt", max(payload ->> 'userAgent') as "userAgent"
    from oidc_artifacts where kind = 'Session' and user_id = users.id and expires_at > ${now}
    group by session_uid order by 2 desc nulls last limit ${sql.lit(MOST_SESSIONS)}`;
}

function appsOf(now: Expression<Date>): RawBuilder<unknown> {
  return sql`
    select client_id as "clientId", (select apps.name from apps where apps.id::text = client_id) as name,
      min(created_at) as "since"
    from oidc_artifacts
    where user_id = users.id and client_id is not null and kind <> 'Interaction' and expires_at > ${now}
    group by client_id order by 3`;
}

/** The rows of a query as JSON, in its order. */
function listOf(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select jsonb_agg(to_jsonb(listed)) from (${query}) as listed), '[]')`;
}
