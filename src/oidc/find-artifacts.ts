import { sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { isOfServiceUser, SERVICE_TOKEN } from "../access/live-token.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isInActiveOrg } from "../database/active.ts";
import { bytesToText } from "../database/command-list.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import { type StoredPayload, toKey, toPayload, toReference } from "./stored-artifacts.ts";

interface FindParts {
  readonly db: Database;
  readonly now: Date;
}

interface LookUpParts {
  readonly runTogether: RunTogether;
  readonly now: Date;
}

/**
 * Finds an unexpired artifact by its id or reference. Equal look-ups share a row, and oidc-provider changes what it gets, so
 * each has a copy.
 */
export async function findArtifact(
  { runTogether, now }: LookUpParts,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> {
  const row = await runTogether(FIND_ARTIFACT, { kind, key: bytesToText(toKey(id)), now });
  return row && toPayload(structuredClone(row), id);
}

/** Finds a session by its id, with the sequence of its user. */
export async function findSession(
  { runTogether, now }: LookUpParts,
  kind: string,
  id: string,
): Promise<AdapterPayload | undefined> {
  const row = await runTogether(FIND_SESSION, { kind, key: bytesToText(toKey(id)), now });
  return row && { ...toPayload(structuredClone(row), id), storedAs: id, sequence: row.sequence ?? undefined };
}

/** Finds a session by its public id. */
export async function findSessionByUid(
  { runTogether, now }: LookUpParts,
  uid: string,
): Promise<AdapterPayload | undefined> {
  const row = await runTogether(FIND_SESSION_BY_UID, { uid, now });
  return row && toPayload(structuredClone(row), toReference(row.key));
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

interface AskedArtifact {
  kind: string;
  /** Created by `bytesToText`. */
  key: string;
  now: Date;
}

const ASKED = { kind: "text", key: "bytea", now: "timestamptz" } as const;

const FIND_ARTIFACT = prepareLookUp<AskedArtifact, StoredPayload>("find_artifact", ASKED, (asked) =>
  asked
    .innerJoin("oidc_artifacts as found", (join) =>
      join.onRef("found.kind", "=", "asked.kind").on("found.key", "=", sql<Buffer>`asked.key`),
    )
    .select(["found.payload", "found.consumed_at"])
    .where("found.expires_at", ">", sql<Date>`asked.now`)
    // Other artifacts are of no use without these, or without an active account or application.
    .where(
      sql<boolean>`case when found.kind in ('AccessToken', 'RefreshToken') then ${isInActiveOrg(sql.ref("found.user_id"))}
        when found.kind = ${SERVICE_TOKEN} then ${isOfServiceUser("found")} else true end`,
    ),
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

type SessionRow = StoredPayload & { readonly sequence: string | null };

const FIND_SESSION = prepareLookUp<AskedArtifact, SessionRow>("find_session", ASKED, (asked) =>
  asked
    .innerJoin("oidc_artifacts as session", (join) =>
      join.onRef("session.kind", "=", "asked.kind").on("session.key", "=", sql<Buffer>`asked.key`),
    )
    .select([
      withAllAuthorizations.as("payload"),
      "session.consumed_at",
      sql<string | null>`(select sequence::text from users where users.id = session.user_id)`.as("sequence"),
    ])
    .where("session.expires_at", ">", sql<Date>`asked.now`)
    .where(isInActiveOrg(sql.ref("session.user_id"))),
);

/** Of several rows, the newest. */
const FIND_SESSION_BY_UID = prepareLookUp<{ uid: string; now: Date }, ArtifactRow>(
  "find_session_by_uid",
  { uid: "text", now: "timestamptz" },
  (asked) =>
    asked
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom("oidc_artifacts as session")
            .select(["session.key", withAllAuthorizations.as("payload"), "session.consumed_at"])
            .where("session.kind", "=", sql.lit("Session"))
            .where("session.session_uid", "=", sql<string>`asked.uid`)
            .where("session.expires_at", ">", sql<Date>`asked.now`)
            .orderBy("session.created_at", "desc")
            .limit(sql.lit(1))
            .as("found"),
        (join) => join.onTrue(),
      )
      .selectAll("found"),
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
