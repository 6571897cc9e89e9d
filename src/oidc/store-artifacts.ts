import { type Kysely, sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { hashSecretToHex, isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type ArtifactKey, toKey } from "./artifact-keys.ts";
import { withoutIds } from "./payloads.ts";

/** An artifact to store, in JSON. Binary values are hexadecimal. */
export interface NewArtifact {
  readonly kind: string;
  readonly key: string;
  readonly payload: AdapterPayload;
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly grant_key: string | null;
  readonly session_uid: string | null;
  readonly user_code_key: string | null;
  readonly expires_at: Date;
}

export function toNewArtifact(kind: string, id: string, payload: AdapterPayload, expiresAt: Date): NewArtifact {
  const { accountId, clientId, grantId, uid, sessionUid, userCode } = payload;
  return {
    kind,
    key: toKey(id).toString("hex"),
    payload: withoutIds(id, payload),
    user_id: accountId !== undefined && isId(accountId) ? accountId : null,
    client_id: clientId ?? null,
    grant_key: grantId === undefined ? null : hashSecretToHex(grantId),
    session_uid: uid ?? sessionUid ?? null,
    user_code_key: userCode === undefined ? null : hashSecretToHex(userCode),
    expires_at: expiresAt,
  };
}

/** What a request writes in one statement. */
export interface ArtifactWrites {
  readonly stored: readonly NewArtifact[];
  /** A sign-in that is completed. Nothing is stored if it has ended. */
  readonly deleted: ArtifactKey | undefined;
  /**
   * A code or token in exchange for which the others are issued. Nothing is stored if it was already consumed, or has
   * ended.
   */
  readonly consumed: ArtifactKey | undefined;
  /** A session that continues, or a code or token that the request has consumed. Nothing is stored if it has ended. */
  readonly continued: ArtifactKey | undefined;
}

/**
 * Each of `deleted`, `consumed` and `continued` locks its row. Ending a user's sessions deletes the row, so it either
 * waits and deletes what is stored here too, or nothing is stored (`endSessions`). Artifacts of a user must therefore
 * be stored together with one of them.
 *
 * @returns Whether the artifacts were stored. Of concurrent requests that consume the same artifact, only one succeeds;
 *   requests that complete or continue something that has ended fail.
 */
export async function storeArtifacts(
  db: Kysely<Tables>,
  { stored, deleted, consumed, continued }: ArtifactWrites,
  now: Date,
): Promise<boolean> {
  const rows = await writeArtifacts(db, {
    stored: JSON.stringify(stored),
    deletedKind: deleted?.kind ?? null,
    deletedKey: deleted?.key ?? null,
    consumedKind: consumed?.kind ?? null,
    consumedKey: consumed?.key ?? null,
    continuedKind: continued?.kind ?? null,
    continuedKey: continued?.key ?? null,
    now,
  });
  return rows.length > 0;
}

interface WriteValues {
  stored: string;
  deletedKind: string | null;
  deletedKey: Buffer | null;
  consumedKind: string | null;
  consumedKey: Buffer | null;
  continuedKind: string | null;
  continuedKey: Buffer | null;
  now: Date;
}

/**
 * A session is written as a whole, with the authorizations of concurrent requests merged. Omitting an authorization
 * removes it only together with a new id, for which there is no row yet.
 */
const writeArtifacts = prepareStatement<WriteValues, { kind: string }>((db, param) =>
  db
    .with("consumed", (query) =>
      query
        .updateTable("oidc_artifacts")
        .set({ consumed_at: param("now", "timestamptz") })
        .where("kind", "=", param("consumedKind", "text"))
        .where("key", "=", param("consumedKey", "bytea"))
        .where("consumed_at", "is", null)
        .returning("key"),
    )
    .with("continued", (query) =>
      query
        .selectFrom("oidc_artifacts")
        .select("key")
        .where("kind", "=", param("continuedKind", "text"))
        .where("key", "=", param("continuedKey", "bytea"))
        .forUpdate(),
    )
    .with("deleted", (query) =>
      query
        .deleteFrom("oidc_artifacts")
        .where("kind", "=", param("deletedKind", "text"))
        .where("key", "=", param("deletedKey", "bytea"))
        .returning("key"),
    )
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
    .expression(
      sql`select kind, decode(key, 'hex'), payload, user_id, client_id, decode(grant_key, 'hex'), session_uid,
          decode(user_code_key, 'hex'), ${param("now", "timestamptz")}, expires_at
        from jsonb_to_recordset(${param("stored", "jsonb")}) as stored (kind text, key text, payload jsonb, user_id uuid,
          client_id text, grant_key text, session_uid text, user_code_key text, expires_at timestamptz)
        where (${param("consumedKey", "bytea")} is null or exists (select from consumed))
          and (${param("continuedKey", "bytea")} is null or exists (select from continued))
          and (${param("deletedKey", "bytea")} is null or exists (select from deleted))`,
    )
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
    )
    .returning("kind"),
);
