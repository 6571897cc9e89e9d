import { type Kysely, sql } from "kysely";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
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
        payload: JSON.stringify(withoutIds(id, payload)),
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
      if (isReference(id) && !isDeviceResumed(kind)) return undefined;
      const select = kind === "Session" ? selectSession : selectArtifact;
      const [row] = await select(db, { kind, key: toKey(id), now: clock() });
      return row && toPayload(row, id);
    },
    async findByUid(uid) {
      const [row] = await selectSessionByUid(db, { sessionUid: uid, now: clock() });
      return row && toPayload(row, toReference(row));
    },
    async findByUserCode(userCode) {
      const [row] = await selectByUserCode(db, { kind, userCodeKey: hashSecret(userCode), now: clock() });
      return row && { ...toPayload(row, toReference(row)), userCode };
    },
    /**
     * @throws InvalidGrant if the artifact was consumed before, so that only one of several concurrent requests
     *   succeeds.
     */
    async consume(id) {
      const [row] = await consumeArtifact(db, { kind, key: toKey(id), now: clock() });
      if (row === undefined) throw new errors.InvalidGrant("the code or token was used before");
    },
    async destroy(id) {
      const isSignOut = kind === "Session" && Provider.ctx?.oidc.route === "end_session_confirm";
      await (isSignOut ? deleteSession : deleteArtifact)(db, { kind, key: toKey(id) });
    },
    /** The provider revokes every kind, one after the other. The first statement deletes all of them. */
    async revokeByGrantId(grantId) {
      if (kind === "AccessToken") await deleteOfGrant(db, { grantKey: hashSecret(grantId) });
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

function isReference(id: string): boolean {
  return id.startsWith(BY_KEY);
}

/** The provider itself looks up the device code to which it stored a reference when the user code was entered. */
function isDeviceResumed(kind: string): boolean {
  return kind === "DeviceCode" && Provider.ctx?.oidc.route === "device_resume";
}

function toReference({ key }: ArtifactRow): string {
  return BY_KEY + key.toString("hex");
}

function toKey(id: string): Buffer {
  return isReference(id) ? Buffer.from(id.slice(BY_KEY.length), "hex") : hashSecret(id);
}

/** Replaces the artifact's id in its payload. */
const OWN_ID = "{id}";

/** Drops the ids under which the artifact and the session of an interaction can be found. */
function withoutIds(id: string, { jti, userCode, ...payload }: AdapterPayload): AdapterPayload {
  const { cookie, ...session } = payload.session ?? {};
  const returnTo = payload.returnTo?.replace(id, OWN_ID);
  return { ...payload, ...(payload.session && { session }), ...(returnTo !== undefined && { returnTo }) };
}

function toPayload({ payload, consumed_at }: ArtifactRow, id: string): AdapterPayload {
  const { returnTo } = payload;
  return {
    ...payload,
    jti: id,
    ...(returnTo !== undefined && { returnTo: returnTo.replace(OWN_ID, id) }),
    ...(consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1_000) }),
  };
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

/**
 * A session may have several rows: each of two concurrent sign-ins gives it a new id, and the browser keeps one of them.
 * Their authorizations count together.
 */
const withAllAuthorizations = sql<AdapterPayload>`jsonb_set(session.payload, '{authorizations}', coalesce((
  select jsonb_object_agg(entry.key, entry.value order by other.created_at)
  from oidc_artifacts as other, jsonb_each(other.payload -> 'authorizations') as entry
  where other.kind = 'Session' and other.session_uid = session.session_uid and other.user_id = session.user_id
), session.payload -> 'authorizations', '{}'))`;

const selectSession = prepareStatement<ArtifactKey & { now: Date }, ArtifactRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as session")
    .select(["key", withAllAuthorizations.as("payload"), "consumed_at"])
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .where("expires_at", ">", param("now", "timestamptz"))
    .$castTo<ArtifactRow>(),
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

/** Deletes all rows of a session. */
const deleteSession = prepareStatement<ArtifactKey, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("session_uid", "=", ({ selectFrom }) =>
      selectFrom("oidc_artifacts as found")
        .select("found.session_uid")
        .where("found.kind", "=", "Session")
        .where("found.key", "=", param("key", "bytea")),
    )
    .$castTo<never>(),
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

/** Codes and tokens; an interaction that began with the grant goes on without it. */
const deleteOfGrant = prepareStatement<{ grantKey: Buffer }, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("grant_key", "=", param("grantKey", "bytea"))
    .where("kind", "<>", "Interaction")
    .$castTo<never>(),
);
