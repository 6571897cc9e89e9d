import { type Kysely, sql } from "kysely";
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { hashSecret, isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";

/**
 * Stores what oidc-provider stores: sessions, grants, codes and tokens.
 *
 * An artifact's id is the value that a client or a browser presents. Rows are found by its SHA-256, and the payload is
 * stored without it, so that a copy of the database contains no valid token.
 */
export function createArtifacts(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  kind: string,
): Adapter {
  return {
    async upsert(id, payload, expiresInSeconds = MAX_SECONDS) {
      const { accountId, clientId, grantId, uid, sessionUid, userCode } = payload;
      const now = clock();
      await upsertArtifact(db, {
        kind,
        key: toKey(id),
        payload: JSON.stringify(withoutIds(payload)),
        userId: accountId !== undefined && isId(accountId) ? accountId : null,
        clientId: clientId ?? null,
        grantKey: grantId === undefined ? null : hashSecret(grantId),
        sessionUid: uid ?? sessionUid ?? null,
        userCodeKey: userCode === undefined ? null : hashSecret(userCode),
        now,
        expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000),
      });
    },
    async find(id) {
      if (id.startsWith(BY_KEY)) return undefined;
      const [row] = await selectArtifact(db, { kind, key: hashSecret(id), now: clock() });
      return row && toPayload(row, id);
    },
    async findByUid(uid) {
      const [row] = await selectBySession(db, { kind, sessionUid: uid, now: clock() });
      return row && toPayload(row, toReference(row));
    },
    async findByUserCode(userCode) {
      const [row] = await selectByUserCode(db, { kind, userCodeKey: hashSecret(userCode), now: clock() });
      return row && { ...toPayload(row, toReference(row)), userCode };
    },
    /** @throws InvalidGrant if the artifact was consumed before: of concurrent requests one succeeds. */
    async consume(id) {
      const [row] = await consumeArtifact(db, { kind, key: toKey(id), now: clock() });
      if (row === undefined) throw new errors.InvalidGrant("the code or token was used before");
    },
    async destroy(id) {
      await deleteArtifact(db, { kind, key: toKey(id) });
    },
    async revokeByGrantId(grantId) {
      await deleteOfGrant(db, { kind, grantKey: hashSecret(grantId) });
    },
  };
}

/** Longer than any artifact lives. */
const MAX_SECONDS = 400 * 86_400;

/**
 * An artifact that was not found by its id has a reference to its row in place of the id, so that it can be changed and
 * deleted. `find` refuses references: the rows' keys are no secret.
 */
const BY_KEY = "#";

function toReference({ key }: ArtifactRow): string {
  return BY_KEY + key.toString("hex");
}

function toKey(id: string): Buffer {
  return id.startsWith(BY_KEY) ? Buffer.from(id.slice(BY_KEY.length), "hex") : hashSecret(id);
}

/** Drops the ids under which the artifact and the session of an interaction can be found. */
function withoutIds({ jti, userCode, ...payload }: AdapterPayload): AdapterPayload {
  const { cookie, ...session } = payload.session ?? {};
  return { ...payload, ...(payload.session && { session }) };
}

function toPayload({ payload, consumed_at }: ArtifactRow, id: string): AdapterPayload {
  const consumed = consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1_000) };
  return { ...payload, jti: id, ...consumed };
}

interface ArtifactRow {
  key: Buffer;
  payload: AdapterPayload;
  consumed_at: Date | null;
}

interface ArtifactKey {
  kind: string;
  key: Buffer;
}

interface UpsertValues extends ArtifactKey {
  payload: string;
  userId: string | null;
  clientId: string | null;
  grantKey: Buffer | null;
  sessionUid: string | null;
  userCodeKey: Buffer | null;
  now: Date;
  expiresAt: Date;
}

/**
 * Of a session, which is written whole, the authorizations of concurrent requests are merged. Leaving one out removes it
 * only together with a new id, under which there is no row yet.
 */
const upsertArtifact = prepareStatement<UpsertValues, never>((db, param) =>
  db
    .insertInto("oidc_artifacts")
    .values({
      kind: param("kind", "text"),
      key: param("key", "bytea"),
      payload: param("payload", "jsonb"),
      user_id: param("userId", "uuid"),
      client_id: param("clientId", "text"),
      grant_key: param("grantKey", "bytea"),
      session_uid: param("sessionUid", "text"),
      user_code_key: param("userCodeKey", "bytea"),
      created_at: param("now", "timestamptz"),
      expires_at: param("expiresAt", "timestamptz"),
    })
    .onConflict((conflict) =>
      conflict.columns(["kind", "key"]).doUpdateSet({
        payload: sql`case
          when excluded.kind = 'Session' and excluded.user_id = oidc_artifacts.user_id and excluded.payload ? 'authorizations'
          then jsonb_set(excluded.payload, '{authorizations}',
            coalesce(oidc_artifacts.payload -> 'authorizations', '{}') || (excluded.payload -> 'authorizations'))
          else excluded.payload end`,
        user_id: sql`excluded.user_id`,
        client_id: sql`excluded.client_id`,
        grant_key: sql`excluded.grant_key`,
        session_uid: sql`excluded.session_uid`,
        user_code_key: sql`coalesce(excluded.user_code_key, oidc_artifacts.user_code_key)`,
        expires_at: sql`excluded.expires_at`,
      }),
    ),
);

const selectArtifact = prepareStatement<ArtifactKey & { now: Date }, ArtifactRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts")
    .select(["key", "payload", "consumed_at"])
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .$castTo<ArtifactRow>(),
);

const selectBySession = prepareStatement<{ kind: string; sessionUid: string; now: Date }, ArtifactRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts")
    .select(["key", "payload", "consumed_at"])
    .where("kind", "=", param("kind", "text"))
    .where("session_uid", "=", param("sessionUid", "text"))
    .where("expires_at", ">", param("now", "timestamptz"))
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

const consumeArtifact = prepareStatement<ArtifactKey & { now: Date }, { key: Buffer }>((db, param) =>
  db
    .updateTable("oidc_artifacts")
    .set({ consumed_at: param("now", "timestamptz") })
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .where("consumed_at", "is", null)
    .returning("key"),
);

const deleteArtifact = prepareStatement<ArtifactKey, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .$castTo<never>(),
);

const deleteOfGrant = prepareStatement<{ kind: string; grantKey: Buffer }, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("grant_key", "=", param("grantKey", "bytea"))
    .$castTo<never>(),
);
