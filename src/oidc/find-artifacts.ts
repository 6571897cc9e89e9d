import { type Kysely, sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type AccountRow, selectAccounts } from "./accounts.ts";
import { type ArtifactKey, toKey, toReference } from "./artifact-keys.ts";
import { type StoredPayload, toPayload } from "./payloads.ts";
import { keepRead } from "./read-ahead.ts";

interface FindParts {
  readonly db: Kysely<Tables>;
  readonly now: Date;
}

/**
 * Finds an unexpired artifact by its id or reference. The same statement reads what the request needs next: the
 * artifact's user, grant and session.
 */
export async function findArtifact(
  { db, now }: FindParts,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> {
  const select = kind === "Session" ? selectSession : selectBound;
  const [row] = await select(db, { kind, key: toKey(id), now });
  if (row === undefined) return undefined;
  const { payload, user_id, grant_payload, session_key, session_payload } = row;
  const { grantId, sessionUid } = payload;
  if (user_id !== null) keepRead("Account", user_id, row.id === null ? undefined : row);
  if (grantId !== undefined) {
    keepRead("Grant", grantId, grant_payload ? toPayload({ payload: grant_payload }, grantId) : undefined);
  }
  if (sessionUid !== undefined) {
    const found = session_key && session_payload;
    keepRead("Session", sessionUid, found ? toPayload({ payload: found }, toReference(session_key)) : undefined);
  }
  return toPayload(row, id);
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

/** Without a user who may sign in, `id` and the other columns of the user are null. */
type BoundRow = StoredPayload &
  (AccountRow | { readonly id: null }) & {
    readonly user_id: string | null;
    readonly grant_payload?: AdapterPayload | null;
    readonly session_key?: Buffer | null;
    readonly session_payload?: AdapterPayload | null;
  };

type FindValues = ArtifactKey & { now: Date };

/**
 * A session may have several rows: each of two concurrent sign-ins assigns it a new id, and the browser keeps one of
 * them. Their authorizations are combined.
 */
const withAllAuthorizations = sql<AdapterPayload>`jsonb_set(session.payload, '{authorizations}', coalesce((
  select jsonb_object_agg(entry.key, entry.value order by other.created_at)
  from oidc_artifacts as other, jsonb_each(other.payload -> 'authorizations') as entry
  where other.kind = 'Session' and other.session_uid = session.session_uid and other.user_id = session.user_id
), session.payload -> 'authorizations', '{}'))`;

/**
 * The user of an artifact. Without the limit, a plan created while the table has few users, and kept until the table is
 * analyzed, reads all of them.
 */
function accountOf(db: Kysely<Tables>, userId: string) {
  return selectAccounts(db).where("users.id", "=", sql.ref<string>(userId)).limit(sql.lit(1)).as("account");
}

const selectSession = prepareStatement<FindValues, BoundRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as session")
    .leftJoinLateral(accountOf(db, "session.user_id"), (join) => join.onTrue())
    .select([withAllAuthorizations.as("payload"), "session.consumed_at", "session.user_id"])
    .selectAll("account")
    .where("session.kind", "=", param("kind", "text"))
    .where("session.key", "=", param("key", "bytea"))
    .where("session.expires_at", ">", param("now", "timestamptz"))
    .$castTo<BoundRow>(),
);

const selectBound = prepareStatement<FindValues, BoundRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as artifact")
    .leftJoinLateral(accountOf(db, "artifact.user_id"), (join) => join.onTrue())
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom("oidc_artifacts as session")
          .select(["session.key", withAllAuthorizations.as("payload")])
          .where("session.kind", "=", "Session")
          .whereRef("session.session_uid", "=", "artifact.session_uid")
          .where("session.expires_at", ">", param("now", "timestamptz"))
          .orderBy("session.created_at", "desc")
          .limit(sql.lit(1))
          .as("bound_session"),
      (join) => join.onTrue(),
    )
    .select(({ selectFrom }) => [
      "artifact.payload",
      "artifact.consumed_at",
      "artifact.user_id",
      // With a join, a plan created while the table has no grants would later read all of them.
      selectFrom("oidc_artifacts as grant")
        .select("grant.payload")
        .where("grant.kind", "=", "Grant")
        .whereRef("grant.key", "=", "artifact.grant_key")
        .where("grant.expires_at", ">", param("now", "timestamptz"))
        .as("grant_payload"),
      "bound_session.key as session_key",
      "bound_session.payload as session_payload",
    ])
    .selectAll("account")
    .where("artifact.kind", "=", param("kind", "text"))
    .where("artifact.key", "=", param("key", "bytea"))
    .where("artifact.expires_at", ">", param("now", "timestamptz"))
    .$castTo<BoundRow>(),
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
