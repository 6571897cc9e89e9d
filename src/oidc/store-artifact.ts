import { sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { isOfServiceUser, SERVICE_TOKEN } from "../access/live-token.ts";
import { hashSecret, isId } from "../crypto/secrets.ts";
import { bytesToText } from "../database/command-list.ts";
import type { RunTogether } from "../database/run-together.ts";
import { prepareArtifactCommand } from "./artifact-command.ts";
import { sessionUidOf, toKey, toStored } from "./stored-artifacts.ts";

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
export async function storeArtifact(runTogether: RunTogether, artifact: NewArtifact): Promise<boolean> {
  const { kind, id, payload, expiresAt, now } = artifact;
  const { clientId, grantId, uid, userCode } = payload;
  const accountId = kind === "ClientCredentials" ? (payload.extra?.sub as string | undefined) : payload.accountId;
  const { isFound = false, needsGrant = false, sessionUid, sequence } = toBasis(artifact);
  // A session is stored at each sign-in to an application. Dropped when it is read.
  const seen = kind === "Session" && { seenTs: Math.floor(now.getTime() / 1_000) };
  return await storeGiven(runTogether, {
    kind,
    key: bytesToText(toKey(id)),
    payload: { ...toStored(id, payload), ...seen },
    // An interaction gets its user when somebody authenticates.
    user_id: kind !== "Interaction" && accountId !== undefined && isId(accountId) ? accountId : null,
    client_id: clientId ?? null,
    grant_key: grantId === undefined ? null : bytesToText(hashSecret(grantId)),
    session_uid: uid ?? payload.sessionUid ?? sessionUid ?? null,
    user_code_key: userCode === undefined ? null : bytesToText(hashSecret(userCode)),
    created_at: now,
    expires_at: expiresAt,
    mustExist: isFound,
    isConfirmation: isFound && accountId === undefined && payload.error === undefined,
    needsGrant,
    basisSession: sessionUid ?? null,
    basisSequence: sequence ?? null,
  });
}

/** What must still exist when an artifact is stored. */
interface Basis {
  /** The row itself, because the request has found it. A device code must also be in the preceding state. */
  readonly isFound?: boolean;
  /** Its grant. */
  readonly needsGrant?: boolean;
  /** A session. */
  readonly sessionUid?: string | undefined;
  /** A user whose sessions have not ended since this sequence. */
  readonly sequence?: string;
}

/**
 * The statement locks what the artifact depends on. The end of a session, or of all sessions of a user (`endSessions`),
 * deletes or changes these rows. So it either waits and then deletes the new artifact too, or nothing is stored.
 */
function toBasis({ kind, id, payload }: NewArtifact): Basis {
  const { accountId, grantId, storedAs, sequence } = payload;
  const ofGrant = { needsGrant: grantId !== undefined };
  switch (kind) {
    case "Session":
      if (storedAs === id) return { isFound: true };
      return accountId === undefined || sequence === undefined ? {} : { sequence: String(sequence) };
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

/** The row to store, and the conditions for it. Bytes are created by `bytesToText`. */
interface GivenArtifact {
  kind: string;
  key: string;
  payload: AdapterPayload;
  user_id: string | null;
  client_id: string | null;
  grant_key: string | null;
  session_uid: string | null;
  user_code_key: string | null;
  created_at: Date;
  expires_at: Date;
  mustExist: boolean;
  /** Whether a user confirms a device code. */
  isConfirmation: boolean;
  needsGrant: boolean;
  basisSession: string | null;
  basisSequence: string | null;
}

const STORED = {
  kind: "text",
  key: "bytea",
  payload: "jsonb",
  user_id: "uuid",
  client_id: "text",
  grant_key: "bytea",
  session_uid: "text",
  user_code_key: "bytea",
  created_at: "timestamptz",
  expires_at: "timestamptz",
} as const;

const COLUMNS = {
  ...STORED,
  mustExist: "boolean",
  isConfirmation: "boolean",
  needsGrant: "boolean",
  basisSession: "text",
  basisSequence: "bigint",
} as const;

/**
 * Whether the row to replace may still be replaced. A user confirms a device code (`inFlight`), and then either a user has
 * signed in, or it has been refused. oidc-provider checks this when it reads the code, so concurrent users could both pass.
 */
const IS_REPLACEABLE = sql<boolean>`(found.kind <> 'DeviceCode' or not found.payload ?| array['accountId', 'error']
  and not (given."isConfirmation" and found.payload ? 'inFlight'))`;

/**
 * A session is written as a whole, with the authorizations of concurrent requests merged. Omitting an authorization
 * removes it only together with a new id, for which there is no row yet.
 */
const PAYLOAD = sql<object>`case
  when excluded.kind = 'Session' and excluded.user_id = stored.user_id and excluded.payload ? 'authorizations'
  then jsonb_set(excluded.payload, '{authorizations}',
    coalesce(stored.payload -> 'authorizations', '{}') || (excluded.payload -> 'authorizations'))
  else excluded.payload end`;

/** Otherwise, the insertion would wait for a row that was skipped. */
const IS_NEW = sql<boolean>`number not in (select number from stored_before)`;

const names = sql.join(Object.keys(STORED).map((column) => sql.ref(column)));

/**
 * What must exist is locked until the row is stored: the row to replace as by the update, because two requests that first
 * share a lock would wait for each other. A proof that was used is never replaced.
 */
const storeGiven = prepareArtifactCommand<GivenArtifact>(
  "store_artifact",
  COLUMNS,
  (given, { isShared, orSkip }) => sql`
    with given as ${given},
    stored_before as (
      select given.number
      from given join oidc_artifacts as earlier on earlier.kind = given.kind and earlier.key = given.key),
    found as (
      select given.number
      from given join oidc_artifacts as found on found.kind = given.kind and found.key = given.key
      where not given."mustExist" or ${IS_REPLACEABLE}
      for no key update of found ${orSkip}),
    found_grant as (
      select given.number
      from given join oidc_artifacts as basis on basis.kind = 'Grant' and basis.key = given.grant_key
      where given."needsGrant"
      for key share of basis ${orSkip}),
    found_session as (
      select given.number
      from given cross join lateral (
        select from oidc_artifacts
        where kind = 'Session' and session_uid = given."basisSession"
        limit 1
        for key share ${orSkip}) as basis),
    found_user as (
      select given.number
      from given join users on users.id = given.user_id and users.sessions_ended_sequence <= given."basisSequence"
      for share of users ${orSkip}),
    written as (
      insert into oidc_artifacts as stored (${names})
      select ${names} from given
      where (not "mustExist" and ${isShared ? IS_NEW : sql`true`} or number in (select number from found))
        and (not "needsGrant" or number in (select number from found_grant))
        and ("basisSession" is null or number in (select number from found_session))
        and ("basisSequence" is null or number in (select number from found_user))
        and (kind <> ${SERVICE_TOKEN} or ${isOfServiceUser("given")})
      on conflict (kind, key) do update set
        payload = ${PAYLOAD},
        user_id = coalesce(excluded.user_id, stored.user_id),
        client_id = excluded.client_id,
        grant_key = excluded.grant_key,
        session_uid = excluded.session_uid,
        user_code_key = coalesce(excluded.user_code_key, stored.user_code_key),
        expires_at = excluded.expires_at
      where stored.kind <> 'ReplayDetection'
      returning kind, key)
    select given.number from given join written using (kind, key)`,
);
