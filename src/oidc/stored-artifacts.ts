import type { AdapterPayload } from "oidc-provider";
import { createId, hashSecret } from "../crypto/secrets.ts";

/** The primary key of an artifact. */
export interface ArtifactKey {
  /** The model of oidc-provider. */
  kind: string;
  key: Buffer;
}

/**
 * An artifact that was not found by its id has a reference to its row instead of the id, so that it can be changed and
 * deleted. `find` rejects references, because the rows' keys are not secret.
 */
const BY_KEY = "#";

export function isReference(id: string): boolean {
  return id.startsWith(BY_KEY);
}

export function toReference(key: Buffer): string {
  return BY_KEY + key.toString("hex");
}

/** The key of an id, or of a reference. */
export function toKey(id: string): Buffer {
  return isReference(id) ? Buffer.from(id.slice(BY_KEY.length), "hex") : hashSecret(id);
}

/** An artifact as stored. */
export interface StoredPayload {
  readonly payload: AdapterPayload;
  readonly consumed_at?: Date | null;
}

/** Replaces the artifact's id in its payload. */
const OWN_ID = "{id}";

/**
 * Drops the ids under which the artifact and the session of an interaction can be found, what describes the stored
 * session (see `SessionDetails`), and properties that are null: an unknown `authTime` must not become a claim.
 */
export function toStored(id: string, { jti, userCode, ...others }: AdapterPayload): AdapterPayload {
  const { storedAs, sequence, ...payload } = others;
  const { cookie, ...session } = payload.session ?? {};
  const returnTo = payload.returnTo?.replace(id, OWN_ID);
  const stored = { ...payload, ...(payload.session && { session }), ...(returnTo !== undefined && { returnTo }) };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null));
}

/** Puts the artifact's id back. */
export function toPayload({ payload, consumed_at }: StoredPayload, id: string): AdapterPayload {
  const { returnTo } = payload;
  return {
    ...payload,
    jti: id,
    ...(returnTo !== undefined && { returnTo: returnTo.replace(OWN_ID, id) }),
    ...(consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1_000) }),
  };
}

/** The id of a new grant. It contains the session's public id, because a grant is stored only while its session is. */
export function createGrantId(sessionUid: string): string {
  return `${sessionUid}.${createId()}`;
}

/** The public id of the session to which a grant belongs. Undefined for a grant of an earlier version. */
export function sessionUidOf(grantId: string): string | undefined {
  const end = grantId.indexOf(".");
  return end < 0 ? undefined : grantId.slice(0, end);
}
