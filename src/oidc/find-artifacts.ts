import { sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { isOfServiceUser, SERVICE_TOKEN } from "../access/live-token.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isInActiveOrg } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { type ArtifactKey, type StoredPayload, toKey, toPayload, toReference } from "./stored-artifacts.ts";

interface FindParts {
  readonly db: Database;
  readonly now: Date;
}

/** Finds an unexpired artifact by its id or reference. */
export async function findArtifact(
  { db, now }: FindParts,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> {
  const [row] = await selectArtifact(db, { kind, key: toKey(id), now });
  return row && toPayload(row, id);
}

/** Finds a session by its id, with the sequence of its user. */
export async function findSession(
  { db, now }: FindParts,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> {
  const [row] = await selectSession(db, { kind, key: toKey(id), now });
  return row && { ...toPayload(row, id), storedAs: id, sequence: row.sequence ?? undefined };
}

/** Finds a session by its public id. */
export async function findSessionByUid({ db, now }: FindParts, uid: string): Promise<AdapterPayload | undefined> {
  const [row] = await selectSessionByUid(db, { sessionUid: uid, now });
  return row && toPayload(row, toReference(row.key));
}

export async function findByUserCode(
  { db, now }: FindParts,
  kind: string,
  userCode: string,
): Promise<AdapterPayload | undefined> {
  const [row] = await selectByUserCode(db, { kind, userCodeKey: hashSecret(userCode), now });
  return row && { ...toPayload(row, toReference(row.key)), userCode };
}

interface ArtifactRow extends StoredPayload {
  readonly key: Buffer;
}

type FindValues = ArtifactKey & { now: Date };

const selectArtifact = prepareStatement<FindValues, StoredPayload>((db, param) =>
  db
    .selectFrom("oidc_artifacts")
    .select(["payload", "consumed_at"])
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz"))
    // Other artifacts are of no use without these, or without an active account or application.
    .where(
      sql<boolean>`case when kind in ('AccessToken', 'RefreshToken') then ${isInActiveOrg(sql.ref("user_id"))}
        when kind = ${SERVICE_TOKEN} then ${isOfServiceUser("oidc_artifacts")} else true end`,
    )
    .$castTo<StoredPayload>(),
);

/**
 * A session may have several rows: each of two concurrent sign-ins assigns it a new id, and the browser keeps one of
 * them. Their authorizations are combined.
 */
const withAllAuthorizations = sql<AdapterPayload>`jsonb_set(session.payload, '{authorizations}', coalesce((
  select jsonb_object_agg(entry.key, entry.value order by other.created_at)
  from oidc_artifacts as other, jsonb_each(other.payload -> 'authorizations') as entry
  where other.kind = 'Session' and other.session_uid = session.session_uid and other.user_id = session.user_id
), session.payload -> 'authorizations', '{}'))`;

const selectSession = prepareStatement<FindValues, StoredPayload & { sequence: string | null }>((db, param) =>
  db
    .selectFrom("oidc_artifacts as session")
    .select([
      withAllAuthorizations.as("payload"),
      "session.consumed_at",
      sql<string | null>`(select sequence::text from users where users.id = session.user_id)`.as("sequence"),
    ])
    .where("session.kind", "=", param("kind", "text"))
    .where("session.key", "=", param("key", "bytea"))
    .where("session.expires_at", ">", param("now", "timestamptz"))
    .where(isInActiveOrg(sql.ref("session.user_id")))
    .$castTo<StoredPayload & { sequence: string | null }>(),
);

const selectSessionByUid = prepareStatement<{ sessionUid: string; now: Date }, ArtifactRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as session")
    .select(["key", withAllAuthorizations.as("payload"), "consumed_at"])
    .where("kind", "=", "Session")
    .where("session_uid", "=", param("sessionUid", "text"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .orderBy("created_at", "desc")
    .limit(sql.lit(1))
    .$castTo<ArtifactRow>(),
);

const selectByUserCode = prepareStatement<{ kind: string; userCodeKey: Buffer; now: Date }, ArtifactRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts")
    .select(["key", "payload", "consumed_at"])
    .where("kind", "=", param("kind", "text"))
    .where("user_code_key", "=", param("userCodeKey", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .$castTo<ArtifactRow>(),
);
