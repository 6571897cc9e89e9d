import { type RawBuilder, sql } from "kysely";
import { type Adapter, errors, Provider } from "oidc-provider";
import { hashSecret } from "../crypto/secrets.ts";
import { bytesToText } from "../database/command-list.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { type GivenKey, prepareArtifactCommand } from "./artifact-command.ts";
import { findArtifact, findByUserCode, findSession, findSessionByUid } from "./find-artifacts.ts";
import { KEPT_SECONDS } from "./lifetimes.ts";
import { findReusable, type NextToken, REUSE_SECONDS } from "./refresh-tokens.ts";
import { noServiceUser } from "./service-tokens.ts";
import { storeArtifact } from "./store-artifact.ts";
import { type ArtifactKey, isReference, toKey } from "./stored-artifacts.ts";
import { orUnavailable } from "./unavailable.ts";

interface AdapterParts extends ChangeParts {
  readonly runTogether: RunTogether;
  readonly nextToken: NextToken;
}

/**
 * Stores what oidc-provider stores: sessions, grants, codes and tokens. A method usually takes one statement, which calls
 * that wait at the same time share.
 *
 * An artifact's id is the value that a client or a browser presents. Rows are found by the id's SHA-256, and the
 * payload is stored without the id, so a copy of the database contains no valid token.
 *
 * @param kind The model of oidc-provider.
 */
export function createAdapter({ db, runTogether, clock, nextToken }: AdapterParts, kind: string): Adapter {
  return {
    async upsert(id, payload, expiresInSeconds = MAX_SECONDS) {
      const now = clock();
      const keptSeconds = expiresInSeconds + (KEPT_SECONDS[kind] ?? 0);
      const expiresAt = new Date(now.getTime() + keptSeconds * 1_000);
      if (await orUnavailable(() => storeArtifact(runTogether, { kind, id, payload, expiresAt, now }))) return;
      throw toRefusal(kind);
    },
    async find(id) {
      if ((isReference(id) && !isDeviceResumed(kind)) || isIntrospected(kind)) return undefined;
      const find = kind === "Session" ? findSession : findArtifact;
      const now = clock();
      const load = (token: string) => orUnavailable(() => find({ runTogether, now }, kind, token));
      const found = await load(id);
      if (found?.consumed !== undefined && isRefresh(kind)) {
        return (await findReusable({ ...found, jti: id }, nextToken, now, load)) ?? found;
      }
      if (found === undefined && isPushedResumed(kind)) throw noPushedRequest();
      return kind === "DeviceCode" && wasJustConsumed(found?.consumed, now) ? undefined : found;
    },
    findByUid: (uid) => orUnavailable(() => findSessionByUid({ runTogether, now: clock() }, uid)),
    findByUserCode: (userCode) => orUnavailable(() => findByUserCode({ db, now: clock() }, kind, userCode)),
    /** Of concurrent requests that consume the same code, one succeeds. For a refresh token, see `REUSE_SECONDS`. */
    async consume(id) {
      const now = clock();
      const reusableSince = kind === "RefreshToken" ? new Date(now.getTime() - REUSE_SECONDS * 1_000) : null;
      const key = bytesToText(toKey(id));
      if (await orUnavailable(() => consumeArtifact(runTogether, { kind, key, now, reusableSince }))) return;
      if (kind === PUSHED_REQUEST) throw noPushedRequest();
      throw new errors.InvalidGrant("the code or token was used before, or has ended");
    },
    async destroy(id) {
      const key = toKey(id);
      if (isPartialSignOut(kind)) {
        await orUnavailable(() => deleteSession(db, { kind, key }));
        return;
      }
      const isDeleted = await orUnavailable(() => deleteArtifact(runTogether, { kind, key: bytesToText(key) }));
      // The result of a sign-in starts one session, and none after the user's sessions have ended.
      if (!isDeleted && kind === "Interaction") throw new errors.SessionNotFound("the sign-in has ended");
    },
    async revokeByGrantId(grantId) {
      await orUnavailable(() => deleteOfGrant(db, { kind, grantKey: hashSecret(grantId) }));
    },
  };
}

/** Longer than the lifetime of any artifact. */
const MAX_SECONDS = 400 * 86_400;

/** The error for an artifact that was not stored. */
function toRefusal(kind: string): Error {
  switch (kind) {
    case "ClientCredentials":
      return noServiceUser();
    case "ReplayDetection":
      return toReplayRefusal();
    case "AccessToken":
    case "RefreshToken":
    case "DeviceCode":
      return new errors.InvalidGrant("the sign-in has ended");
    default:
      // The provider must not try to store the session again.
      Object.assign(Provider.ctx?.oidc.session ?? {}, { destroyed: true });
      return new errors.LoginRequired("the session has ended");
  }
}

/** Only concurrent requests get it. oidc-provider finds the others itself. */
function toReplayRefusal(): Error {
  const { route, client } = Provider.ctx?.oidc ?? {};
  if (route === "userinfo") return new errors.InvalidToken("the DPoP proof was used before");
  return client?.clientAuthMethod === "private_key_jwt"
    ? new errors.InvalidClientAuth("the client assertion or DPoP proof was used before")
    : new errors.InvalidDpopProof("the DPoP proof was used before");
}

const PUSHED_REQUEST = "PushedAuthorizationRequest";

/** The sign-in has ended that began with a pushed request. Without its row, oidc-provider would not use it up. */
function isPushedResumed(kind: string): boolean {
  return kind === PUSHED_REQUEST && Provider.ctx?.oidc.route === "resume";
}

function noPushedRequest(): Error {
  return new errors.InvalidRequestUri("the pushed request has expired, or was used before");
}

/** The provider itself looks up the device code to which it stored a reference when the user code was entered. */
function isDeviceResumed(kind: string): boolean {
  return kind === "DeviceCode" && Provider.ctx?.oidc.route === "device_resume";
}

/**
 * A poll that was sent at the same time as the successful one finds no code. The provider would take it for a stolen code,
 * and revoke the grant before the successful poll has stored its tokens.
 */
function wasJustConsumed(consumed: unknown, now: Date): boolean {
  return typeof consumed === "number" && now.getTime() / 1_000 - consumed < CONCURRENT_SECONDS;
}

/** REQUEST_TIMEOUT_MS is 15 s by default. */
const CONCURRENT_SECONDS = 15;

/** `respondToIntrospection` finds the token. */
function isIntrospected(kind: string): boolean {
  return TOKENS.has(kind) && Provider.ctx?.oidc.route === "introspection";
}

const TOKENS: ReadonlySet<string> = new Set(["AccessToken", "ClientCredentials", "RefreshToken"]);

/** An application uses a refresh token, rather than revoking it. */
function isRefresh(kind: string): boolean {
  return kind === "RefreshToken" && Provider.ctx?.oidc.route === "token";
}

/** The user signs out of one application. The session continues under another id, without this application. */
function isPartialSignOut(kind: string): boolean {
  return kind === "Session" && Provider.ctx?.oidc.route === "end_session_confirm";
}

/**
 * The first use counts, so that repeated ones do not extend the time. Without `reusableSince` there is one use, however
 * far the clocks of two processes are apart.
 */
const consumeArtifact = prepareArtifactCommand<GivenKey & { now: Date; reusableSince: Date | null }>(
  "consume_artifact",
  { kind: "text", key: "bytea", now: "timestamptz", reusableSince: "timestamptz" },
  (given, { orSkip }) => sql`
    with given as ${given}, found as (${lockGiven(orSkip)})
    update oidc_artifacts as artifact set consumed_at = coalesce(artifact.consumed_at, found.now)
    from found
    where artifact.kind = found.kind and artifact.key = found.key
      and (artifact.consumed_at is null or artifact.consumed_at > found."reusableSince")
    returning found.number`,
);

const deleteArtifact = prepareArtifactCommand<GivenKey>(
  "delete_artifact",
  { kind: "text", key: "bytea" },
  (given, { orSkip }) => sql`
    with given as ${given}, found as (${lockGiven(orSkip)})
    delete from oidc_artifacts as artifact using found
    where artifact.kind = found.kind and artifact.key = found.key
    returning found.number`,
);

/** The given rows whose artifacts exist. */
function lockGiven(orSkip: RawBuilder<object>): RawBuilder<object> {
  return sql`
    select given.*
    from given join oidc_artifacts as artifact on artifact.kind = given.kind and artifact.key = given.key
    for update of artifact ${orSkip}`;
}

/** Deletes all rows of a session (see `withAllAuthorizations`). */
const deleteSession = prepareStatement<ArtifactKey, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("session_uid", "=", ({ selectFrom }) =>
      selectFrom("oidc_artifacts as found")
        .select("found.session_uid")
        .where("found.kind", "=", sql.lit("Session"))
        .where("found.key", "=", param("key", "bytea")),
    )
    .$castTo<never>(),
);

const deleteOfGrant = prepareStatement<{ kind: string; grantKey: Buffer }, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("grant_key", "=", param("grantKey", "bytea"))
    .$castTo<never>(),
);
