import { type RawBuilder, sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { isOfServiceUser } from "../access/live-token.ts";
import { hashSecret, isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { type Param, prepareStatement } from "../database/prepare.ts";
import { type ArtifactKey, sessionUidOf, toKey, toStored } from "./stored-artifacts.ts";

interface NewArtifact {
  readonly kind: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly expiresAt: Date;
  readonly now: Date;
}

/**
 * Stores an artifact, unless what it depends on has ended.
 *
 * @returns Whether it was stored.
 */
export async function storeArtifact(db: Database, artifact: NewArtifact): Promise<boolean> {
  const { kind, id, payload, expiresAt, now } = artifact;
  const { clientId, grantId, uid, userCode } = payload;
  const accountId = kind === "ClientCredentials" ? (payload.extra?.sub as string | undefined) : payload.accountId;
  const { isFound = false, grant, sessionUid, sequence } = toBasis(artifact);
  // A session is stored at each sign-in to an application. Dropped when it is read.
  const seen = kind === "Session" && { seenTs: Math.floor(now.getTime() / 1_000) };
  const rows = await upsertArtifact(db, {
    kind,
    key: toKey(id),
    payload: JSON.stringify({ ...toStored(id, payload), ...seen }),
    // An interaction gets its user when somebody authenticates.
    userId: kind !== "Interaction" && accountId !== undefined && isId(accountId) ? accountId : null,
    clientId: clientId ?? null,
    grantKey: grantId === undefined ? null : hashSecret(grantId),
    sessionUid: uid ?? payload.sessionUid ?? sessionUid ?? null,
    userCodeKey: userCode === undefined ? null : hashSecret(userCode),
    now,
    expiresAt,
    mustExist: isFound,
    isConfirmation: isFound && accountId === undefined && payload.error === undefined,
    basisGrantKey: grant ?? null,
    basisSessionUid: sessionUid ?? null,
    basisSequence: sequence ?? null,
    isOnce: kind === "ReplayDetection",
    isService: kind === "ClientCredentials",
  });
  return rows.length > 0;
}

/** What must still exist when an artifact is stored. */
interface Basis {
  /** The row itself, because the request has found it. A device code must also be in the preceding state. */
  readonly isFound?: boolean;
  /** The key of a grant. */
  readonly grant?: Buffer;
  /** A session. */
  readonly sessionUid?: string | undefined;
  /** A user whose sessions have not ended since this sequence. */
  readonly sequence?: bigint;
}

/**
 * The statement locks what the artifact depends on. The end of a session, or of all sessions of a user (`endSessions`),
 * deletes or changes these rows. So it either waits and then deletes the new artifact too, or nothing is stored.
 */
function toBasis({ kind, id, payload }: NewArtifact): Basis {
  const { accountId, grantId, storedAs, sequence } = payload;
  const ofGrant = grantId === undefined ? {} : { grant: hashSecret(grantId) };
  switch (kind) {
    case "Session":
      if (storedAs === id) return { isFound: true };
      return accountId === undefined || sequence === undefined ? {} : { sequence: BigInt(String(sequence)) };
    case "Grant":
      return { sessionUid: sessionUidOf(id) };
    case "DeviceCode":
      return {
        ...ofGrant,
        isFound: accountId !== undefined || payload.error !== undefined || payload.inFlight === true,
      };
    default:
      return ofGrant;
  }
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
  mustExist: boolean;
  /** Whether a user confirms a device code. */
  isConfirmation: boolean;
  basisGrantKey: Buffer | null;
  basisSessionUid: string | null;
  basisSequence: bigint | null;
  /** Whether nothing is stored if there is a row with the same key. */
  isOnce: boolean;
  /** Whether the user must be the active machine user of the application. */
  isService: boolean;
}

/**
 * The values in `basis` are null for most kinds. As parameters, they would make a plan for the values of one call look so
 * much cheaper than one for all values that PostgreSQL would plan the statement at each call.
 *
 * A session is written as a whole, with the authorizations of concurrent requests merged. Omitting an authorization
 * removes it only together with a new id, for which there is no row yet.
 */
const upsertArtifact = prepareStatement<UpsertValues, { kind: string }>((db, param) =>
  db
    .with("found", () => findReplaced(param))
    .with(
      (cte) => cte("basis").materialized(),
      () => sql`(select ${param("basisGrantKey", "bytea")} as grant_key, ${param("basisSessionUid", "text")} as session_uid,
        ${param("basisSequence", "bigint")} as sequence)`,
    )
    .with("basis_grant", () => {
      const key = sql`(select grant_key from basis)`;
      return sql`(select key from oidc_artifacts where kind = 'Grant' and key = ${key} for key share)`;
    })
    .with("basis_session", () => {
      const uid = sql`(select session_uid from basis)`;
      return sql`(select key from oidc_artifacts where kind = 'Session' and session_uid = ${uid} for key share)`;
    })
    .with("basis_user", () => {
      const isCurrent = sql`sessions_ended_sequence <= (select sequence from basis)`;
      return sql`(select id from users where id = ${param("userId", "uuid")} and ${isCurrent} for share)`;
    })
    .insertInto("oidc_artifacts")
    .columns([
      "kind",
      "key",
      "payload",
      "user_id",
      "client_id",
      "grant_key",
      "session_uid",
      "user_code_key",
      "created_at",
      "expires_at",
    ])
    .expression(givenArtifact(param))
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "key"])
        .doUpdateSet(REPLACED)
        .where(sql<boolean>`not ${param("isOnce", "boolean")}`),
    )
    .returning("kind"),
);

/**
 * The part with the row to replace. Its lock is as strong as that of the update: two requests that first share a lock
 * would wait for each other.
 *
 * A user confirms a device code (`inFlight`), and then either a user has signed in, or it has been refused.
 * oidc-provider checks this when it reads the code, so concurrent users could both pass.
 */
function findReplaced(param: Param<UpsertValues>): RawBuilder<object> {
  return sql`(
    select key from oidc_artifacts
    where kind = ${param("kind", "text")} and key = ${param("key", "bytea")}
      and (kind <> 'DeviceCode' or not payload ?| array['accountId', 'error']
        and not (${param("isConfirmation", "boolean")} and payload ? 'inFlight'))
    for no key update)`;
}

/** The row to store; none if a row that it depends on does not exist. */
function givenArtifact(param: Param<UpsertValues>): RawBuilder<object> {
  return sql`select ${param("kind", "text")}, ${param("key", "bytea")}, ${param("payload", "jsonb")},
      ${param("userId", "uuid")}, ${param("clientId", "text")}, ${param("grantKey", "bytea")},
      ${param("sessionUid", "text")}, ${param("userCodeKey", "bytea")}, ${param("now", "timestamptz")},
      ${param("expiresAt", "timestamptz")}
    from (select ${param("userId", "uuid")} as user_id, ${param("clientId", "text")} as client_id) as given
    where (not ${param("mustExist", "boolean")} or exists (select from found))
      and (${param("basisGrantKey", "bytea")} is null or exists (select from basis_grant))
      and (${param("basisSessionUid", "text")} is null or exists (select from basis_session))
      and (${param("basisSequence", "bigint")} is null or exists (select from basis_user))
      and (not ${param("isService", "boolean")} or ${isOfServiceUser("given")})`;
}

const REPLACED = {
  payload: sql<object>`case
    when excluded.kind = 'Session' and excluded.user_id = oidc_artifacts.user_id and excluded.payload ? 'authorizations'
    then jsonb_set(excluded.payload, '{authorizations}',
      coalesce(oidc_artifacts.payload -> 'authorizations', '{}') || (excluded.payload -> 'authorizations'))
    else excluded.payload end`,
  user_id: sql<string>`coalesce(excluded.user_id, oidc_artifacts.user_id)`,
  client_id: sql<string>`excluded.client_id`,
  grant_key: sql<Buffer>`excluded.grant_key`,
  session_uid: sql<string>`excluded.session_uid`,
  user_code_key: sql<Buffer>`coalesce(excluded.user_code_key, oidc_artifacts.user_code_key)`,
  expires_at: sql<Date>`excluded.expires_at`,
};
