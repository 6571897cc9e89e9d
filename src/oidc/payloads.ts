import type { AdapterPayload } from "oidc-provider";

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
