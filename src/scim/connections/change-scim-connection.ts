import type { Call } from "../../call.ts";
import { SignetError } from "../../errors.ts";
import type { ScimConnectionPayload } from "../../events/catalogue.ts";
import {
  type Change,
  type ChangeParts,
  changeObject,
  holdObject,
  removeObject,
  runChange,
} from "../../events/change-object.ts";
import type { Changed } from "../../events/object-details.ts";
import { throwIfUnknown, toScimColumns, toScimPayload } from "./scim-settings.ts";
import { createScimToken } from "./scim-token.ts";

/**
 * Replaces the settings of a SCIM connection (docs/reference/scim.md). The same settings change nothing.
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, INVALID_ARGUMENT for an unknown provider or application, or for a
 *   failure of the database.
 */
export async function updateScimConnection(
  parts: ChangeParts,
  { id, ...settings }: ScimConnectionPayload & { readonly id: string },
  call: Call,
): Promise<Changed> {
  const event = { type: "org.scim.connection.changed", payload: toScimPayload(settings) } as const;
  return await runChange(parts, call, async (change) => {
    const connection = await holdConnection(change, id, call);
    await throwIfUnknown(change, settings, call);
    return await changeObject(change, "scim_connections", connection, [event], toScimColumns(settings));
  });
}

/** How long the token that a rotation has replaced is accepted. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Replaces the token of a SCIM connection. For 24 hours, the previous one is accepted too (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, or for a failure of the database.
 */
export async function rotateScimToken(
  parts: ChangeParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed & { readonly token: string }> {
  const { token, hash: token_hash } = createScimToken();
  const event = { type: "org.scim.connection.token.rotated", payload: {} } as const;
  return await runChange(parts, call, async (change) => {
    const connection = await holdConnection(change, id, call);
    const columns = {
      token_hash,
      previous_token_hash: connection.token_hash,
      previous_token_until: new Date(change.now.getTime() + OVERLAP_MS),
    };
    return { token, ...(await changeObject(change, "scim_connections", connection, [event], columns)) };
  });
}

/**
 * Removes a SCIM connection, whose tokens end at once (docs/reference/scim.md).
 *
 * @throws SignetError SCIM_CONNECTION_NOT_FOUND, or for a failure of the database.
 */
export async function removeScimConnection(
  parts: ChangeParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  const event = { type: "org.scim.connection.removed", payload: {} } as const;
  return await runChange(parts, call, async (change) => {
    const connection = await holdConnection(change, id, call);
    return await removeObject(change, "scim_connections", connection, [event]);
  });
}

async function holdConnection(change: Change, id: string, { orgId }: Call) {
  const connection = await holdObject(change, "scim_connections", { owner_id: orgId, id });
  if (connection === undefined) throw scimConnectionNotFound(id);
  return connection;
}

export function scimConnectionNotFound(id: string): SignetError {
  const message = "id: no SCIM connection of the organization has this id";
  return new SignetError("SCIM_CONNECTION_NOT_FOUND", message, { metadata: { scimConnectionId: id } });
}
