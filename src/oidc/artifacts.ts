import type { Kysely } from "kysely";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { Clock } from "../clock.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type ArtifactKey, isReference, toKey } from "./artifact-keys.ts";
import { findArtifact, findByUserCode, findSessionByUid } from "./find-artifacts.ts";
import { hold, NO_WRITES, takeHeld } from "./held-writes.ts";
import { takeRead } from "./read-ahead.ts";
import { stateOfRequest } from "./request-state.ts";
import { type ArtifactWrites, storeArtifacts, toNewArtifact } from "./store-artifacts.ts";

interface ArtifactParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/**
 * Stores what oidc-provider stores: sessions, grants, codes and tokens.
 *
 * An artifact's id is the value that a client or a browser presents. Rows are found by the id's SHA-256, and the
 * payload is stored without the id, so a copy of the database contains no valid token.
 */
export function createArtifacts({ db, clock }: ArtifactParts, kind: string): Adapter {
  return {
    async upsert(id, payload, expiresInSeconds = MAX_SECONDS) {
      const now = clock();
      const artifact = toNewArtifact(kind, id, payload, new Date(now.getTime() + expiresInSeconds * 1_000));
      if (precedesSession(kind, payload) && hold({ stored: [artifact] })) return;
      const held = takeHeld() ?? NO_WRITES;
      const continued = isLocking(held) ? undefined : findContinued(kind, id);
      const isWritten = await storeArtifacts(db, { ...held, stored: [...held.stored, artifact], continued }, now);
      if (isWritten) return;
      if (kind === "Session") throw sessionHasEnded();
      // The request's other tokens have been revoked since they were stored. This one is not stored, so it is invalid
      // too.
      if (continued !== undefined) return;
      throw new errors.InvalidGrant("the code or token was used before, or has ended");
    },
    async find(id) {
      if (isReference(id) && !isDeviceResumed(kind)) return undefined;
      const find = () => findArtifact({ db, now: clock() }, kind, id);
      const found = await (kind === "Grant" ? takeRead(kind, id, find) : find());
      if (kind === "Session" && found !== undefined) noteBasis({ kind, key: toKey(id) });
      return found;
    },
    findByUid: (uid) => takeRead("Session", uid, () => findSessionByUid({ db, now: clock() }, uid)),
    findByUserCode: (userCode) => findByUserCode({ db, now: clock() }, kind, userCode),
    /**
     * The tokens issued in exchange are stored next: `upsert` throws InvalidGrant if the artifact was already consumed.
     */
    async consume(id) {
      const consumed = { kind, key: toKey(id) };
      noteBasis(consumed);
      if (!hold({ consumed })) throw new Error("codes and tokens are consumed by requests alone");
    },
    async destroy(id) {
      const row = { kind, key: toKey(id) };
      if (kind === "Interaction" && isSignedIn() && hold({ deleted: row })) return;
      const isSignOut = kind === "Session" && Provider.ctx?.oidc.route === "end_session_confirm";
      await (isSignOut ? deleteSession : deleteArtifact)(db, row);
    },
    /** The provider revokes each kind separately. The first statement deletes all of them. */
    async revokeByGrantId(grantId) {
      if (kind === "AccessToken") await deleteOfGrant(db, { grantKey: hashSecret(grantId) });
    },
  };
}

/**
 * Provider middleware. Executes the writes that a request still holds when it ends, for example because it failed after
 * `consume`.
 */
export function writeHeld({ db, clock }: ArtifactParts) {
  return async (ctx: object, next: () => Promise<void>): Promise<void> => {
    await next();
    const held = takeHeld(ctx);
    if (held !== undefined) await storeArtifacts(db, held, clock());
  };
}

function noteBasis(basis: ArtifactKey): void {
  const state = stateOfRequest();
  if (state !== undefined) state.basis = basis;
}

/**
 * What must still exist when a request stores an artifact: the session that it found, or what its first token was
 * issued for. A session that the request starts, or assigns a new id, has a different key.
 */
function findContinued(kind: string, id: string): ArtifactKey | undefined {
  const basis = stateOfRequest()?.basis;
  if (basis?.kind !== "Session") return basis;
  return kind === "Session" && basis.key.equals(toKey(id)) ? basis : undefined;
}

function isLocking({ deleted, consumed }: ArtifactWrites): boolean {
  return deleted !== undefined || consumed !== undefined;
}

/** The provider must not try to store the session again. */
function sessionHasEnded(): Error {
  Object.assign(Provider.ctx?.oidc.session ?? {}, { destroyed: true });
  return new errors.LoginRequired("the session has ended");
}

/** Longer than the lifetime of any artifact. */
const MAX_SECONDS = 400 * 86_400;

/** Whether it is stored by a request that stores its session at the end. This is where a device code gets its user. */
function precedesSession(kind: string, { accountId }: AdapterPayload): boolean {
  return kind === "Grant" || kind === "AuthorizationCode" || (kind === "DeviceCode" && accountId !== undefined);
}

/** Whether the request continues after a sign-in, and therefore stores the session of its user at the end. */
function isSignedIn(): boolean {
  return Provider.ctx?.oidc.entities.Interaction?.result?.login !== undefined;
}

/** The provider itself looks up the device code to which it stored a reference when the user code was entered. */
function isDeviceResumed(kind: string): boolean {
  return kind === "DeviceCode" && Provider.ctx?.oidc.route === "device_resume";
}

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

const deleteArtifact = prepareStatement<ArtifactKey, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("kind", "=", param("kind", "text"))
    .where("key", "=", param("key", "bytea"))
    .$castTo<never>(),
);

/** Only codes and tokens; an interaction that started with the grant continues without it. */
const deleteOfGrant = prepareStatement<{ grantKey: Buffer }, never>((db, param) =>
  db
    .deleteFrom("oidc_artifacts")
    .where("grant_key", "=", param("grantKey", "bytea"))
    .where("kind", "<>", "Interaction")
    .$castTo<never>(),
);
