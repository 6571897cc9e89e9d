import type { Call } from "../../call.ts";
import { createId } from "../../crypto/secrets.ts";
import { SignetError } from "../../errors.ts";
import type { ScimConnectionPayload } from "../../events/catalogue.ts";
import { addObject, type Change, type ChangeParts, holdOwner, runChange } from "../../events/change-object.ts";
import type { Changed } from "../../events/object-details.ts";
import { throwIfUnknown, toScimColumns, toScimPayload } from "./scim-settings.ts";
import { createScimToken } from "./scim-token.ts";

/** The most connections of an organization. */
const MOST_CONNECTIONS = 20;

/**
 * Adds a SCIM connection to the organization (docs/reference/scim.md). The token cannot be shown again.
 *
 * @throws SignetError TOO_MANY_SCIM_CONNECTIONS, INVALID_ARGUMENT for an unknown provider or application, or for a failure of the database.
 */
export async function addScimConnection(
  parts: ChangeParts,
  settings: ScimConnectionPayload,
  call: Call,
): Promise<Changed & { readonly id: string; readonly token: string }> {
  const id = createId();
  const { token, hash: token_hash } = createScimToken();
  const event = { type: "org.scim.connection.added", payload: toScimPayload(settings) } as const;
  return await runChange(parts, call, async (change) => {
    await throwIfTooMany(change, call.orgId);
    await throwIfUnknown(change, settings, call);
    const columns = { owner_id: call.orgId, id, token_hash, ...toScimColumns(settings) };
    return { id, token, ...(await addObject(change, "scim_connections", columns, [event])) };
  });
}

/** Locks the organization, so that connections that are added at once are counted. */
async function throwIfTooMany(change: Change, orgId: string): Promise<void> {
  await holdOwner(change, { kind: "org", id: orgId });
  const rows = await change.db.selectFrom("scim_connections").select("id").where("owner_id", "=", orgId).execute();
  if (rows.length < MOST_CONNECTIONS) return;
  const message = `the organization has ${MOST_CONNECTIONS} SCIM connections, which is the maximum`;
  throw new SignetError("TOO_MANY_SCIM_CONNECTIONS", message, { metadata: { limit: String(MOST_CONNECTIONS) } });
}
