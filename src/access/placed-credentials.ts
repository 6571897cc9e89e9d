import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isValid } from "../codes/conditions.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** What lets somebody act as a user. `link`: a code in a link that is still valid. `app`: a service with the user. */
export type CredentialKind = "token" | "passkey" | "idp_link" | "password" | "link" | "app";

/** A credential of a user that another user, or a program, has placed. */
export interface PlacedCredential {
  readonly kind: CredentialKind;
  /** The token, passkey, identity provider, code or application; empty for the password. */
  readonly id: string;
  /** The end of the token, the name of the passkey or application, the id at the provider, or the kind of the link. */
  readonly name: string;
  /** The user who placed it; null for the command line, which places tokens and applications. */
  readonly placedBy: string | null;
  readonly placedAt: Date;
}

export interface UserKey {
  readonly id: string;
  readonly orgId: string;
}

/**
 * Lists the credentials of a user that others have placed: they stay valid after a grant, so the user who placed them could
 * use the new role. Of a human, those that the user or the command line has placed are not listed. Of links, only those that
 * a response has returned are listed: an email goes to the user alone. A passkey or a password that was set with such a link counts as
 * placed by the user who got the link, and could have used it.
 *
 * @throws SignetError for a failure of the database.
 */
export async function listPlacedCredentials(
  { db, clock }: { readonly db: Database; readonly clock: () => Date },
  { id, orgId }: UserKey,
  caller?: QueryCaller,
): Promise<PlacedCredential[]> {
  return await selectPlaced(db, { orgId, userId: id, now: clock() }, caller);
}

interface SelectPlaced {
  orgId: string;
  userId: string;
  now: Date;
}

const selectPlaced = prepareStatement<SelectPlaced, PlacedCredential>((db, param) => {
  const orgId = param("orgId", "uuid");
  const userId = param("userId", "uuid");
  const now = param("now", "timestamptz");
  const rows = sql<PlacedCredential>`(
    with noted as materialized (
      select sequence, type, editor_id, created_at, payload from events
      where owner_id = ${orgId} and aggregate_id = ${userId} and type in (
        'user.human.added', 'user.token.added', 'user.human.idp.linked', 'user.human.idp.relinked',
        'user.human.password.changed',
        'user.human.password.imported', 'user.human.passwordless.registered',
        'user.human.passwordless.registration.requested', 'user.human.initialization.requested',
        'user.human.initialized')
    ), own (kind, id, name, placed_by, placed_at) as (
      select 'passkey', passkeys.id, passkeys.name,
        case when registered.editor_id = passkeys.user_id then (
          select requested.editor_id from noted as requested
          where requested.type = 'user.human.passwordless.registration.requested'
            and requested.sequence < registered.sequence
          order by requested.sequence desc limit 1)
        else coalesce(registered.editor_id, added.editor_id) end,
        passkeys.created_at
      from passkeys
        left join noted as registered on registered.type = 'user.human.passwordless.registered'
          and registered.payload ->> 'passkeyId' = passkeys.id
        left join noted as added on added.type = 'user.human.added'
      where passkeys.org_id = ${orgId} and passkeys.user_id = ${userId}
      union all
      select 'idp_link', link.idp_id::text, link.external_user_id, linked.editor_id, linked.created_at
      from user_idp_links as link cross join lateral (
        select editor_id, created_at from noted
        where type = 'user.human.idp.linked' and payload ->> 'idpId' = link.idp_id::text
          and payload ->> 'externalUserId' in (
            with recursive ids (id) as (
              select link.external_user_id union
              select payload ->> 'formerExternalUserId' from ids join noted on type = 'user.human.idp.relinked'
                and payload ->> 'idpId' = link.idp_id::text and payload ->> 'externalUserId' = ids.id)
            select id from ids)
        order by sequence desc limit 1) as linked
      where link.org_id = ${orgId} and link.user_id = ${userId}
      union all
      select 'password', '', '',
        case when changed.editor_id = users.id then (
          select requested.editor_id from noted as used join noted as requested
            on requested.type = 'user.human.initialization.requested'
              and requested.payload ->> 'codeId' = used.payload ->> 'codeId'
              and requested.payload -> 'isReturned' = 'true'
          where used.type = 'user.human.initialized' and used.sequence = changed.sequence + 1)
        else changed.editor_id end,
        changed.created_at
      from users cross join lateral (
        select sequence, editor_id, created_at from noted
        where type in ('user.human.password.changed', 'user.human.password.imported')
          or (type = 'user.human.added' and payload -> 'hasPassword' = 'true')
        order by sequence desc limit 1) as changed
      where users.org_id = ${orgId} and users.id = ${userId} and users.password_hash is not null
      union all
      select 'link', codes.id::text, codes.kind, requested.editor_id, codes.created_at
      from codes join noted as requested on requested.sequence = codes.sequence
      where codes.org_id = ${orgId} and codes.user_id = ${userId}
        and (codes.kind = 'passkey' or codes.kind = 'initialization' and requested.payload -> 'isReturned' = 'true')
        and ${isValid(now)}
    )
    select kind, id, name, placed_by as "placedBy", placed_at as "placedAt" from own
    where placed_by <> ${userId}
    union all
    select 'token', tokens.id::text, tokens.last_four, added.editor_id, tokens.created_at
    from tokens left join noted as added on added.type = 'user.token.added'
      and added.payload ->> 'tokenId' = tokens.id::text
    where tokens.org_id = ${orgId} and tokens.user_id = ${userId}
      and tokens.revoked_at is null and coalesce(tokens.expires_at > ${now}, true)
    union all
    select 'app', apps.id::text, apps.name, (
        select editor_id from events
        where owner_id = ${orgId} and aggregate_id = apps.id and type in ('app.oidc.added', 'app.oidc.changed')
        order by sequence desc limit 1),
      apps.created_at
    from apps where apps.owner_id = ${orgId} and apps.service_user_id = ${userId} and apps.state = 'active'
    order by "placedAt", kind, id)`;
  return db.selectFrom(rows.as("placed")).selectAll();
});
