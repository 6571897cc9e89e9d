import type { Call } from "../../call.ts";
import { createId } from "../../crypto/secrets.ts";
import { SignetError } from "../../errors.ts";
import type { ScimConnectionPayload } from "../../events/catalogue.ts";
import {
  addObject,
  type Change,
  changeObject,
  holdObject,
  holdOwner,
  inChange,
  removeObject,
} from "../../events/change-object.ts";
import { throwIfUnknown, toScimColumns } from "./scim-settings.ts";
import { createScimToken } from "./scim-token.ts";

interface ScimConnectionId {
  readonly id: string;
}

/** The most connections of an organization. */
const MOST_CONNECTIONS = 20;

/**
 * Adds a SCIM connection to the organization (docs/reference/scim.md). The token cannot be shown again.
 *
 * @throws SignetError TOO_MANY_SCIM_CONNECTIONS, INVALID_ARGUMENT for an unknown provider or application, or for a
 *   failure of the database, like all operations in this file.
 */
export const addScimConnection = inChange(async (change, settings: ScimConnectionPayload, call) => {
  const id = createId();
  const { token, hash: token_hash } = createScimToken();
  await throwIfTooMany(change, call.orgId);
  await throwIfUnknown(change, settings, call);
  const columns = { owner_id: call.orgId, id, token_hash, ...toScimColumns(settings) };
  const event = { type: "org.scim.connection.added", payload: settings } as const;
  return { id, token, ...(await addObject(change, "scim_connections", columns, [event])) };
});

/** Locks the organization, so that connections that are added at once are counted. */
async function throwIfTooMany(change: Change, orgId: string): Promise<void> {
  await holdOwner(change, { kind: "org", id: orgId });
  const rows = await change.db.selectFrom("scim_connections").select("id").where("owner_id", "=", orgId).execute();
  if (rows.length < MOST_CONNECTIONS) return;
  const message = `the organization has ${MOST_CONNECTIONS} SCIM connections, which is the maximum`;
  throw new SignetError("TOO_MANY_SCIM_CONNECTIONS", message, { metadata: { limit: String(MOST_CONNECTIONS) } });
}

/**
 * Replaces the settings of a SCIM connection (docs/reference/scim.md). The same settings change nothing.
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, INVALID_ARGUMENT for an unknown provider or application.
 */
export const updateScimConnection = inChange(
  async (change, { id, ...settings }: ScimConnectionPayload & ScimConnectionId, call) => {
    const connection = await holdConnection(change, id, call);
    await throwIfUnknown(change, settings, call);
    const event = { type: "org.scim.connection.changed", payload: settings } as const;
    return await changeObject(change, "scim_connections", connection, [event], toScimColumns(settings));
  },
);

/** How long the token that a rotation has replaced is accepted. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Replaces the token of a SCIM connection. For 24 hours, the previous one is accepted too (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND.
 */
export const rotateScimToken = inChange(async (change, { id }: ScimConnectionId, call) => {
  const connection = await holdConnection(change, id, call);
  const { token, hash: token_hash } = createScimToken();
  const columns = {
    token_hash,
    previous_token_hash: connection.token_hash,
    previous_token_until: new Date(change.now.getTime() + OVERLAP_MS),
  };
  const event = { type: "org.scim.connection.token.rotated", payload: {} } as const;
  return { token, ...(await changeObject(change, "scim_connections", connection, [event], columns)) };
});

/**
 * Removes a SCIM connection, whose tokens end at once (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND.
 */
export const removeScimConnection = inChange(async (change, { id }: ScimConnectionId, call) => {
  const connection = await holdConnection(change, id, call);
  const event = { type: "org.scim.connection.removed", payload: {} } as const;
  return await removeObject(change, "scim_connections", connection, [event]);
});

async function holdConnection(change: Change, id: string, { orgId }: Call) {
  const connection = await holdObject(change, "scim_connections", { owner_id: orgId, id });
  if (connection === undefined) throw scimConnectionNotFound(id);
  return connection;
}

export function scimConnectionNotFound(id: string): SignetError {
  const message = "id: no SCIM connection of the organization has this id";
  return new SignetError("SCIM_CONNECTION_NOT_FOUND", message, { metadata: { scimConnectionId: id } });
}
